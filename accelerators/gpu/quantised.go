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

// quantisedBefore reports whether the kernel before a product gives its activations in few bits: a norm, an activation
// or an attention of a model, where operators share kernels (kernels.join). Lists of operators are measured rows, whose
// times hold the quantisation. So do activations with scales by blocks, which are made apart.
//
// Sources: TensorRT-LLM, tensorrt_llm/_torch/modules (attention.py: output in fp8 where the product after it takes a
// scale; gated_mlp.py: swiglu with a scale), and its fused norms with quantisation.
func (c *record) quantisedBefore(g *graph.Graph, op *graph.Op) bool {
	k, ok := op.Kind.(graph.MatMul)
	if !ok || k.Quantised || c.lib == nil || !c.spec.Kernels.Join || g.List || len(op.In) == 0 {
		return false
	}
	if n := namedOf(g, op); !n.ok || n.Type != library.FP8 && n.Type != library.Int8 && n.Type != library.NVFP4 {
		return false
	}
	if c.madeIn != g {
		c.madeIn, c.makers = g, make([]graph.Kind, len(g.Tensors))
		for i := range g.Ops {
			o := &g.Ops[i]
			for _, id := range o.Out {
				if m, view := o.Kind.(graph.Move); view && m.Elements == 0 && len(o.In) == 1 {
					c.makers[id] = c.makers[o.In[0]]
				} else {
					c.makers[id] = o.Kind
				}
			}
		}
	}
	switch c.makers[op.In[0]].(type) {
	case graph.Norm, graph.Elementwise, graph.Attention:
		return true
	}
	return false
}
