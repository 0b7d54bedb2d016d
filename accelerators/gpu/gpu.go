package gpu

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/accelerators/work/inorder"
	"github.com/causeway-sim/causeway/components/stats"
)

var _ work.Executor = (*Comp)(nil)

// Comp is a GPU of fidelity analytic: its memory is its own.
type Comp struct {
	*inorder.Executor[layer]
	record
	shares []*work.Share
}

// New makes a GPU. The Spec has been checked.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{record: record{spec: s, clock: s.Clock.Clock, costs: costs{}}}
	c.Executor = inorder.New(c, name, e, s.Clock.Clock, inorder.Model[layer]{Cost: c.layer, Count: c.count})
	c.newStats(name, c.End(), c.Idle())
	return c
}

// Layers implements work.Worker.
func (c *Comp) Layers() *stats.Table { return c.table(c.Rows()) }

// Load implements work.Worker.
func (c *Comp) Load(w work.Share) error {
	c.shares = append(c.shares, &w)
	return c.Executor.Load(w)
}

// Prepare implements work.Executor.
func (c *Comp) Prepare(w work.Share) error {
	c.shares = append(c.shares, &w)
	return c.Executor.Prepare(w)
}

// Start implements work.Worker.
func (c *Comp) Start() error {
	if c.prof != nil {
		if err := c.prof.check(c.Name(), c.shares); err != nil {
			return err
		}
	}
	return c.Executor.Start()
}
