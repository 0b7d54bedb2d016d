package communicator

import (
	"math"
	"sync"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A group is the communicators that send to each other. It acts for all of them, in their order.
type group struct {
	ticker *engine.Ticker
	all    []*Comp
	last   uint64     // cycle up to which flows have moved
	mutex  sync.Mutex // chips ask what their communicators have taken while others act
}

// A flow is a transfer that has been issued.
type flow struct {
	work.Issued
	price
	node *Comp
	t    graph.Transfer
	came uint64
	task task.ID

	begun, sent bool // sent: its bytes have moved
}

// stream names the transfers that follow each other: collectives of one group of ranks. Messages
// have none.
func (f *flow) stream() graph.Ranks {
	if f.t.Func == "send" {
		return graph.Ranks{}
	}
	return f.t.Among
}

// Handle implements sim.Handler: a cycle of all communicators.
func (g *group) Handle(e sim.Event) error {
	now := e.Time()
	cycle := g.ticker.Cycle(now)
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.move(cycle)
	for _, c := range g.all {
		if err := c.ops.Receive(now, cycle); err != nil {
			return err
		}
		for i, ok := c.ops.Next(); ok; i, ok = c.ops.Next() {
			c.begin(i, cycle)
		}
	}
	g.match(cycle)
	for _, c := range g.all {
		c.launch()
		c.ops.Send(now, cycle)
	}
	if at := g.next(cycle); at > cycle {
		g.ticker.WakeAt(at)
	}
	return nil
}

// shares is how many flows move bytes on each resource of a node.
func (c *Comp) shares() (n [resources]float64) {
	for _, f := range c.flows {
		if f.moves() {
			n[f.on]++
		}
	}
	return n
}

// moves reports whether the bytes of a flow are moving.
func (f *flow) moves() bool { return f.begun && f.start <= rounding && f.price.move > 0 && !f.sent }

// move carries flows on to a cycle, and ends those that are done.
func (g *group) move(cycle uint64) {
	past := float64(cycle - g.last)
	for _, c := range g.all {
		if a, ok := c.activity(); ok {
			c.sum.spent[a] += uint64(past)
		}
		c.took(cycle)
		n := c.shares()
		for r, k := range n {
			if k > 0 {
				c.sum.busy[r] += uint64(past)
			}
		}
		left := c.flows[:0]
		for _, f := range c.flows {
			switch {
			case !f.begun || f.sent:
			case f.start > rounding:
				f.start -= past
			default:
				f.price.move -= past / n[f.on]
			}
			if f.begun && f.start <= rounding && f.price.move <= rounding {
				f.sent = true
			}
			if f.sent && f.t.Func != "send" {
				c.done(f, cycle)
				continue
			}
			left = append(left, f)
		}
		c.flows = left
	}
	g.last = cycle
}

// rounding is the cycles that sums of parts of cycles may lack.
const rounding = 1e-6

// match ends messages whose bytes have moved, at both sides, once the receiver waits for them.
func (g *group) match(cycle uint64) {
	for _, c := range g.all {
		left := c.flows[:0]
		for _, f := range c.flows {
			if f.sent && f.t.Func == "send" && g.all[f.t.Peer].receive(c.rank, f.t.Tag, cycle) {
				c.done(f, cycle)
				continue
			}
			left = append(left, f)
		}
		c.flows = left
	}
}

// receive ends the receive of a message; false if it has not been issued.
func (c *Comp) receive(from, tag int, cycle uint64) bool {
	at := [2]int{from, tag}
	f, ok := c.waits[at]
	if ok {
		delete(c.waits, at)
		c.done(f, cycle)
	}
	return ok
}

// launch begins flows: messages at once, and the first collective of each group.
func (c *Comp) launch() {
	var busy []graph.Ranks
	for _, f := range c.flows {
		s, free := f.stream(), true
		if s.Count > 0 {
			for _, b := range busy {
				free = free && b != s
			}
			busy = append(busy, s)
		}
		f.begun = f.begun || free
	}
}

// next is the cycle in which a flow ends, or its bytes begin to move, unless others come.
func (g *group) next(cycle uint64) uint64 {
	least := math.Inf(1)
	for _, c := range g.all {
		n := c.shares()
		for _, f := range c.flows {
			switch {
			case !f.begun || f.sent:
			case f.start > rounding:
				least = min(least, f.start)
			default:
				least = min(least, f.price.move*max(n[f.on], 1))
			}
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return cycle + max(1, uint64(math.Ceil(least-rounding)))
}
