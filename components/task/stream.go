package task

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/calendar"
)

// A Listener gets the events of a stream, one at a time, in their order. It must not
// change the simulation.
type Listener interface {
	Task(s *Stream, e Event)
}

// Stepless marks a Listener that ignores steps. If all listeners are Stepless, nodes report no
// steps.
type Stepless interface {
	Listener
	Stepless()
}

// An Explainer is a Listener that also receives causes. Causes arrive as nodes report them, in no
// order of time, and possibly before the begin of their task.
type Explainer interface {
	Listener
	Cause(s *Stream, c Cause)
}

// A Stream merges the sources of nodes. Nodes may report from several goroutines.
type Stream struct {
	time      sim.TimeTeller
	nodes     []Reporter
	listeners []Listener
	steps     bool // a listener wants them
	asking    []Explainer

	mu      sync.Mutex
	now     sim.VTimeInSec
	waiting calendar.Of[entry] // events whose instant is not over, by time and task
	same    []entry            // of one task and instant
}

// NewStream makes a stream of nodes, in the order in which events of one instant are delivered. It
// is called before the simulation; time is the engine. It panics if a node reports to a stream
// already.
func NewStream(time sim.TimeTeller, nodes []Reporter, listeners ...Listener) *Stream {
	s := &Stream{time: time, nodes: nodes}
	for _, l := range listeners {
		s.Listen(l)
	}
	for i, n := range nodes {
		src := n.Tasks()
		if src.stream != nil {
			panic(fmt.Sprintf("task: %s reports to a stream already", n.Name()))
		}
		src.stream, src.node = s, ID(i+1)<<idBits
	}
	return s
}

// Listen adds a listener. It is called before the simulation.
func (s *Stream) Listen(l Listener) {
	s.listeners = append(s.listeners, l)
	if _, ok := l.(Stepless); !ok {
		s.steps = true
	}
	if x, ok := l.(Explainer); ok {
		s.asking = append(s.asking, x)
	}
}

// Limit makes every node report only the first tasks of each kind, as many as most says. It
// is called before the simulation.
func (s *Stream) Limit(most func(Kind) int) {
	for _, n := range s.nodes {
		room := make([]int32, len(kinds))
		for k := range room {
			room[k] = int32(most(Kind(k)))
		}
		n.Tasks().room, n.Tasks().most = room, slices.Clone(room)
	}
}

// Nodes lists the nodes; task id belongs to Nodes()[id.Node()].
func (s *Stream) Nodes() []Reporter { return s.nodes }

// Text is the text w of the node of task id; "" for the zero What.
func (s *Stream) Text(id ID, w What) string {
	if w < firstWhat {
		return whats[w]
	}
	return s.nodes[id.Node()].Tasks().texts[w-firstWhat]
}

// Close delivers the remaining events, after the simulation, also those of times beyond its last
// event. Tasks that have not ended get no end.
func (s *Stream) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handUntil(math.Inf(1))
}

// take notes an event. All of an instant's events are here once the engine's time has
// moved on.
func (s *Stream) take(e Event, order uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.time.CurrentTime()
	if e.At < now {
		panic(fmt.Sprintf("task: %s reports the %s of a task of %.12g s at %.12g s", s.nodes[e.ID.Node()].Name(), e.Phase, e.At, now))
	}
	if now > s.now {
		s.now = now
		s.handUntil(float64(now))
	}
	s.waiting.Push(calendar.Entry[entry]{At: when(float64(e.At)), Order: uint64(e.ID), What: entry{e, order}})
}

// explain passes a cause to the Explainers.
func (s *Stream) explain(c Cause) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.asking {
		x.Cause(s, c)
	}
}

// handUntil delivers the events before a time: by time and task, and events of one task and
// instant by phase, in the order in which its node reported them.
func (s *Stream) handUntil(time float64) {
	end := when(time)
	for s.waiting.Len() > 0 && s.waiting.First().At < end {
		first := s.waiting.Pop()
		s.same = append(s.same[:0], first.What)
		for s.waiting.Len() > 0 && s.waiting.First().At == first.At && s.waiting.First().Order == first.Order {
			s.same = append(s.same, s.waiting.Pop().What)
		}
		slices.SortFunc(s.same, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.order, b.order))
		})
		for i := range s.same {
			s.hand(s.same[i].Event)
		}
	}
}

// when is a time that is not negative as a number in the same order.
func when(time float64) uint64 { return math.Float64bits(time + 0) }

func (s *Stream) hand(e Event) {
	for _, l := range s.listeners {
		l.Task(s, e)
	}
}

// An entry is an event and its number among those of its node.
type entry struct {
	Event
	order uint64
}
