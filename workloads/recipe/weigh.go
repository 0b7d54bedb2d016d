package recipe

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Weigh has experts weigh what they make of a token before their last product in place of after it, which is the
// same as that product is linear: w (W a) = W (w a). The weights of picks go to the experts with the tokens. The
// kernel of the activation multiplies by them, so that results of experts are added up as they come back, and
// need not be kept for the gradients of the weights. The bias of the last product is weighed by two kernels of
// its own. g is not changed.
//
// Source: Megatron-LM, megatron/core/transformer/moe/experts.py (TEGroupedMLP: weighted_bias_swiglu_impl,
// _apply_bias), Megatron-Core 0.14 and later.
func Weigh(g *graph.Graph) *graph.Graph {
	x := &weigh{g: g, maker: map[graph.TensorID]int{}, place: map[graph.TensorID]graph.TensorID{}, last: map[int]graph.TensorID{}, gate: map[int]graph.TensorID{}, after: map[int]mixture{}, gone: map[int]bool{}}
	for i := range g.Ops {
		for _, id := range g.Ops[i].Out {
			x.maker[id] = i
		}
	}
	x.out = roomy(g)
	for i := range g.Ops {
		x.find(i)
	}
	if len(x.after) == 0 {
		return g
	}
	for i := range g.Ops {
		x.add(i)
	}
	return x.out
}

// mixture is experts that weigh: the weights of all picks, and those that each expert gets.
type mixture struct {
	prefix  string
	weights graph.TensorID
	parts   []graph.TensorID
}

type weigh struct {
	g, out *graph.Graph
	maker  map[graph.TensorID]int
	place  map[graph.TensorID]graph.TensorID // what stands for a tensor
	last   map[int]graph.TensorID            // by last product of an expert: its weights
	gate   map[int]graph.TensorID            // by operator that makes its operand: the same
	after  map[int]mixture                   // by dispatch
	gone   map[int]bool
}

// find notes the mixture that operator i weighs, if it does.
func (x *weigh) find(i int) {
	op := &x.g.Ops[i]
	prefix, is := strings.CutSuffix(op.Name, "weight")
	k, ok := op.Kind.(graph.Elementwise)
	if !is || !ok || k.Func != "mul" || len(op.In) != 2 {
		return
	}
	c, known := x.maker[op.In[0]]
	collect := &x.g.Ops[c]
	if m, move := collect.Kind.(graph.Move); !known || !move || m.Func != "collect" || collect.Name != prefix+"collect" {
		return
	}
	d := slices.IndexFunc(x.g.Ops, func(o graph.Op) bool { return o.Name == prefix+"dispatch" })
	if d < 0 || len(x.g.Ops[d].Out) != len(collect.In) {
		return
	}
	var products, gates []int
	for _, id := range collect.In {
		p := x.maker[id]
		if m, product := x.g.Ops[p].Kind.(graph.MatMul); !product || m.Batch != 1 {
			return
		}
		a := x.maker[x.g.Ops[p].In[0]]
		if e, ok := x.g.Ops[a].Kind.(graph.Elementwise); !ok || e.Func != "mul" {
			return
		}
		products, gates = append(products, p), append(gates, a)
	}
	m := mixture{prefix: prefix, weights: op.In[1]}
	like := x.g.Tensor(op.In[1])
	for n, id := range x.g.Ops[d].Out {
		t := x.g.Tensor(id)
		w := x.out.Add(graph.Tensor{Name: strings.TrimSuffix(t.Name, "in") + "weights", Shape: []int{t.Shape[0], 1}, DType: like.DType})
		m.parts = append(m.parts, w)
		x.last[products[n]], x.gate[gates[n]] = w, w
	}
	x.after[d], x.gone[i] = m, true
	x.place[op.Out[0]] = op.In[0]
}

// add adds operator i, and what belongs to it.
func (x *weigh) add(i int) {
	if x.gone[i] {
		return
	}
	op := x.g.Ops[i]
	op.In = slices.Clone(op.In)
	for n, id := range op.In {
		if to, ok := x.place[id]; ok {
			op.In[n] = to
		}
	}
	if w, ok := x.gate[i]; ok {
		k := op.Kind.(graph.Elementwise)
		k.Inputs, k.OpsPer = k.Inputs+1, k.OpsPer+1
		op.Kind, op.In = k, append(op.In, w)
	}
	w, last := x.last[i]
	if last && len(op.In) > 2 && op.In[2] != graph.None {
		x.biased(op, w)
		return
	}
	x.out.Append(op)
	if m, ok := x.after[i]; ok {
		n := x.g.Tensor(m.weights).Elements()
		x.out.Append(graph.Op{Name: m.prefix + "weights", In: []graph.TensorID{m.weights}, Out: m.parts, Kind: graph.Move{Func: "weights", Elements: n}})
	}
}

// biased adds the last product of an expert without its bias, and the bias weighed.
func (x *weigh) biased(op graph.Op, w graph.TensorID) {
	t := *x.g.Tensor(op.Out[0])
	like := func(name string) graph.TensorID {
		return x.out.Add(graph.Tensor{Name: name, Shape: t.Shape, DType: t.DType})
	}
	product, bias := like(op.Name+".product"), like(op.Name+".weighed")
	n := x.g.Tensor(op.Out[0]).Elements()
	x.out.Append(graph.Op{Name: op.Name, In: op.In[:2:2], Out: []graph.TensorID{product}, Kind: op.Kind})
	x.out.Append(graph.Op{Name: op.Name + ".weighed", In: []graph.TensorID{op.In[2], w}, Out: []graph.TensorID{bias}, Kind: graph.Elementwise{Func: "mul", Elements: n, Inputs: 2, OpsPer: 1}})
	x.out.Append(graph.Op{Name: op.Name + ".biased", In: []graph.TensorID{product, bias}, Out: op.Out, Kind: graph.Elementwise{Func: "add", Elements: n, Inputs: 2, OpsPer: 1}})
}
