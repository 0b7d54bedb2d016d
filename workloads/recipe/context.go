package recipe

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// Halves divides each causal attention of a rank that has one of n parts of the tokens: a part is two
// runs of tokens, the i-th of 2n and the i-th from the end, so that all ranks see as many scores. The
// graph is that of rank 0, which has the first run and the last. Each run is an attention of its
// own, over the keys up to its last token. Attentions that do not divide are left as they are.
//
// Source: Grattafiori et al., The Llama 3 Herd of Models, arXiv 2407.21783, section 3.3.2.
func Halves(g *graph.Graph, n int) *graph.Graph {
	out := *g
	out.Ops, out.Tensors = nil, slices.Clone(g.Tensors)
	for i := range g.Ops {
		op := g.Ops[i]
		k, ok := op.Kind.(graph.Attention)
		if !ok || k.Mask != (masking.Mask{Causal: true}) || k.Queries%2 != 0 || k.Queries*n != k.Keys || k.Partial > 0 || k.Inside || len(op.In) > 3 {
			out.Ops = append(out.Ops, op)
			continue
		}
		like := func(id graph.TensorID, name string, tokens int) graph.TensorID {
			t := *out.Tensor(id)
			t.Name, t.Shape, t.Role = op.Name+name, slices.Clone(t.Shape), graph.Activation
			t.Shape[len(t.Shape)-2] = tokens
			return out.Add(t)
		}
		view := func(name, how string, in []graph.TensorID, to ...graph.TensorID) {
			out.Append(graph.Op{Name: op.Name + name, In: in, Out: to, Kind: graph.Move{Func: how}})
		}
		run := k.Queries / 2
		q := []graph.TensorID{like(op.In[0], ".first", run), like(op.In[0], ".last", run)}
		view(".runs", "split", op.In[:1], q...)
		first := []graph.TensorID{q[0]}
		for j, name := range []string{".keys", ".values"} {
			part := like(op.In[1+j], name, run)
			view(name, "slice", op.In[1+j:2+j], part)
			first = append(first, part)
		}
		results := []graph.TensorID{like(op.Out[0], ".of_first", run), like(op.Out[0], ".of_last", run)}
		a, b := k, k
		a.Queries, a.Keys, b.Queries = run, run, run
		out.Append(graph.Op{Name: op.Name + ".0", In: first, Out: results[:1], Kind: a})
		out.Append(graph.Op{Name: op.Name + ".1", In: []graph.TensorID{q[1], op.In[1], op.In[2]}, Out: results[1:], Kind: b})
		view(".together", "concat", results, op.Out...)
	}
	return &out
}
