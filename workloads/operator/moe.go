package operator

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// moeSizes are those of a mixture of experts.
func moeSizes() []size {
	return append(need("tokens", "hidden", "inter", "top_k", "experts"), may("expert_parallel", 1), may("tensor_parallel", 1), may(distribution, 0), may("gated", 1))
}

// checkMoE returns the error of a mixture of experts.
func (r *Row) checkMoE(f form) (out []fault) {
	get := func(name string) int { return r.get(f, name) }
	for _, x := range [][3]string{{"experts", "expert_parallel"}, {"inter", "tensor_parallel"}} {
		if n, ranks := get(x[0]), get(x[1]); n%ranks != 0 {
			out = append(out, fault{x[1], fmt.Sprintf("%d %s do not divide by %d", n, x[0], ranks), nil})
		}
	}
	if k, n := get("top_k"), get("experts"); k > n {
		out = append(out, fault{"top_k", fmt.Sprintf("a token picks %d of %d experts", k, n), nil})
	}
	if n := get("experts"); n > maxExperts {
		out = append(out, fault{"experts", fmt.Sprintf("experts is %d (want at most %d)", n, maxExperts), nil})
	}
	return out
}

const maxExperts = 1 << 12

// buildMoE is the experts that one rank has, of the tokens that pick them: sent there, the
// products of each, and the sum of their results by token. Experts with as many tokens are
// products of one batch. The router comes before.
func buildMoE(b *graph.Builder, name string, get func(string) int) {
	tokens, hidden, active := get("tokens"), get("hidden"), get("top_k")
	inter := get("inter") / get("tensor_parallel")
	n := loads(tokens, active, get("experts"), get("expert_parallel"), get(distribution))
	slices.SortFunc(n, func(a, b int) int { return b - a })
	var groups []graph.Load
	picks := 0
	for _, load := range n {
		if picks += load; load == 0 {
			break
		}
		if last := len(groups) - 1; last >= 0 && groups[last].Tokens == load {
			groups[last].Experts++
			continue
		}
		groups = append(groups, graph.Load{Tokens: load, Experts: 1})
	}
	x, weights := b.Input(name+".x", tokens, hidden), b.Input(name+".weights", picks, 1)
	p := name + Part
	in, out := make([]graph.TensorID, len(groups)), make([]graph.TensorID, len(groups))
	for i, g := range groups {
		in[i] = b.Tensor(fmt.Sprintf("%sE%d.in", p, i), graph.Activation, g.Experts, g.Tokens, hidden)
	}
	b.Into(p+"dispatch", graph.Move{Func: "dispatch", Elements: int64(picks) * int64(hidden)}, []graph.TensorID{x, weights}, in...)
	for i, g := range groups {
		out[i] = expertsOf(b, fmt.Sprintf("%sE%d.", p, i), in[i], g, hidden, inter, get("gated") > 0)
	}
	all := b.Tensor(p+"collect", graph.Activation, picks, hidden)
	b.Into(p+"collect", graph.Move{Func: "collect", Elements: int64(picks) * int64(hidden)}, out, all)
	all = b.Mul(p+"weight", all, weights)
	b.Output(b.Reduce(p+"combine", "sum", all, tokens, hidden))
}

// expertsOf is experts with equally many tokens each.
func expertsOf(b *graph.Builder, p string, x graph.TensorID, g graph.Load, hidden, inter int, gated bool) graph.TensorID {
	product := func(name string, x graph.TensorID, n, k int) graph.TensorID {
		return b.MatMul(p+name, x, b.Weight(p+name+".weight", g.Experts, k, n), graph.MatMul{Batch: g.Experts, M: g.Tokens, N: n, K: k}, g.Experts, g.Tokens, n)
	}
	y := product("up", x, inter, hidden)
	if gated {
		y = b.Mul(p+"mul", b.Elementwise(p+"silu", "silu", product("gate", x, inter, hidden)), y)
	} else {
		y = b.Elementwise(p+"relu", "relu", y)
	}
	return product("down", y, hidden, inter)
}
