package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A mixed is the operators of a graph that are one kernel together: mixtures of experts, and
// attentions of unlike requests.
type mixed struct {
	part []int32 // by operator: 1 + index in all of the kernel that it is a part of; 0: none
	all  []fused // kernels
}

// A fused is such a kernel: what all of its operators do is the work of one of them.
type fused struct {
	what         string // experts, attention or joined
	first        int    // operator that does the work
	ops          []int  // all of them
	cost         kernel.Cost
	macs, vector uint64
}

// mixedGraphs is how many graphs are remembered: a server makes one for each batch.
const mixedGraphs = 64

// mixture is the kernel of several operators that operator i of a share is a part of; nil: it is a
// kernel of its own.
func (c *record) mixture(s *work.Share, i int) *fused {
	if c.prof != nil || len(s.Graph.Ops) < 2 {
		return nil
	}
	m, ok := c.mixed[s.Graph]
	if !ok {
		if len(c.mixed) >= mixedGraphs || c.mixed == nil {
			c.mixed = map[*graph.Graph]*mixed{}
		}
		m = c.joined(s, c.batched(s, c.mix(s)))
		c.mixed[s.Graph] = m
	}
	if m == nil || m.part[i] == 0 {
		return nil
	}
	return &m.all[m.part[i]-1]
}

// mixedLayer is operator i, l, as a part of a kernel of several.
func (c *record) mixedLayer(g *graph.Graph, i int, l layer, f *fused) (layer, kernel.Cost) {
	if i != f.first {
		l.joined = f.what == "joined"
		l.kernel, l.macs, l.vector = f.what, 0, 0
		return l, kernel.Cost{}
	}
	l.macs, l.vector, l.peak = f.macs, f.vector, c.rate(typeOf(g, &g.Ops[i]))
	l.ideal = float64(l.macs) / l.peak
	l.kernel, l.bytes, l.tile, l.rounds = kernelName(&g.Ops[i], &f.cost, false), uint64(f.cost.Bytes), f.cost.Tile, f.cost.Rounds
	c.spend(&l, &f.cost)
	c.spent(&l, &f.cost, typeOf(g, &g.Ops[i]))
	return l, f.cost
}

// add appends a kernel of several operators; out is nil before the first.
func (out *mixed) add(all int, ops []int, f fused) *mixed {
	if out == nil {
		out = &mixed{part: make([]int32, all)}
	}
	out.all = append(out.all, f)
	for _, i := range ops {
		out.part[i] = int32(len(out.all))
	}
	return out
}

// mix finds the mixtures of experts of a share that the library has kernels for; nil: none.
func (c *record) mix(s *work.Share) *mixed {
	if c.lib == nil {
		return nil
	}
	var out *mixed
	carried := operatorsOf(s)
	for _, x := range s.Graph.Mixtures() {
		if !hasAll(carried, x.Ops) {
			continue
		}
		cost, ok := c.experts(s.Graph, &x)
		if !ok {
			c.unmeasured("experts", typeOf(s.Graph, &s.Graph.Ops[x.First]))
			continue
		}
		f := fused{what: "experts", first: x.First, ops: x.Ops, cost: cost}
		for _, i := range x.Ops {
			f.macs += uint64(s.Graph.Ops[i].MACs())
			f.vector += uint64(s.Graph.Ops[i].VectorOps())
		}
		out = out.add(len(s.Graph.Ops), x.Ops, f)
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

// operatorsOf are the operators that a share carries out, by number; nil: all.
func operatorsOf(s *work.Share) []bool {
	if s.Program.Jobs == nil {
		return nil
	}
	out := make([]bool, len(s.Graph.Ops))
	for i := range s.Program.Jobs {
		j := &s.Program.Jobs[i]
		out[j.Op] = true
		for _, op := range j.Fused {
			out[op] = true
		}
	}
	return out
}

// hasAll reports whether all of these operators are among those that a share carries out.
func hasAll(carried []bool, ops []int) bool {
	if carried == nil {
		return true
	}
	for _, op := range ops {
		if !carried[op] {
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
	p := library.Experts{Tokens: x.Tokens, Hidden: x.Hidden, Inter: x.Inter, Gated: x.Gated, Loads: x.Loads, Type: n.Type, Loop: c.looped(g)}
	if p.Loop && c.spec.L2 == internal && p.Held() <= float64(c.spec.L2Size) {
		p.Warm = 1
	}
	var macs, vector float64
	for _, i := range x.Ops {
		macs += float64(g.Ops[i].MACs())
		vector += float64(g.Ops[i].VectorOps())
	}
	ok := true
	cost := c.limited(d, macs, vector, func() (cost kernel.Cost) {
		m := c.machine(op.Kind, d)
		chip := c.chipOf(&m)
		cost, ok = c.lib.Experts(&chip, p)
		cost.Library = c.libraryName
		return c.launched(cost)
	})
	return cost, ok
}

// Mixes implements work.Mixer.
func (c *Comp) Mixes(g *graph.Graph, op int) bool {
	f := c.mixture(&work.Share{Graph: g}, op)
	return f != nil && f.what == "experts"
}
