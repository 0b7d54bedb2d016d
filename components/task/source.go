package task

import "github.com/sarchlab/akita/v3/sim"

// A Source receives the reports of one node. The zero value has no listener.
type Source struct {
	stream *Stream
	node   ID      // index plus 1, shifted
	tasks  uint64  // so far
	events uint64  // so far
	room   []int32 // tasks of each kind that are still reported; nil: all
	most   []int32 // what room was at first
	texts  []string
	index  map[string]What
}

// A Reporter is a node that reports tasks.
type Reporter interface {
	Name() string
	Tasks() *Source
}

// On reports whether a listener is registered. A caller checks it if the arguments of a report are
// expensive to compute.
func (s *Source) On() bool { return s.stream != nil }

// Spent lists the kinds whose tasks reached the limit of Stream.Limit, so that some may be
// missing. Kinds with a limit of 0 are not listed.
func (s *Source) Spent() (out []Kind) {
	for k, n := range s.room {
		if n == 0 && s.most[k] > 0 {
			out = append(out, Kind(k))
		}
	}
	return out
}

// All reports whether listeners receive every task, without a limit on their number.
func (s *Source) All() bool { return s.stream != nil && s.room == nil }

// Wants reports whether Begin would report a task of kind k.
func (s *Source) Wants(k Kind) bool {
	return s.stream != nil && (s.room == nil || int(k) < len(s.room) && s.room[k] > 0)
}

// Begin reports that a task begins, and returns its ID. The ID is 0 if there is no listener or the
// limit of its kind is reached.
func (s *Source) Begin(at sim.VTimeInSec, k Kind, w What, parent ID, bytes uint64) ID {
	if s.stream == nil {
		return 0
	}
	return s.begin(at, k, w, parent, bytes)
}

// Step reports that a task has passed a milestone. It does nothing for the ID 0.
func (s *Source) Step(at sim.VTimeInSec, id ID, w What) {
	if id != 0 && s.stream.steps {
		s.report(Event{At: at, ID: id, Phase: Step, What: w})
	}
}

// End reports that a task ends. It does nothing for the ID 0.
func (s *Source) End(at sim.VTimeInSec, id ID) {
	if id != 0 {
		s.report(Event{At: at, ID: id, Phase: End})
	}
}

// Explains reports whether a listener receives causes. A caller checks it before it computes them.
func (s *Source) Explains() bool { return s.stream != nil && len(s.stream.asking) > 0 }

// Explain reports the reason for an interval of a task, and the task that it waited for (0 for
// none). Unlike events, the interval may lie in the past. Intervals of one task do not overlap.
func (s *Source) Explain(id ID, w What, from, to sim.VTimeInSec, by ID) {
	if id != 0 && from < to && s.Explains() {
		s.stream.explain(Cause{Task: id, What: w, From: from, To: to, By: by})
	}
}

// ExplainLike reports an interval of a task that was not simulated, because it is equal to another
// interval of the same or another task.
func (s *Source) ExplainLike(id ID, w What, from, to sim.VTimeInSec, of ID, likeFrom, likeTo sim.VTimeInSec) {
	if id != 0 && from < to && s.Explains() {
		s.stream.explain(Cause{Task: id, What: w, From: from, To: to, By: of, LikeFrom: likeFrom, LikeTo: likeTo})
	}
}

func (s *Source) begin(at sim.VTimeInSec, k Kind, w What, parent ID, bytes uint64) ID {
	if s.room != nil {
		if int(k) >= len(s.room) || s.room[k] == 0 {
			return 0
		}
		s.room[k]--
	}
	s.tasks++
	id := s.node | ID(s.tasks)
	s.report(Event{At: at, ID: id, Parent: parent, Kind: k, What: w, Bytes: bytes, Phase: Begin})
	return id
}

func (s *Source) report(e Event) {
	s.events++
	s.stream.take(e, s.events)
}

// What interns a text of this source. Equal texts give equal values.
func (s *Source) What(text string) What {
	if w, ok := s.index[text]; ok {
		return w
	}
	if s.index == nil {
		s.index = map[string]What{}
	}
	w := firstWhat + What(len(s.texts))
	s.texts = append(s.texts, text)
	s.index[text] = w
	return w
}
