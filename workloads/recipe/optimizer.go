package recipe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// metrics adds cross entropies of the logits that a loss reads.
func (x *eager) metrics(op *graph.Op, k graph.Softmax) {
	elements := k.Rows * k.Cols
	for n := range x.Metrics {
		name := fmt.Sprintf("%s.metric%d", op.Name, n)
		wide := x.out.Add(graph.Tensor{Name: name + ".cast", Shape: x.out.Tensor(op.In[0]).Shape, DType: graph.FP32})
		at := x.append(name+".cast", graph.Elementwise{Func: "cast", Elements: elements, Inputs: 1, OpsPer: 1}, -1, []graph.TensorID{op.In[0]}, wide)
		most, sum := x.vector(name+".max", k.Rows, graph.FP32), x.vector(name+".sum", k.Rows, graph.FP32)
		at = x.append(name+".max", graph.Reduce{Func: "max", Elements: elements, Out: k.Rows}, at, []graph.TensorID{wide}, most)
		at = x.append(name+".sum", graph.Reduce{Func: "sum", Elements: elements, Out: k.Rows}, at, []graph.TensorID{wide}, sum)
		x.append(name, graph.Elementwise{Func: "sub", Elements: elements, Inputs: 1, OpsPer: 1}, at, []graph.TensorID{wide}, x.out.Add(graph.Tensor{Name: name, Shape: x.out.Tensor(wide).Shape, DType: graph.FP32}))
	}
}

// clip scales the gradients that the deferred operators update weights by, by the norm of all.
func (x *eager) clip(g *graph.Graph, deferred []int) {
	x.scaled = map[graph.TensorID]graph.TensorID{}
	var gradients, norms []graph.TensorID
	for _, i := range deferred {
		op := &g.Ops[i]
		if _, ok := op.Kind.(graph.Elementwise); !ok || x.late[op.In[0]] {
			continue
		}
		gradients = append(gradients, op.In[0])
		if t := x.out.Tensor(op.In[0]); t.DType != graph.FP32 { // that of the weights that are updated
			name, n := strings.TrimSuffix(t.Name, ".part")+".wide", t.Elements()
			wide := x.vector(name, n, graph.FP32)
			x.append(name, graph.Elementwise{Func: "cast", Elements: n, Inputs: 1, OpsPer: 1}, -1, []graph.TensorID{op.In[0]}, wide)
			x.scaled[op.In[0]] = wide
		}
	}
	if !x.Clip || len(gradients) == 0 {
		return
	}
	for _, id := range gradients {
		from := x.gradient(id)
		t := x.out.Tensor(from)
		name, n := t.Name+".norm", t.Elements()
		norms = append(norms, x.vector(name, 1, graph.FP32))
		x.append(name, graph.Reduce{Func: "sum", Elements: n, Out: 1}, -1, []graph.TensorID{from}, norms[len(norms)-1])
	}
	all := x.vector("gradients.norm", int64(len(norms)), graph.FP32)
	last := x.append("gradients.norm", graph.Move{Func: "concat", Elements: int64(len(norms))}, -1, norms, all)
	if r := widest(g); r.Count > 1 {
		sum := x.vector("gradients.norm.all", int64(len(norms)), graph.FP32)
		last = x.append("gradients.norm.all_reduce", graph.Transfer{Func: "all_reduce", Bytes: 4, Among: r}, -1, []graph.TensorID{all}, sum)
	}
	for _, id := range gradients {
		from := x.gradient(id)
		t := x.out.Tensor(from)
		name, n := t.Name+".clipped", t.Elements()
		to := x.vector(name, n, t.DType)
		at := int32(len(x.out.Ops))
		x.append(name, graph.Elementwise{Func: "mul", Elements: n, Inputs: 1, OpsPer: 1}, -1, []graph.TensorID{from}, to)
		x.before = append(x.before, [2]int32{at, last})
		x.scaled[id] = to
	}
}

// gradient is what stands in place of a gradient so far.
func (x *eager) gradient(id graph.TensorID) graph.TensorID {
	if to, ok := x.scaled[id]; ok {
		return to
	}
	return id
}

// widest is the largest group of ranks that adds gradients up.
func widest(g *graph.Graph) (r graph.Ranks) {
	for i := range g.Ops {
		op := &g.Ops[i]
		t, ok := op.Kind.(graph.Transfer)
		if ok && (t.Func == "reduce_scatter" || t.Func == "all_reduce") && t.Among.Count > r.Count && len(op.In) > 0 && op.In[0] != graph.None && g.Tensor(op.In[0]).Role == graph.Gradient {
			r = t.Among
		}
	}
	return r
}

// A line is a kernel of an optimiser: vector operations, and which of the gradient (0), the weights
// (1), the means (2, 3) and a temporary (4) it reads and writes.
type line struct {
	function string
	reads    []int
	writes   int
	ops      int
}

// lines of optimisers, without decay of weights, in fp32. Source: Composer,
// composer/optim/decoupled_weight_decay.py; PyTorch, torch/optim/sgd.py.
var lines = map[string][]line{
	"adam": {{"mul", []int{2}, 2, 1}, {"add", []int{2, 0}, 2, 2}, {"mul", []int{3}, 3, 1}, {"mul", []int{3, 0}, 3, 3},
		{"sqrt", []int{3}, 4, 4}, {"div", []int{4}, 4, 4}, {"add", []int{4}, 4, 1}, {"div", []int{1, 2, 4}, 1, 6}},
	"sgd": {{"mul", []int{2}, 2, 1}, {"add", []int{2, 0}, 2, 1}, {"add", []int{1, 2}, 1, 2}},
}

// update adds a deferred operator i; that of an optimiser line by line.
func (x *eager) update(i int, op *graph.Op) {
	k, ok := op.Kind.(graph.Elementwise)
	all, known := lines[k.Func]
	states := op.Out[1:]
	if !ok || !known || len(states) == 0 {
		x.at[i] = int32(len(x.out.Ops))
		x.out.Append(*op)
		return
	}
	slots := append([]graph.TensorID{x.gradient(op.In[0])}, states...)
	if len(slots) == all[0].reads[0]+1 { // weights in fp32 are no state; what stands for them has as many bytes
		slots = slices.Insert(slots, 1, slots[1])
	}
	at := int32(-1)
	for n, l := range all {
		name := fmt.Sprintf("%s.%d.%s", op.Name, n, l.function)
		var in []graph.TensorID
		for _, s := range l.reads {
			in = append(in, slots[s])
		}
		if l.writes == 4 {
			slots = append(slots[:4:4], x.vector(name, k.Elements, graph.FP32))
		}
		at = x.append(name, graph.Elementwise{Func: l.function, Elements: k.Elements, Inputs: len(in), OpsPer: l.ops}, at, in, slots[l.writes])
		if n == 0 {
			x.at[i] = at
		}
	}
	x.append(op.Name, graph.Elementwise{Func: "cast", Elements: k.Elements, Inputs: 1, OpsPer: 1}, at, []graph.TensorID{slots[1]}, op.Out[0])
}
