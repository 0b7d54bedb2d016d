package recipe

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Megatron adds the kernels of Megatron-Core's distributed optimiser to a step whose replicas share
// out its states:
//
//   - All gradients lie in one buffer, which is zeroed before the step. Every other kernel waits for that.
//   - Once all gradients are reduced, the share of a rank is copied to fp32.
//   - Its norm is found, and added up by all ranks. With Clip the share is scaled by it.
//   - The optimiser changes weights in fp32 in one kernel. Another casts them to the type of the model.
//   - Scaled: the greatest of each weight is found before, and agreed upon by the ranks that share it.
//   - The host reads the norm, launches the optimiser, and calls PyTorch for each weight and each share of one (calls),
//     before the chip goes on.
//
// Sources: Megatron-LM, megatron/core/distributed/param_and_grad_buffer.py (reset),
// megatron/core/optimizer/{distrib_optimizer,clip_grads}.py; NeMo 2, MegatronStrategy.training_step
// (zeroes before each step); Transformer Engine 2.8, pytorch/tensor/utils.py
// (cast_master_weights_to_fp8).
//
// # Left out
//
// Samples that are loaded, the launch of the next graph, hooks of the trainer.
type Megatron struct {
	Clip   bool
	Scaled bool
	Cast   bool // weights of layers are gathered in the type of products
}

// Apply returns g with these kernels, and the pairs of operators before renumbered.
func (m Megatron) Apply(g *graph.Graph, before [][2]int32) (*graph.Graph, [][2]int32) {
	x := &megatron{Megatron: m, eager: eager{at: make([]int32, len(g.Ops)), scaled: map[graph.TensorID]graph.TensorID{}}}
	x.out = roomy(g)
	x.zero(g)
	var updates []int
	for i := range g.Ops {
		if adam(&g.Ops[i]) {
			updates = append(updates, i)
			continue
		}
		x.at[i] = int32(len(x.out.Ops))
		x.out.Append(g.Ops[i])
	}
	x.wait(g, before)
	x.update(g, updates)
	for _, p := range before {
		x.before = append(x.before, [2]int32{x.at[p[0]], x.at[p[1]]})
	}
	return x.out, x.before
}

// megatron is one Apply.
type megatron struct {
	Megatron
	eager
}

// adam reports whether an operator is an update of weights.
func adam(op *graph.Op) bool {
	k, ok := op.Kind.(graph.Elementwise)
	_, known := lines[k.Func]
	return ok && known && len(op.Out) > 1
}

// zero zeroes the gradients that are reduced.
func (x *megatron) zero(g *graph.Graph) {
	var n int64
	var of graph.DType
	for i := range g.Tensors {
		if t := &g.Tensors[i]; t.Role == graph.Gradient {
			n += t.Elements()
			of = t.DType
		}
	}
	if n > 0 {
		value := x.out.Add(graph.Tensor{Name: "gradients.value", Shape: []int{1}, DType: of, Role: graph.Input})
		x.append("gradients.zero", graph.Move{Func: "fill", Elements: n}, -1, []graph.TensorID{value}, x.vector("gradients.zero", n, of))
	}
}

// wait has operators that wait for no other one wait for the zeroed buffer.
func (x *megatron) wait(g *graph.Graph, before [][2]int32) {
	if len(x.out.Ops) == 0 || x.out.Ops[0].Name != "gradients.zero" {
		return
	}
	made, waits := make([]bool, len(g.Tensors)), make([]bool, len(g.Ops))
	for _, p := range before {
		waits[p[0]] = true
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		root := !waits[i] && !adam(op)
		for _, id := range op.In {
			root = root && (id == graph.None || !made[id])
		}
		if root {
			x.before = append(x.before, [2]int32{x.at[i], 0})
		}
		for _, id := range op.Out {
			made[id] = true
		}
	}
}

// update adds the kernels that follow the pass back.
func (x *megatron) update(g *graph.Graph, updates []int) {
	if len(updates) == 0 {
		return
	}
	var norms []graph.TensorID
	first := int32(-1) // after all gradients are reduced
	for _, i := range updates {
		op := &g.Ops[i]
		from := op.In[0]
		n := x.out.Tensor(from).Elements()
		at := int32(len(x.out.Ops))
		if x.out.Tensor(from).DType != graph.FP32 {
			wide := x.vector(op.Name+".wide", n, graph.FP32)
			x.append(op.Name+".wide", graph.Elementwise{Func: "cast", Elements: n, Inputs: 1, OpsPer: 1}, first, []graph.TensorID{from}, wide)
			x.scaled[from], from = wide, wide
		}
		norms = append(norms, x.vector(op.Name+".norm", 1, graph.FP32))
		x.append(op.Name+".norm", graph.Reduce{Func: "sum", Elements: n, Out: 1}, first, []graph.TensorID{from}, norms[len(norms)-1])
		if x.at[i] = at; first < 0 {
			first = at
			x.reduced(g, at)
		}
	}
	among := widest(g)
	last := x.agree("gradients.norm", norms, 4, among)
	last = x.append("gradients.read", graph.Move{Func: graph.HostReads, Elements: 1}, last, norms[:1], x.vector("gradients.read", 1, graph.FP32))
	if x.Clip {
		for _, i := range updates {
			id := g.Ops[i].In[0]
			from := x.gradient(id)
			n := x.out.Tensor(from).Elements()
			to := x.vector(g.Ops[i].Name+".clipped", n, graph.FP32)
			x.append(g.Ops[i].Name+".clipped", graph.Elementwise{Func: "mul", Elements: n, Inputs: 1, OpsPer: 1}, last, []graph.TensorID{from}, to)
			x.scaled[id] = to
		}
	}
	x.weights(g, updates, last, among)
}

