package gpu

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
)

var _ work.Executor = (*Comp)(nil)

// Comp is a GPU.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	clock  clock.Clock
	ticker *engine.Ticker
	ops    *work.Queue
	known  map[int32]*loaded // whose jobs may be issued during the run
	shares []loaded
	begun  bool   // what was loaded has been computed
	free   uint64 // cycle in which the last operator ends
	costs  costs
	layers []layer
	sum    totals
	tasks  task.Source
	group  *stats.Group
}

// loaded is a workload, and when it comes in cycles.
type loaded struct {
	work.Share
	arrival uint64
}

// New makes a GPU. The Spec has been checked.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, clock: s.Clock.Clock, costs: costs{}}
	c.ticker = engine.NewTicker(e, c.clock, c)
	c.ops, c.known = work.NewQueue(c, name, c.ticker), map[int32]*loaded{}
	c.AddPort("Ops", c.ops.Port())
	c.group = c.newStats()
	return c
}

// PortSpecs implements system.Node: what operators are issued to.
func (c *Comp) PortSpecs() []system.PortSpec { return []system.PortSpec{c.ops.PortSpec()} }

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.group }

// Sync implements work.Worker.
func (c *Comp) Sync() sim.Port { return c.ops.Port() }

// Follow implements work.Worker.
func (c *Comp) Follow(sim.Port) {}

// Clock is the clock that cycles are counted in.
func (c *Comp) Clock() clock.Clock { return c.clock }

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait { return nil }

// Tasks implements task.Reporter: a layer, which is reported ahead with its end.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Load implements work.Worker. Mappings of the program, if there are any, do not
// count.
func (c *Comp) Load(w work.Share) error {
	if err := c.check(w); err != nil {
		return err
	}
	l := loaded{w, c.clock.Cycles(uint64(w.Arrival), uint64(units.Second))}
	at := len(c.shares)
	for at > 0 && c.shares[at-1].arrival > l.arrival {
		at--
	}
	c.shares = slices.Insert(c.shares, at, l)
	return nil
}

// Prepare implements work.Executor.
func (c *Comp) Prepare(w work.Share) error {
	if err := c.check(w); err != nil {
		return err
	}
	c.known[w.ID] = &loaded{Share: w}
	return nil
}

// check refuses what the node cannot carry out.
func (c *Comp) check(w work.Share) error {
	for _, j := range w.Program.Jobs {
		if j.Op < 0 || j.Op >= len(w.Graph.Ops) {
			return fmt.Errorf("%s: operator %d of %d", c.Name(), j.Op, len(w.Graph.Ops))
		}
		if len(j.Waits)+len(j.Signals) > 0 {
			return fmt.Errorf("%s: layer %s is shared with other nodes (a gpu works alone)", c.Name(), w.Graph.Ops[j.Op].Name)
		}
	}
	return nil
}

// Start implements work.Worker.
func (c *Comp) Start() error {
	c.ticker.WakeAt(0)
	return nil
}

// Handle implements sim.Handler. What was loaded before the run nothing outside can
// change: the first event computes it all, and one more is the end. What is issued
// during the run is computed when it begins.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	cycle := c.ticker.Cycle(now)
	if !c.begun {
		c.begun = true
		for i := range c.shares {
			s := &c.shares[i]
			c.open(s.arrival)
			for _, op := range s.ops() {
				c.do(s, op, 0)
			}
		}
	}
	if err := c.ops.Receive(now, cycle); err != nil {
		return err
	}
	for c.free <= cycle {
		i, ok := c.ops.Next()
		if !ok {
			break
		}
		c.open(i.Came)
		begin := c.free
		s := c.known[i.Share]
		for _, op := range s.Program.Jobs[i.Job].All() {
			c.do(s, op, i.Task)
		}
		c.ops.Done(i, begin, c.free)
	}
	c.ops.Send(now, cycle)
	c.sum.end = max(c.sum.end, c.free)
	if c.free > cycle {
		c.ticker.WakeAt(c.free)
	}
	return nil
}

// open lets the node be idle until a cycle.
func (c *Comp) open(cycle uint64) {
	if cycle > c.free {
		c.sum.idle += cycle - c.free
		c.free = cycle
	}
}

// do carries out an operator.
func (c *Comp) do(s *loaded, op int, parent task.ID) {
	l := c.layer(s, op, c.free)
	c.layers = append(c.layers, l)
	c.sum.add(&l)
	if c.tasks.On() && l.cycles > 0 {
		id := c.tasks.Begin(instant.Of(c.clock, l.start), task.Layer, c.tasks.What(l.name), parent, l.bytes)
		c.tasks.End(instant.Of(c.clock, l.start+l.cycles), id)
	}
	c.free += l.cycles
}

// Plan implements work.Executor.
func (c *Comp) Plan(share int32, job int) work.Cost {
	s, cost := c.known[share], work.Cost{}
	cycles := uint64(0)
	for _, op := range s.Program.Jobs[job].All() {
		l := c.layer(s, op, 0)
		cycles += l.cycles
		cost.Bytes += l.bytes
	}
	cost.Time = units.Time(c.clock.Nanoseconds(cycles) * float64(units.Nanosecond))
	return cost
}

// ops lists the operators to do: those of the program with what is fused to
// them, or all.
func (s *loaded) ops() (out []int) {
	for _, j := range s.Program.Jobs {
		out = append(out, j.All()...)
	}
	if s.Program.Jobs == nil {
		for i := range s.Graph.Ops {
			out = append(out, i)
		}
	}
	return out
}
