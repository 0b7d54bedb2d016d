package served

import (
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// kernels is the times of operators that are parts of one kernel, by their indices: the kernel's at
// one of them, and none at the others. The replica has one of so many shares of the experts.
func kernels(p work.Pricer, g *graph.Graph, shares int) map[int]work.Cost {
	out := map[int]work.Cost{}
	if j, ok := p.(work.Joiner); ok {
		for i := range g.Ops {
			if j.Joins(g, i) {
				out[i] = p.Price(g, i)
			}
		}
	}
	maps.Copy(out, mixed(p, g, shares))
	return out
}

// mixed is kernels of mixtures of experts alone.
func mixed(p work.Pricer, g *graph.Graph, shares int) map[int]work.Cost {
	m, ok := p.(work.Mixer)
	if !ok {
		return nil
	}
	out := map[int]work.Cost{}
	for _, x := range g.Mixtures() {
		if !m.Mixes(g, x.First) {
			continue
		}
		for _, i := range x.Ops {
			out[i] = work.Cost{}
		}
		h := g
		if shares > 1 {
			h = fewer(g, &x, shares)
		}
		out[x.First] = p.Price(h, x.First)
	}
	return out
}

// fewer is a graph whose mixture x has the first of so many shares of its experts with tokens.
func fewer(g *graph.Graph, x *graph.Mixture, shares int) *graph.Graph {
	out := *g
	out.Ops = slices.Clone(g.Ops)
	start := &out.Ops[x.Ops[0]]
	all := start.Out
	start.Out = all[:(len(all)+shares-1)/shares]
	for _, i := range slices.Backward(x.Ops) {
		if op := &g.Ops[i]; slices.ContainsFunc(all[len(start.Out):], func(id graph.TensorID) bool {
			return strings.HasPrefix(op.Name, strings.TrimSuffix(g.Tensor(id).Name, "in"))
		}) {
			out.Ops = slices.Delete(out.Ops, i, i+1)
		}
	}
	return &out
}
