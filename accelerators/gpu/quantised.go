package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Quantised = (*Comp)(nil)

// PriceQuantised implements work.Quantised.
func (c *Comp) PriceQuantised(g *graph.Graph, i int) (units.Time, bool) {
	op := &g.Ops[i]
	if _, ok := op.Kind.(graph.MatMul); !ok || c.lib == nil || c.prof != nil {
		return 0, false
	}
	d, n := typeOf(g, op), namedOf(g, op)
	if !n.ok || !c.spec.native(d) {
		return 0, false
	}
	x, _ := op.Matrix()
	ok := false
	c.pace = pace{}
	cost := c.limited(d, float64(op.MACs()), float64(op.VectorOps()), func() (cost kernel.Cost) {
		m := c.machine(op.Kind, d)
		chip := c.chipOf(&m)
		cost, ok = c.lib.Quantised(&chip, library.Product{Batch: x.Batch, M: int(x.M), N: int(x.N), K: int(x.K), Type: n.Type})
		return c.launched(cost)
	})
	return inTime(cost.Total), ok
}
