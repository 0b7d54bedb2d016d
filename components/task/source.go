package task

import "github.com/sarchlab/akita/v3/sim"

// A Source is where one node reports its tasks. The zero value has no listener.
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

// On reports whether a listener is registered. Callers ask it where the arguments of a report
// cost something.
func (s *Source) On() bool { return s.stream != nil }

// Spent lists the kinds of which as many tasks were reported as a limit lets: there may be
// more of them. Those of which none was to be reported are not in it.
func (s *Source) Spent() (out []Kind) {
	for k, n := range s.room {
		if n == 0 && s.most[k] > 0 {
			out = append(out, Kind(k))
		}
	}
	return out
}

// All reports whether listeners receive every task, without a limit of number.
func (s *Source) All() bool { return s.stream != nil && s.room == nil }

// Wants reports whether Begin would report a task of a kind.
func (s *Source) Wants(k Kind) bool {
	return s.stream != nil && (s.room == nil || int(k) < len(s.room) && s.room[k] > 0)
}

// Begin reports that a task begins, and returns its ID: 0 if there is no listener.
func (s *Source) Begin(at sim.VTimeInSec, k Kind, w What, parent ID, bytes uint64) ID {
	if s.stream == nil {
		return 0
	}
	return s.begin(at, k, w, parent, bytes)
}

// Step reports that a task has passed a milestone. A task 0 is none.
func (s *Source) Step(at sim.VTimeInSec, id ID, w What) {
	if id != 0 && s.stream.steps {
		s.report(Event{At: at, ID: id, Phase: Step, What: w})
	}
}

// End reports that a task ends. A task 0 is none.
func (s *Source) End(at sim.VTimeInSec, id ID) {
	if id != 0 {
		s.report(Event{At: at, ID: id, Phase: End})
	}
}

// Explains reports whether a listener wants to know what tasks waited for. Callers ask it
// before they find that out.
func (s *Source) Explains() bool { return s.stream != nil && len(s.stream.asking) > 0 }

// Explain reports what an interval of a task went to, and the task by which it was held up; 0:
// none. Unlike events, the interval may lie in the past. Those of one task do not overlap.
func (s *Source) Explain(id ID, w What, from, to sim.VTimeInSec, by ID) {
	if id != 0 && from < to && s.Explains() {
		s.stream.explain(Cause{Task: id, What: w, From: from, To: to, By: by})
	}
}

// ExplainLike reports an interval of a task that was not simulated, since it is like another
// interval, of the same or another task.
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

// What interns a text of this source. Equal texts give equal numbers.
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
