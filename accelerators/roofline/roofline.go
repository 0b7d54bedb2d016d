package roofline

import (
	"fmt"
	"math"
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
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Comp is a roofline node.
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
	layers []layer
	sum    totals
	tasks  task.Source
	group  *stats.Group
	rank   rank
	at     configs.Value // the node's mapping, for errors
}

// loaded is a workload, and when it comes in cycles.
type loaded struct {
	work.Share
	arrival uint64
}

// totals are in cycles, except for work.
type totals struct {
	end, idle           uint64
	bound               [3]uint64
	macs, vector, bytes uint64
}

// New makes a roofline node. The Spec has been checked.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, clock: s.Clock.Clock}
	c.ticker = engine.NewTicker(e, c.clock, c)
	c.ops, c.known = work.NewQueue(c, name, c.ticker), map[int32]*loaded{}
	c.AddPort("Ops", c.ops.Port())
	if s.connected {
		c.connect()
	}
	c.group = c.newStats()
	return c
}

// PortSpecs implements system.Node: what operators are issued to, or the network
// interface of a rank.
func (c *Comp) PortSpecs() []system.PortSpec {
	if c.rank.port == nil {
		return []system.PortSpec{c.ops.PortSpec()}
	}
	return []system.PortSpec{c.spec.NIC.Port(c.rank.port, c.clock)}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.group }

// Sync implements work.Worker.
func (c *Comp) Sync() sim.Port { return c.ops.Port() }

// Follow implements work.Worker.
func (c *Comp) Follow(sim.Port) {}

// Load implements work.Worker. Mappings of the program, if there are any, do not
// count.
func (c *Comp) Load(w work.Share) error {
	if err := check(c, w); err != nil {
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

// check refuses what the node cannot carry out.
func check(c *Comp, w work.Share) error {
	for _, j := range w.Program.Jobs {
		if j.Op < 0 || j.Op >= len(w.Graph.Ops) {
			return fmt.Errorf("%s: operator %d of %d", c.Name(), j.Op, len(w.Graph.Ops))
		}
		if len(j.Waits)+len(j.Signals) > 0 {
			return fmt.Errorf("%s: %s is shared with other nodes (a roofline node works alone)", c.Name(), place(w.Graph, j.Op))
		}
	}
	return nil
}

// Start implements work.Worker.
func (c *Comp) Start() error {
	if c.rank.player == nil {
		c.ticker.WakeAt(0)
	}
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
	c.report(&l, parent)
	c.free += l.cycles()
}

// Prepare implements work.Executor.
func (c *Comp) Prepare(w work.Share) error {
	if err := check(c, w); err != nil {
		return err
	}
	c.known[w.ID] = &loaded{Share: w}
	return nil
}

// Plan implements work.Executor.
func (c *Comp) Plan(share int32, job int) work.Cost {
	s, cost := c.known[share], work.Cost{}
	cycles := uint64(0)
	for _, op := range s.Program.Jobs[job].All() {
		l := c.layer(s, op, 0)
		cycles += l.cycles()
		cost.Bytes += l.bytes
	}
	cost.Time = units.Time(c.clock.Nanoseconds(cycles) * float64(units.Nanosecond))
	return cost
}

// Tasks implements task.Reporter: a layer, which is reported ahead with its end.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// report reports a layer that takes time, below the task that asked for it.
func (c *Comp) report(l *layer, parent task.ID) {
	if !c.tasks.On() || l.cycles() == 0 {
		return
	}
	id := c.tasks.Begin(instant.Of(c.clock, l.start), task.Layer, c.tasks.What(l.name), parent, l.bytes)
	c.tasks.End(instant.Of(c.clock, l.start+l.cycles()), id)
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

// A layer is one operator done.
type layer struct {
	workload, name, kind      string
	start                     uint64
	compute, memory, overhead uint64 // cycles each would take alone
	macs, vector, bytes       uint64
}

func (l *layer) cycles() uint64 { return max(l.compute, l.memory) + l.overhead }

// flops is two per multiply-accumulate and one per vector operation.
func (l *layer) flops() uint64 { return 2*l.macs + l.vector }

// The roofs.
const (
	byCompute = iota
	byMemory
	byOverhead
)

var roofs = [3]string{"compute", "memory", "overhead"}

// bound is the roof that holds: the larger part of the time.
func (l *layer) bound() int {
	switch {
	case l.overhead > max(l.compute, l.memory):
		return byOverhead
	case l.compute >= l.memory:
		return byCompute
	}
	return byMemory
}

func (c *Comp) layer(s *loaded, i int, start uint64) layer {
	op := &s.Graph.Ops[i]
	l := layer{
		workload: s.Name, name: op.Name, kind: op.Kind.Type(), start: start,
		macs: uint64(op.MACs()), vector: uint64(op.VectorOps()), bytes: uint64(s.Graph.Footprint(op).Bytes()),
	}
	if m, ok := op.Kind.(graph.Move); ok && m.Elements == 0 {
		return l // a view: nothing is launched
	}
	rate := float64(c.spec.Compute)
	if e, ok := c.spec.Efficiency[l.kind]; ok {
		rate *= e
	}
	l.compute = cyclesOf(float64(l.flops())/rate, c.clock)
	l.memory = c.clock.Cycles(8*l.bytes, uint64(c.spec.Memory))
	l.overhead = c.spec.Overhead.In(c.clock)
	return l
}

// cyclesOf is a time in whole cycles, rounded up but for the rounding error of
// a float.
func cyclesOf(seconds float64, c clock.Clock) uint64 {
	n := seconds * float64(c.Den()) / float64(c.Num())
	return uint64(math.Ceil(n * (1 - 1e-12)))
}

func (t *totals) add(l *layer) {
	t.bound[byOverhead] += l.overhead
	t.bound[byMemory] += l.cycles() - l.overhead - l.compute
	t.bound[byCompute] += l.compute
	t.macs += l.macs
	t.vector += l.vector
	t.bytes += l.bytes
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait { return nil }

// Clock is the clock that cycles are counted in.
func (c *Comp) Clock() clock.Clock { return c.clock }
