package gpu

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Exchanges implements work.Exchanger.
func (c *record) Exchanges() {}

// AttendsBackward implements work.Trainer.
func (c *record) AttendsBackward() {}

// exchangeable reports transfers of a share between the chips of a machine that the chip has no
// link or no kernels for.
func (c *record) exchangeable(name string, w *work.Share) error {
	for i := range w.Graph.Ops {
		op := &w.Graph.Ops[i]
		if _, ok := op.Kind.(graph.Exchange); !ok {
			continue
		}
		if c.spec.Link == 0 {
			return fmt.Errorf("%s: %s goes over links to other chips, and it has none (key link)", name, op.Name)
		}
		if _, ok := c.exchange(w.Graph, op); !ok {
			return fmt.Errorf("%s: no kernels of generation %q were measured for %s (want one of: sm80, sm90, sm100, sm103; of dispatch and combine from sm90 on)", name, c.spec.Kernels.of(c.spec.Architecture), op.Name)
		}
	}
	return nil
}

// exchange is the cost of a transfer between the chips of a machine; ok is false for other
// operators, and where no kernels were measured.
func (c *record) exchange(g *graph.Graph, op *graph.Op) (cost kernel.Cost, ok bool) {
	x, ok := op.Kind.(graph.Exchange)
	l, measured := library.LinksOf(c.spec.Kernels.of(c.spec.Architecture))
	if !ok || !measured {
		return cost, false
	}
	in, out := g.Tensor(op.In[0]), g.Tensor(op.Out[0])
	p := library.Transfer{Func: x.Func, Ranks: x.Ranks, Bytes: float64(max(in.Bytes(), out.Bytes())), Narrow: in.DType.Bits() < 16,
		Picks: x.Picks, Experts: x.Experts, SMs: x.SMs, Size: in.DType.Width() / 8}
	if in.DType == graph.FP8 {
		p.Size += 4. / 128 // scales
	}
	if x.Picks > 0 {
		shape := in.Shape
		p.Tokens, p.Hidden = shape[0], shape[len(shape)-1]
	}
	cost = c.limited(in.DType, 0, float64(op.VectorOps()), func() (cost kernel.Cost) {
		m := c.machine(op.Kind, in.DType)
		chip := c.chipOf(&m)
		cost, ok = l.Transfer(&chip, p)
		// What is sent was read, and what came is written.
		cost.Sent, cost.Near, cost.Bytes = cost.Bytes, 2*cost.Bytes, 2*cost.Bytes
		return cost
	})
	c.moved = l.Fit
	cost.Library = "nccl"
	switch {
	case x.Picks > 0:
		cost.Library = "deepep"
	case x.Func == "custom_all_reduce":
		cost.Library = usual
	}
	return cost, ok
}
