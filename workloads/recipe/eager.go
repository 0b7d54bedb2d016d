package recipe

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Eager adds the kernels that PyTorch launches one by one around the operators of a step of
// training, with fully sharded data parallelism (FSDP) where gradients are scattered in each
// microbatch:
//
//   - The gradient of a tensor that was split is a copy of those of its parts.
//   - FSDP copies gradients of weights, which have the type of the weights, into one flat buffer,
//     casts that to the type of the reduction, and divides it before it is reduced.
//   - Each line of the optimiser is a kernel over the share of a rank, and a cast of the weights
//     is the last.
//   - Clip: gradients are read for their norm, which all ranks add up, and scaled.
//   - Metrics: so many cross entropies besides the loss, of logits in fp32: a cast, and a softmax
//     in three passes.
//
// Sources: PyTorch 2.0, torch/distributed/fsdp/_runtime_utils.py (_post_backward_hook),
// aten/src/ATen/native/cuda/SoftMax.cu; Composer, composer/optim/decoupled_weight_decay.py,
// composer/metrics/nlp.py (LanguageCrossEntropy), composer/algorithms/gradient_clipping.
//
// # Left out
//
// The second stream, on which casts and divisions of FSDP run beside the pass back: kernels of
// products leave no room on an SM beside them, so that both take turns.
type Eager struct {
	Clip    bool
	Metrics int
}

// Apply returns g with these kernels, and the pairs of operators before renumbered.
func (e Eager) Apply(g *graph.Graph, before [][2]int32) (*graph.Graph, [][2]int32) {
	x := &eager{Eager: e, at: make([]int32, len(g.Ops)), after: map[int][]flat{}, input: map[int]graph.TensorID{}, late: map[graph.TensorID]bool{}}
	x.out = roomy(g)
	x.buffers(g)
	var deferred []int
	for i := range g.Ops {
		op := &g.Ops[i]
		if x.waits(op) {
			deferred = append(deferred, i)
			continue
		}
		x.add(i, op)
	}
	x.clip(g, deferred)
	for _, i := range deferred {
		x.update(i, &g.Ops[i])
	}
	for _, p := range before {
		x.before = append(x.before, [2]int32{x.at[p[0]], x.at[p[1]]})
	}
	return x.out, x.before
}

// eager is one Apply.
type eager struct {
	Eager
	out    *graph.Graph
	before [][2]int32
	at     []int32                // by operator of the step: where it is now
	after  map[int][]flat         // by operator: buffers that are filled after it
	input  map[int]graph.TensorID // by transfer: its buffer
	late   map[graph.TensorID]bool
	scaled map[graph.TensorID]graph.TensorID // clipped gradients
}

// A flat is the gradients of a bucket, which one transfer adds up.
type flat struct {
	transfer int
	in       []graph.TensorID
	elements int64
	reduced  graph.DType // in which the transfer adds up
	name     string
}

// buffers finds the gradients that are scattered, the operator that makes the last of each bucket,
// and gives gradients of weights the type of the weights.
func (x *eager) buffers(g *graph.Graph) {
	made := map[graph.TensorID]int{}
	types := map[string]graph.DType{}
	for i := range g.Tensors {
		if t := &g.Tensors[i]; t.Role == graph.Weight {
			types[t.Name+".gradient"] = t.DType
		}
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		if t, ok := op.Kind.(graph.Transfer); ok && t.Func == "reduce_scatter" && x.gradients(g, op) {
			last, f := 0, flat{transfer: i, in: op.In, reduced: g.Tensor(op.Out[0]).DType, name: strings.Replace(op.Name, ".reduce_scatter", "", 1)}
			for _, id := range op.In {
				last = max(last, made[id])
				f.elements += g.Tensor(id).Elements()
				if d, ok := types[g.Tensor(id).Name]; ok {
					x.out.Tensor(id).DType = d
				}
			}
			x.after[last] = append(x.after[last], f)
		}
		for _, id := range op.Out {
			made[id] = i
		}
	}
}

// gradients reports whether an operator reads gradients of weights alone.
func (x *eager) gradients(g *graph.Graph, op *graph.Op) bool {
	return !slices.ContainsFunc(op.In, func(id graph.TensorID) bool { return id == graph.None || g.Tensor(id).Role != graph.Gradient })
}

// waits reports whether an operator updates weights, or reads what such an operator makes.
func (x *eager) waits(op *graph.Op) bool {
	k, ok := op.Kind.(graph.Elementwise)
	late := ok && (k.Func == "adam" || k.Func == "sgd") || slices.ContainsFunc(op.In, func(id graph.TensorID) bool { return x.late[id] })
	if late && len(op.Out) > 0 {
		x.late[op.Out[0]] = true
	}
	return late
}

// append adds an operator, after another one where that is not -1.
func (x *eager) append(name string, k graph.Kind, after int32, in []graph.TensorID, out ...graph.TensorID) int32 {
	n := int32(len(x.out.Ops))
	x.out.Append(graph.Op{Name: name, In: in, Out: out, Kind: k})
	if after >= 0 {
		x.before = append(x.before, [2]int32{n, after})
	}
	return n
}

// vector adds a tensor of one dimension.
func (x *eager) vector(name string, elements int64, d graph.DType) graph.TensorID {
	return x.out.Add(graph.Tensor{Name: name, Shape: []int{int(elements)}, DType: d})
}

// add adds operator i of the step, and what follows it.
func (x *eager) add(i int, op *graph.Op) {
	to := *op
	if k, ok := op.Kind.(graph.Move); ok && k.Func == "concat" && k.Elements == 0 && len(op.In) > 1 {
		k.Elements = x.out.Tensor(op.Out[0]).Elements()
		to.Kind = k
	}
	if id, ok := x.input[i]; ok {
		to.In = append([]graph.TensorID{id}, op.In...) // gradients stay those of the transfer
	}
	x.at[i] = int32(len(x.out.Ops))
	x.out.Append(to)
	if k, ok := op.Kind.(graph.Softmax); ok && strings.Contains(op.Name, ".loss") {
		x.metrics(op, k)
	}
	for _, f := range x.after[i] {
		x.fill(f)
	}
}

// fill copies the gradients of a bucket into its buffer.
func (x *eager) fill(f flat) {
	of := x.out.Tensor(f.in[0]).DType
	id := x.vector(f.name+".flat", f.elements, of)
	x.append(f.name+".flat", graph.Move{Func: "concat", Elements: f.elements}, -1, f.in, id)
	t := f.reduced
	if of != t {
		cast := x.vector(f.name+".cast", f.elements, t)
		x.append(f.name+".cast", graph.Elementwise{Func: "cast", Elements: f.elements, Inputs: 1, OpsPer: 1}, -1, []graph.TensorID{id}, cast)
		id = cast
	}
	to := x.vector(f.name+".mean", f.elements, t)
	x.append(f.name+".div", graph.Elementwise{Func: "mul", Elements: f.elements, Inputs: 1, OpsPer: 1}, -1, []graph.TensorID{id}, to)
	x.input[f.transfer] = to
}
