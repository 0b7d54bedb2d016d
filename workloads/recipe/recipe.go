// Package recipe makes the products of a step of training ones of few bits: it transforms graphs of
// workloads/parallel.
//
//	g, before = recipe.Apply(g, before, recipe.Recipe{Products: graph.FP8, Transposes: true})
//
// # Model
//
// All three products of a linear operator of a layer (forward, and the gradients of its operand and
// of its weight) read operands of the type Products and write results of the type that they had.
// Embedding, head, attention, norms and activations keep their types. Each operand is cast
// once in a step by a kernel of its own (operator cast), which writes a second copy for the product
// that sums over its rows, where matrix units read one order only (Transposes). The greatest magnitude
// that a scale follows from is that of steps before (delayed), or is found by reading the operand before
// (Current). A norm writes its result in both forms itself, but with Current, where it finds the
// greatest and a cast follows.
//
// Sources: Micikevicius et al., FP8 formats for deep learning, arXiv 2209.05433; NVIDIA, Transformer
// Engine, user guide (delayed and current scaling), and pytorch/csrc/extensions/normalization.cpp
// (FULLY_FUSED, FUSED_NORM_AMAX_FP8, FUSED_NORM_AMAX_NVFP4); NVIDIA, Pretraining large language models with
// NVFP4, arXiv 2509.25149 (scales of blocks of 16 and of the tensor, Hadamard transforms).
//
// # Left out
//
// Stochastic rounding and Hadamard transforms, which kernels do on the way, and layers at the ends of
// a model that keep their type.
package recipe

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Recipe is the types of the products of a step.
type Recipe struct {
	Products   graph.DType
	Transposes bool // matrix units read operands in one order only
	Current    bool // scales follow from the operand itself
	Weights    bool // weights come as Products already, as they are gathered
}

// Types are the types that products of a recipe have. Those of 16 bits need no casts.
var Types = []graph.DType{graph.BF16, graph.FP16, graph.FP8, graph.MXFP8, graph.NVFP4}

// Names are the names of Types.
func Names() (out []string) {
	for _, d := range Types {
		out = append(out, d.String())
	}
	return out
}

// castOps is the vector operations for each element of a cast: magnitude, maximum, product, rounding.
const castOps = 4

// Apply returns g with casts, and the pairs of operators before renumbered.
func Apply(g *graph.Graph, before [][2]int32, r Recipe) (*graph.Graph, [][2]int32) {
	x := &cast{Recipe: r, cast: map[graph.TensorID]graph.TensorID{}, maker: make([]graph.Kind, len(g.Tensors))}
	x.out = roomy(g)
	at := make([]int32, len(g.Ops))
	for i := range g.Ops {
		op := g.Ops[i]
		if Reads(&op) {
			k := op.Kind.(graph.MatMul)
			op.In = slices.Clone(op.In)
			for n := range 2 {
				op.In[n] = x.operand(op.In[n])
			}
			k.Quantised = true
			op.Kind = k
		}
		for _, id := range op.Out {
			if k, view := op.Kind.(graph.Move); view && k.Elements == 0 && len(op.In) == 1 {
				x.maker[id] = x.maker[op.In[0]]
			} else {
				x.maker[id] = op.Kind
			}
		}
		at[i] = int32(len(x.out.Ops))
		x.out.Append(op)
	}
	moved := make([][2]int32, len(before))
	for i, p := range before {
		moved[i] = [2]int32{at[p[0]], at[p[1]]}
	}
	return x.out, moved
}

// roomy is a graph with the tensors of g and no operators, with room for half as many again.
func roomy(g *graph.Graph) *graph.Graph {
	n := len(g.Tensors)
	return &graph.Graph{
		Name: g.Name, Symbols: g.Symbols, Notes: g.Notes,
		Tensors: append(make([]graph.Tensor, 0, n+n/2), g.Tensors...), Ops: make([]graph.Op, 0, len(g.Ops)+len(g.Ops)/2),
	}
}

// Reads reports whether an operator is a product of a layer, whose operands have the type of a recipe.
func Reads(op *graph.Op) bool {
	k, ok := op.Kind.(graph.MatMul)
	if !ok {
		return false
	}
	_, layer := graph.LayerOf(op.Name)
	return layer && k.Batch == 1 && !strings.Contains(op.Name, adapter)
}

type cast struct {
	Recipe
	out   *graph.Graph
	cast  map[graph.TensorID]graph.TensorID
	maker []graph.Kind // by tensor: what has made it
}

// operand is a tensor of the products' type with the contents of another.
func (x *cast) operand(id graph.TensorID) graph.TensorID {
	if q, ok := x.cast[id]; ok {
		return q
	}
	t := *x.out.Tensor(id)
	if t.DType == x.Products { // a frozen weight, of which the chip has both orders
		return id
	}
	name := strings.TrimSuffix(t.Name, "."+x.Products.String())
	q := graph.Tensor{Name: name + "." + x.Products.String(), Shape: t.Shape, DType: x.Products}
	to := x.out.Add(q)
	x.cast[id] = to
	_, normed := x.maker[id].(graph.Norm)
	gathered := false
	if k, ok := x.maker[id].(graph.Transfer); ok {
		gathered = x.Weights && k.Func == "all_gather" && strings.Contains(t.Name, ".whole")
	}
	if normed && !x.Current || gathered && !x.Transposes {
		x.out.Append(graph.Op{Name: q.Name + ".cast", In: []graph.TensorID{id}, Out: []graph.TensorID{to}, Kind: graph.Move{Func: "reshape"}})
		return to
	}
	if gathered { // the copy in the other order
		from := x.out.Add(graph.Tensor{Name: q.Name + ".gathered", Shape: t.Shape, DType: x.Products})
		x.out.Append(graph.Op{Name: q.Name + ".view", In: []graph.TensorID{id}, Out: []graph.TensorID{from}, Kind: graph.Move{Func: "reshape"}})
		x.out.Append(graph.Op{Name: q.Name + ".transpose", In: []graph.TensorID{from}, Out: []graph.TensorID{to}, Kind: graph.Move{Func: "transpose", Elements: t.Elements()}})
		return to
	}
	outs := []graph.TensorID{to}
	if x.Transposes {
		outs = append(outs, x.out.Add(graph.Tensor{Name: q.Name + ".transposed", Shape: t.Shape, DType: x.Products}))
	}
	in := []graph.TensorID{id}
	if x.Current && !normed {
		most := x.out.Add(graph.Tensor{Name: q.Name + ".most", Shape: []int{1}, DType: graph.FP32})
		x.out.Append(graph.Op{Name: q.Name + ".amax", In: in, Out: []graph.TensorID{most}, Kind: graph.Reduce{Func: "max", Elements: t.Elements(), Out: 1}})
		in = append(slices.Clone(in), most)
	}
	x.out.Append(graph.Op{Name: q.Name + ".cast", In: in, Out: outs, Kind: graph.Elementwise{Func: "cast", Elements: t.Elements(), Inputs: 1, OpsPer: castOps}})
	return to
}
