package recipe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// adapter is the mark of the names of adapters.
const adapter = ".adapter"

// projections are the ends of the names of attention's products with weights.
var projections = []string{".q", ".k", ".v", ".qkv", ".o", ".proj"}

// Adapters adds adapters of low rank to the projections of attention, and returns the names of their
// weights: a product with few results of each operand, and a product of these whose result is added
// to that of each projection. Projections of one operand share the first. Weights of products of
// layers take the type stored, in which a step that does not train them keeps them. g is not changed.
//
// Source: Hu et al., LoRA, arXiv 2106.09685; NVIDIA, NeMo, adapters of linear_qkv and linear_proj.
//
// # Left out
//
// Dropout of the operand of an adapter.
func Adapters(g *graph.Graph, rank int, stored graph.DType) (*graph.Graph, map[string]bool, error) {
	out := *g
	out.Ops, out.Tensors = nil, slices.Clone(g.Tensors)
	trained := map[string]bool{}
	down := map[graph.TensorID]graph.TensorID{}
	weight := func(name string, d graph.DType, shape ...int) graph.TensorID {
		trained[name] = true
		return out.Add(graph.Tensor{Name: name, Shape: shape, DType: d, Role: graph.Weight})
	}
	like := func(name string, of graph.TensorID, last int) graph.TensorID {
		t := out.Tensor(of)
		shape := slices.Clone(t.Shape)
		shape[len(shape)-1] = last
		return out.Add(graph.Tensor{Name: name, Shape: shape, DType: t.DType})
	}
	for i := range g.Ops {
		op := g.Ops[i]
		k, ok := op.Kind.(graph.MatMul)
		if !ok || !Reads(&op) || g.Tensor(op.In[1]).Role != graph.Weight {
			out.Append(op)
			continue
		}
		d := g.Tensor(op.In[1]).DType
		out.Tensor(op.In[1]).DType = stored
		if !slices.ContainsFunc(projections, func(end string) bool { return strings.HasSuffix(op.Name, end) }) {
			out.Append(op)
			continue
		}
		name := op.Name + adapter
		a, ok := down[op.In[0]]
		if !ok {
			a = like(name+".down", op.In[0], rank)
			out.Append(graph.Op{Name: name + ".down", In: []graph.TensorID{op.In[0], weight(name+".down.weight", d, k.K, rank)}, Out: []graph.TensorID{a},
				Kind: graph.MatMul{Batch: k.Batch, M: k.M, N: rank, K: k.K, SharedB: k.SharedB}})
			down[op.In[0]] = a
		}
		last := out.Tensor(op.Out[0]).Shape
		b, base := like(name+".up", op.Out[0], last[len(last)-1]), like(op.Name+".base", op.Out[0], last[len(last)-1])
		to := op.Out[0]
		op.Out = []graph.TensorID{base}
		out.Append(op)
		out.Append(graph.Op{Name: name + ".up", In: []graph.TensorID{a, weight(name+".up.weight", d, rank, k.N)}, Out: []graph.TensorID{b},
			Kind: graph.MatMul{Batch: k.Batch, M: k.M, N: k.N, K: rank, SharedB: k.SharedB}})
		out.Append(graph.Op{Name: name + ".add", In: []graph.TensorID{base, b}, Out: []graph.TensorID{to}, Kind: graph.Elementwise{Func: "add", Elements: out.Tensor(to).Elements(), Inputs: 2, OpsPer: 1}})
	}
	if len(trained) == 0 {
		return nil, nil, fmt.Errorf("%s: has no projections of attention for adapters (want products named %s)", g.Name, strings.Join(projections, ", "))
	}
	return &out, trained, nil
}
