package gpu

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// lacks notes the element types of products in a share for which the matrix units have no
// rate of their own: before the run, unless the share is made while it goes on.
func (c *record) lacks(w *work.Share) {
	if w.Program.Jobs == nil {
		for i := range w.Graph.Ops {
			c.look(w.Graph, &w.Graph.Ops[i])
		}
		return
	}
	for i := range w.Program.Jobs {
		for _, op := range w.Program.Jobs[i].All() {
			c.look(w.Graph, &w.Graph.Ops[op])
		}
	}
}

func (c *record) look(g *graph.Graph, op *graph.Op) {
	if v, ok := op.Kind.(graph.Conv); ok && depthwise(v) {
		return // for the vector units, whatever its type
	}
	if _, ok := op.Matrix(); !ok && !attends(op.Kind) {
		return
	}
	if d := typeOf(g, op); !c.spec.native(d) {
		if c.plain == nil {
			c.plain = map[graph.DType]bool{}
		}
		c.plain[d] = true
	}
}

// typeOf is the element type by which an operator takes its time: of a product that of the
// wider operand.
func typeOf(g *graph.Graph, op *graph.Op) graph.DType {
	d := g.Tensor(op.In[0]).DType
	if _, ok := op.Matrix(); ok {
		if w := g.Tensor(op.In[1]).DType; w.Bits() > d.Bits() {
			return w
		}
	}
	return d
}

// slow are the warnings about types that lacks has found.
func (c *record) slow(name string) (out []string) {
	for _, d := range slices.Sorted(maps.Keys(c.plain)) {
		way := "take the vector units"
		if as, ok := c.spec.widened(d); ok {
			way = "go at the rate of " + as.String()
		}
		out = append(out, fmt.Sprintf("%s: products of %s %s: the matrix units have no rate for them (key tensor, which has: %s)",
			name, d, way, strings.Join(slices.Sorted(maps.Keys(c.spec.Tensor)), ", ")))
	}
	return out
}

// Warnings implements system.Warner.
func (c *Comp) Warnings() []string { return c.slow(c.Name()) }

// Warnings implements system.Warner.
func (t *Tile) Warnings() []string { return t.slow(t.Name()) }