// weights adds the optimiser and casts of weights, after an operator.
func (x *megatron) weights(g *graph.Graph, updates []int, last int32, among graph.Ranks) {
	var greatest []graph.TensorID
	count := 0
	for _, i := range updates {
		op := &g.Ops[i]
		k := op.Kind.(graph.Elementwise)
		in := slices.Clone(op.In)
		in[0] = x.gradient(in[0])
		at := x.append(op.Name, k, last, in, op.Out[1:]...)
		if x.Scaled {
			n := k.Elements
			greatest = append(greatest, x.vector(op.Name+".greatest", 1, graph.FP32))
			x.append(op.Name+".greatest", graph.Reduce{Func: "max", Elements: n, Out: 1}, at, []graph.TensorID{op.Out[1]}, greatest[len(greatest)-1])
		}
	}
	for i := range g.Tensors {
		if t := &g.Tensors[i]; t.Role == graph.Gradient {
			count++
		}
	}
	n := x.calls(g, updates)
	last = x.append("gradients.host", graph.Move{Func: graph.HostCalls, Elements: n}, int32(len(x.out.Ops))-1, g.Ops[updates[0]].Out[1:2], x.vector("gradients.host", n, graph.FP32))
	if x.Scaled {
		last = x.agree("weights.greatest", greatest, 4*int64(count), among)
	}
	for _, i := range updates {
		op := &g.Ops[i]
		n := op.Kind.(graph.Elementwise).Elements
		x.append(op.Name+".cast", graph.Elementwise{Func: "cast", Elements: n, Inputs: 1, OpsPer: 1}, last, []graph.TensorID{op.Out[1]}, op.Out[0])
	}
}

// reduced has an operator wait for all gradients.
func (x *megatron) reduced(g *graph.Graph, at int32) {
	for i := range g.Ops {
		op := &g.Ops[i]
		if t, ok := op.Kind.(graph.Transfer); ok && strings.HasPrefix(op.Name, "gradients") && (t.Func == "reduce_scatter" || t.Func == "all_reduce") {
			x.before = append(x.before, [2]int32{at, x.at[i]})
		}
	}
}

// agree has ranks agree on values of each bucket. It returns the last operator of it.
func (x *megatron) agree(name string, of []graph.TensorID, bytes int64, among graph.Ranks) int32 {
	all := x.vector(name, int64(len(of)), graph.FP32)
	last := x.append(name, graph.Move{Func: "concat", Elements: int64(len(of))}, -1, of, all)
	if among.Count > 1 {
		to := x.vector(name+".all", int64(len(of)), graph.FP32)
		last = x.append(fmt.Sprintf("%s.all_reduce", name), graph.Transfer{Func: "all_reduce", Bytes: bytes, Among: among}, -1, []graph.TensorID{all}, to)
	}
	return last
}

// Calls of PyTorch on the way from main weights to those of the model, by their sources: of a weight of
// which a rank has a share, and of each weight in fp8, whatever it has of it.
const (
	callsOfShare   = 3 // view, slice, copy
	callsOfCast    = 6 // to 16 bits, greatest (or a view), reshape, slice, new tensor, quantise
	callsOfCurrent = 3 // of each: slice of the greatest, views of the scale and its inverse
	callsOfDelayed = 7 // of each: views of the greatest, the scale and its inverse, items of two lists and their views
)

// calls is how many calls the host makes for all weights in the mean of the ranks. One weight is made of
// all whose products read one operand (queries, keys and values; gate and up), and counts with the first
// bucket that has a part of it. Of n weights in a bucket a rank of r has (r + n - 1) / r.
func (x *megatron) calls(g *graph.Graph, updates []int) int64 {
	weight, narrow := weightsOf(g)
	maker := map[graph.TensorID]int{}
	for i := range g.Ops {
		for _, id := range g.Ops[i].Out {
			maker[id] = i
		}
	}
	each := callsOfDelayed
	if x.Scaled {
		each = callsOfCurrent
	}
	sum, seen := 0.0, map[graph.TensorID]bool{}
	for _, i := range updates {
		reduced := &g.Ops[maker[g.Ops[i].In[0]]]
		others, cast := 0, 0
		for _, id := range reduced.In {
			w, ok := weight[id]
			if !ok || seen[w] {
				continue
			}
			if seen[w] = true; x.Cast && narrow[w] {
				cast++
			} else {
				others++
			}
		}
		ranks := 1
		if t, ok := reduced.Kind.(graph.Transfer); ok {
			ranks = t.Among.Count
		}
		of := func(n int) float64 { return float64(min(n, 1)*(ranks+n-1)) / float64(ranks) }
		sum += callsOfShare*of(others) + callsOfCast*of(cast) + float64(each*cast)
	}
	return int64(math.Round(sum))
}

// weightsOf gives each gradient the weight that it belongs to, named by the operand of the product that makes it
// or by itself, and says which of them are of products of layers.
func weightsOf(g *graph.Graph) (weight map[graph.TensorID]graph.TensorID, narrow map[graph.TensorID]bool) {
	weight, narrow = map[graph.TensorID]graph.TensorID{}, map[graph.TensorID]bool{}
	for i := range g.Ops {
		op := &g.Ops[i]
		for _, id := range op.Out {
			if _, seen := weight[id]; seen || id == graph.None || g.Tensor(id).Role != graph.Gradient {
				continue
			}
			weight[id] = id
			if Reads(op) {
				weight[id] = op.In[0]
				narrow[op.In[0]] = true
			}
		}
	}
	return weight, narrow
}
