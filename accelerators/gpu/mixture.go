package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A mixed is the mixtures of experts of a graph that are one kernel each.
type mixed struct {
	part []int32 // by operator: 1 + index in all of the kernel that it is a part of; 0: none
	all  []fused // kernels
}

// A fused is a kernel of experts: what all of its operators do is the work of the first product.
type fused struct {
	first        int // operator
	cost         kernel.Cost
	macs, vector uint64
}

// mixedGraphs is how many graphs are remembered: a server makes one for each batch.
const mixedGraphs = 64

// mixture is the kernel of experts that operator i of a share is a part of; nil: it is a kernel
// of its own.
func (c *record) mixture(s *work.Share, i int) *fused {
	if c.lib == nil || c.prof != nil {
		return nil
	}
	m, ok := c.mixed[s.Graph]
	if !ok {
		if len(c.mixed) >= mixedGraphs || c.mixed == nil {
			c.mixed = map[*graph.Graph]*mixed{}
		}
		m = c.mix(s)
		c.mixed[s.Graph] = m
	}
	if m == nil || m.part[i] == 0 {
		return nil
	}
	return &m.all[m.part[i]-1]
}

// mixedLayer is operator i, l, as a part of a kernel of experts.
func (c *record) mixedLayer(g *graph.Graph, i int, l layer, f *fused) (layer, kernel.Cost) {
	if i != f.first {
		l.kernel, l.macs, l.vector = "experts", 0, 0
		return l, kernel.Cost{}
	}
	l.macs, l.vector, l.peak = f.macs, f.vector, c.rate(typeOf(g, &g.Ops[i]))
	l.ideal = float64(l.macs) / l.peak
	l.kernel, l.bytes, l.tile, l.rounds = f.cost.Library, uint64(f.cost.Bytes), f.cost.Tile, f.cost.Rounds
	c.spend(&l, &f.cost)
	return l, f.cost
}

// mix finds the mixtures of a share that the library has kernels for; nil: none.
func (c *record) mix(s *work.Share) *mixed {
	var out *mixed
	for _, x := range s.Graph.Mixtures() {
		if !whole(s, x.Ops) {
			continue
		}
		cost, ok := c.experts(s.Graph, &x)
		if !ok {
			c.unmeasured("experts", typeOf(s.Graph, &s.Graph.Ops[x.First]))
			continue
		}
		if out == nil {
			out = &mixed{part: make([]int32, len(s.Graph.Ops))}
		}
		f := fused{first: x.First, cost: cost}
		for _, i := range x.Ops {
			f.macs += uint64(s.Graph.Ops[i].MACs())
			f.vector += uint64(s.Graph.Ops[i].VectorOps())
			out.part[i] = int32(len(out.all) + 1)
		}
		out.all = append(out.all, f)
	}
	return out
}

// unmeasured notes operators that the library has no kernels for.
func (c *record) unmeasured(what string, d graph.DType) {
	if c.missing == nil {
		c.missing = map[string]bool{}
	}
	c.missing[what+" in "+d.String()] = true
}

// whole reports whether the share has all of these operators.
func whole(s *work.Share, ops []int) bool {
	if s.Program.Jobs == nil {
		return true
	}
	has := make(map[int]bool, len(ops))
	for i := range s.Program.Jobs {
		for _, op := range s.Program.Jobs[i].All() {
			has[op] = true
		}
	}
	for _, op := range ops {
		if !has[op] {
			return false
		}
	}
	return true
}

// experts is the cost of a mixture's kernels.
func (c *record) experts(g *graph.Graph, x *graph.Mixture) (kernel.Cost, bool) {
	op := &g.Ops[x.First]
	d, n := typeOf(g, op), namedOf(g, op)
	if !n.ok || !c.spec.native(d) || g.Sparsity(op).On() {
		return kernel.Cost{}, false
	}
	m := c.spec.machine(op.Kind, d)
	chip := c.spec.chip(&m)
	cost, ok := c.lib.Experts(&chip, library.Experts{Tokens: x.Tokens, Hidden: x.Hidden, Inter: x.Inter, Gated: x.Gated, Loads: x.Loads, Type: n.Type})
	cost.Library = c.libraryName
	return c.launched(cost), ok
}

// Mixes implements work.Mixer.
func (c *Comp) Mixes(g *graph.Graph, op int) bool {
	return c.mixture(&work.Share{Graph: g}, op) != nil
}
