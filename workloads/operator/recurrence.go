package operator

import "github.com/causeway-sim/causeway/workloads/graph"

// Operators that go through the tokens of sequences in order. A layer of such a model has
// causal_conv1d before them, and its projections around them.
func init() {
	forms["causal_conv1d"] = form{"causal convolution of each of channels over kernel tokens of batch sequences of sequence tokens (1: a token more of each)",
		append(need("channels"), may("batch", 1), may("sequence", 1), may("kernel", 4)), buildCausalConv}
	forms["mamba2"] = form{"state-space scan (Mamba-2) of batch sequences of sequence tokens: heads of head_dim, with a state of head_dim x state, groups of them share keys and queries",
		append(need("heads"), may("batch", 1), may("sequence", 1), may("head_dim", 64), may("state", 128), may("groups", 8)), buildScan("state_space")}
	forms["delta"] = form{"gated delta rule of batch sequences of sequence tokens: heads of head_dim, with a state of head_dim x state, groups of them share keys and queries",
		append(need("heads"), may("batch", 1), may("sequence", 1), may("head_dim", 128), may("state", 128), may("groups", 16)), buildScan("delta_rule")}
}

func buildCausalConv(b *graph.Builder, name string, get func(string) int) {
	n, s, c, taps := get("batch"), get("sequence"), get("channels"), get("kernel")
	k := graph.Recurrence{Func: "causal_conv1d", Batch: n, Sequence: s, Heads: c, Size: 1, State: taps}
	state := b.Cache(name+".state", n, c, taps)
	y := b.Tensor(name, graph.Output, n, s, c)
	b.Into(name, k, []graph.TensorID{b.Input(name+".x", n, s, c), state, b.Weight(name+".weight", c, taps)}, y, b.Tensor(name+".next", graph.Output, n, c, taps))
}

func buildScan(fn string) func(*graph.Builder, string, func(string) int) {
	return func(b *graph.Builder, name string, get func(string) int) {
		n, s, heads, size, states, groups := get("batch"), get("sequence"), get("heads"), get("head_dim"), get("state"), get("groups")
		if heads%groups != 0 {
			b.Errorf("%d heads in %d groups (want a multiple)", heads, groups)
			return
		}
		k := graph.Recurrence{Func: fn, Batch: n, Sequence: s, Heads: heads, Size: size, State: states}
		state := b.Cache(name+".states", n, heads, size, states)
		y := b.Tensor(name, graph.Output, n, s, heads, size)
		in := []graph.TensorID{b.Input(name+".x", n, s, heads, size), state, b.Input(name+".keys", n, s, groups, 2*states), b.Input(name+".gates", n, s, heads, 2)}
		b.Into(name, k, in, y, b.Tensor(name+".next", graph.Output, n, heads, size, states))
	}
}
