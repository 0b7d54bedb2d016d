package gpu

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/accelerators/work/inorder"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/operator"
)

var _ work.Executor = (*Comp)(nil)

// Comp is a GPU of fidelity analytic: its memory is its own.
type Comp struct {
	*inorder.Executor[layer]
	record
	shares []*work.Share
	held   uint64         // bytes of what workloads keep in the memory
	now    func() float64 // ns
}

// New makes a GPU. The Spec has been checked.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{record: newRecord(s, true)}
	c.Executor = inorder.New(c, name, e, s.Clock.Clock, inorder.Model[layer]{Cost: c.layer, Plan: c.layers, Count: c.count, Came: c.came,
		Start: func(l *layer) *uint64 { return &l.start }, Name: func(l *layer) *string { return &l.name }})
	c.newStats(name, c.End(), c.Idle(), c.Awaited())
	c.now = func() float64 { return float64(e.CurrentTime()) * 1e9 }
	return c
}

// Layers implements work.Executor.
func (c *Comp) Layers() *stats.Table {
	peaks := c.Any(c.unlikePeak)
	return c.Executor.Table(c.columns(peaks), func(l *layer) []any { return c.cells(l, peaks) })
}

// chained reports whether an operator reads what one of another row of a list makes, as in a
// model; a view makes nothing.
func chained(g *graph.Graph) bool {
	maker := make([]int32, len(g.Tensors)) // 1 + the operator
	for i := range g.Ops {
		for _, id := range g.Ops[i].In {
			if id != graph.None && maker[id] > 0 && operator.RowOf(g.Ops[maker[id]-1].Name) != operator.RowOf(g.Ops[i].Name) {
				return true
			}
		}
		if m, ok := g.Ops[i].Kind.(graph.Move); ok && m.Elements == 0 {
			continue
		}
		for _, id := range g.Ops[i].Out {
			maker[id] = int32(i) + 1
		}
	}
	return false
}

// Hold implements work.Holder.
func (c *Comp) Hold(w work.Share) error {
	c.lacks(&w)
	c.shares = append(c.shares, &w)
	if err := c.exchangeable(c.Name(), &w); err != nil {
		return err
	}
	return c.fits(&w)
}

// Prepare implements work.Executor.
func (c *Comp) Prepare(w work.Share) error {
	c.lacks(&w)
	if w.Step {
		return c.Executor.Prepare(w)
	}
	if err := c.exchangeable(c.Name(), &w); err != nil {
		return err
	}
	if err := c.fits(&w); err != nil {
		return err
	}
	c.shares = append(c.shares, &w)
	return c.Executor.Prepare(w)
}

// Start implements work.Executor.
func (c *Comp) Start() error {
	if c.prof != nil {
		if err := c.prof.check(c.Name(), c.shares); err != nil {
			return err
		}
	}
	return c.Executor.Start()
}
