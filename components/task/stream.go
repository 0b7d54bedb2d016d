package task

import (
	"container/heap"
	"fmt"
	"sync"

	"github.com/sarchlab/akita/v3/sim"
)

// A Listener gets the events of a stream, one at a time, in their order. It must not
// change the simulation.
type Listener interface {
	Task(s *Stream, e Event)
}

// A Stream joins the sources of nodes. Nodes may report from several goroutines.
type Stream struct {
	time      sim.TimeTeller
	nodes     []Reporter
	listeners []Listener

	mu      sync.Mutex
	now     sim.VTimeInSec
	waiting waiting // events whose instant is not over
}

// NewStream makes a stream of the nodes in their canonical order, which is the order
// of events of one instant. It begins before the simulation. Time is the engine's.
func NewStream(time sim.TimeTeller, nodes []Reporter, listeners ...Listener) *Stream {
	s := &Stream{time: time, nodes: nodes, listeners: listeners}
	for i, n := range nodes {
		src := n.Tasks()
		if src.stream != nil {
			panic(fmt.Sprintf("task: %s reports to a stream already", n.Name()))
		}
		src.stream, src.node = s, ID(i+1)<<idBits
	}
	return s
}

// Listen adds a listener, before the simulation.
func (s *Stream) Listen(l Listener) { s.listeners = append(s.listeners, l) }

// Limit makes every node report only the first tasks of each kind, as many as most says. It
// is called before the simulation.
func (s *Stream) Limit(most func(Kind) int) {
	for _, n := range s.nodes {
		room := make([]int32, len(kinds))
		for k := range room {
			room[k] = int32(most(Kind(k)))
		}
		n.Tasks().room = room
	}
}

// Nodes lists the nodes: Nodes()[id.Node()] is whose task it is.
func (s *Stream) Nodes() []Reporter { return s.nodes }

// Text is the text of what an event of a node says; "" where it says nothing.
func (s *Stream) Text(id ID, w What) string {
	if w < firstWhat {
		return whats[w]
	}
	return s.nodes[id.Node()].Tasks().texts[w-firstWhat]
}

// Close hands on what is left, after the simulation. Tasks that have not ended stay
// open. Events of later times than the simulation's last one are included.
func (s *Stream) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.waiting) > 0 {
		s.hand(heap.Pop(&s.waiting).(entry).Event)
	}
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
		for len(s.waiting) > 0 && s.waiting[0].At < now {
			s.hand(heap.Pop(&s.waiting).(entry).Event)
		}
	}
	heap.Push(&s.waiting, entry{e, order})
}

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

// waiting is a heap in the order of the stream.
type waiting []entry

func (w waiting) Len() int      { return len(w) }
func (w waiting) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w waiting) Less(i, j int) bool {
	a, b := &w[i], &w[j]
	switch {
	case a.At != b.At:
		return a.At < b.At
	case a.ID != b.ID:
		return a.ID < b.ID
	case a.Phase != b.Phase:
		return a.Phase < b.Phase
	}
	return a.order < b.order
}
func (w *waiting) Push(x any) { *w = append(*w, x.(entry)) }
func (w *waiting) Pop() any {
	old := *w
	x := old[len(old)-1]
	*w = old[:len(old)-1]
	return x
}
