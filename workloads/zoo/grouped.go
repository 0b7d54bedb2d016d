package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

// grouped is attention of several groups of requests, each with caches of its own:
// queries, keys and values of a group are parts of those of all tokens, and the results
// stand one after the other again. What precedes and follows it is one product for all.
func (d Decoder) grouped(b *graph.Builder, layer int, p string, h heads, groups []Group, q, k, v graph.TensorID) graph.TensorID {
	parts := func(name string, x graph.TensorID, n, size int) []graph.TensorID {
		out := make([]graph.TensorID, len(groups))
		for i, g := range groups {
			out[i] = b.Tensor(p+"g"+number(i)+"."+name, graph.Activation, g.Requests, n, g.Tokens, size)
		}
		b.Into(p+name+".groups", graph.Move{Func: "split"}, []graph.TensorID{x}, out...)
		return out
	}
	qs, ks, vs := parts("q", q, h.n, h.size), parts("k", k, h.kv, h.size), parts("v", v, h.kv, h.values())
	sums := make([]graph.TensorID, len(groups))
	for i, g := range groups {
		name := p + "g" + number(i) + "."
		one := heads{g.Requests, g.Tokens, d.keys(layer, Params{Sequence: g.Tokens, Context: g.Context}), h.n, h.kv, h.size, h.mask, h.value, h.limit}
		kc, vc := one.cache(b, name+"k_cache", ks[i]), one.cache(b, name+"v_cache", vs[i])
		sums[i] = one.attendWith(b, name, qs[i], kc, vc, d.scores)
	}
	all := b.Tensor(p+"merge", graph.Activation, h.batch, h.queries, h.n*h.values())
	b.Into(p+"merge", graph.Move{Func: "concat"}, sums, all)
	return all
}
