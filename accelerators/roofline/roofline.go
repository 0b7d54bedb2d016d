package roofline

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/accelerators/work/inorder"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Keeper = (*Comp)(nil)

// Comp is the node of kind roofline.
type Comp struct {
	*inorder.Executor[layer]
	spec  Spec
	sum   totals
	group *stats.Group
	rank  rank
	at    configs.Value // the node's mapping, for errors
	rest  energy.Rest
}

// totals are in cycles, except for work.
type totals struct {
	bound               [3]uint64
	macs, vector, bytes uint64
	energy              float64 // pJ
	moving              uint64  // cycles in which the memory works
}

// New makes a roofline node of a Spec that it does not check; a configuration is checked when it
// is read.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{spec: s}
	m := inorder.Model[layer]{Cost: c.layer, Recorded: c.recorded, Count: c.sum.add, Start: func(l *layer) *uint64 { return &l.start }, Delay: func(l *layer, cycles uint64) {
		l.overhead += cycles
		c.charge(l)
	}}
	if s.Prefetch > 0 {
		m.Ahead = s.Prefetch
		m.Fetch = func(l *layer) uint64 { return l.memory }
		m.Wait = func(l *layer, cycles uint64) {
			l.wait = cycles
			c.charge(l)
		}
	}
	c.Executor = inorder.New(c, name, e, s.Clock.Clock, m)
	if s.connected {
		c.connect()
	}
	c.group = c.newStats()
	c.declareEnergy()
	return c
}

// PortSpecs implements system.Node: the port for operators, or the network interface of a rank.
func (c *Comp) PortSpecs() []system.PortSpec {
	if c.rank.port == nil {
		return c.Executor.PortSpecs()
	}
	return []system.PortSpec{c.spec.NIC.Port(c.rank.port, c.Clock())}
}

// Keeps implements work.Keeper.
func (c *Comp) Keeps() {}

// Switches implements work.Switcher.
func (c *Comp) Switches() {}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.group }

// Start implements work.Executor.
func (c *Comp) Start() error {
	if c.rank.player == nil {
		return c.Executor.Start()
	}
	return nil
}

// A layer is one operator done.
type layer struct {
	workload, name, kind      string
	start                     uint64
	compute, memory, overhead uint64 // cycles each would take alone
	macs, vector, bytes       uint64
	energy, work              float64 // pJ; work is by events
	ahead                     bool    // the memory works ahead of compute
	wait                      uint64  // with ahead: for the memory
}

// Energy implements inorder.Priced.
func (l layer) Energy() float64 { return l.energy }

// Cycles implements inorder.Layer.
func (l layer) Cycles() uint64 {
	if l.ahead {
		return l.wait + l.compute + l.overhead
	}
	return max(l.compute, l.memory) + l.overhead
}

// Bytes implements inorder.Layer.
func (l layer) Bytes() uint64 { return l.bytes }

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
	case l.ahead && l.wait > l.compute:
		return byMemory
	case l.ahead || l.compute >= l.memory:
		return byCompute
	}
	return byMemory
}

// AttendsBackward implements work.Trainer.
func (c *Comp) AttendsBackward() {}

// layer implements inorder.Model.
func (c *Comp) layer(s *work.Share, i int, start uint64) layer {
	op := &s.Graph.Ops[i]
	l := layer{
		workload: s.Name, name: op.Name, kind: op.Kind.Type(), start: start,
		macs: uint64(op.MACs()), vector: uint64(op.VectorOps()), bytes: uint64(s.Graph.Footprint(op).Bytes()),
		ahead: c.spec.Prefetch > 0,
	}
	l.bytes -= s.KeptBytes(op)
	if c.spec.Energy.on() {
		d, _ := s.Graph.Multiplied(op)
		l.work = c.spec.Energy.of(d, l.macs, l.vector, l.bytes)
	}
	if m, ok := op.Kind.(graph.Move); ok && m.Elements == 0 {
		return l // a view: nothing is launched
	}
	rate := float64(c.spec.Compute)
	if e, ok := c.spec.Efficiency[l.kind]; ok {
		rate *= e
	}
	l.compute = cyclesOf(float64(l.flops())/rate, c.Clock())
	l.memory = c.Clock().Cycles(8*l.bytes, uint64(c.spec.Memory))
	l.overhead = c.spec.Overhead.In(c.Clock())
	c.charge(&l)
	return l
}

// charge makes the energy of an operator that of its cycles.
func (c *Comp) charge(l *layer) {
	l.energy = l.work + float64(c.spec.Power)*c.Clock().Nanoseconds(l.Cycles())*1e3
}

// cyclesOf is a time in whole cycles, rounded up but for the rounding error of
// a float.
func cyclesOf(seconds float64, c clock.Clock) uint64 {
	n := seconds * float64(c.Den()) / float64(c.Num())
	return uint64(math.Ceil(n * (1 - 1e-12)))
}

func (t *totals) add(l *layer) {
	t.bound[byOverhead] += l.overhead
	t.bound[byMemory] += l.Cycles() - l.overhead - l.compute
	t.moving += l.memory
	t.bound[byCompute] += l.compute
	t.macs += l.macs
	t.vector += l.vector
	t.bytes += l.bytes
	t.energy += l.energy
}
