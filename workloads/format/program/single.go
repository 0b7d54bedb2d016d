package program

import (
	"math/bits"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// single emits an instruction without a group.
func (e *emitter) single(i *Inst) error {
	out := i.out[0]
	elem := out.written()
	switch op := i.Op.(type) {
	case Convert, Reshape, Broadcast, Transpose, Slice:
		e.moving(i)
	case Map:
		e.elementwise(e.name(op.Fn, i.Name), op.Fn, opsOf(op.Fn), slices.Clone(i.in), out)
	case Dot:
		e.dot(i, op, nil, elem)
	case Conv:
		return e.conv(i, op, nil, elem)
	case Window:
		return e.window(i, op, elem)
	case Reduce:
		e.reduce(i, op, elem)
	case Gather:
		e.gather(i, op, elem)
	case Scatter:
		e.update(i, i.in[2], out.Elements(), "scatter")
	case DynamicUpdate:
		e.update(i, i.in[1], i.in[1].Elements(), "update")
	case DynamicSlice:
		e.slice(i, 0)
	case Concat, Pad, Reverse, Copy:
		e.copied(i)
	case Softmax:
		cols := int64(out.Shape[op.Dim])
		e.rowwise(e.name("softmax", i.Name), graph.Softmax{Rows: out.Elements() / cols, Cols: cols}, i.in[0], nil, out)
	case Norm:
		e.norm(i, op)
	case Attention:
		e.attention(i, op)
	case Sort:
		e.sort(i, op)
	case Random:
		e.random(i)
	default:
		return i.fault("an operation without a rule") // a literal is a constant
	}
	return nil
}

// copied emits a move of all elements of each result.
func (e *emitter) copied(i *Inst) {
	switch op := i.Op.(type) {
	case Concat:
		var in []graph.TensorID
		for _, v := range i.in {
			in = append(in, e.any(v))
		}
		e.move(i, "concat", in...)
	case Pad:
		e.move(i, "pad", e.any(i.in[0]))
	case Reverse:
		e.move(i, "reverse", e.any(i.in[0]))
	case Copy:
		for n, v := range i.in {
			t := e.fresh(i.out[n], i.out[n].Shape)
			e.b.Into(e.name(op.Fn, i.Name), graph.Move{Func: op.Fn, Elements: i.out[n].Elements()}, []graph.TensorID{e.any(v)}, e.id(t))
			i.out[n].view = direct(t)
		}
	}
}

// moving makes the view that an instruction is, or the operator that it needs.
func (e *emitter) moving(i *Inst) {
	out := i.out[0]
	if out.view = e.viewOf(i); out.view != nil {
		return
	}
	x := i.in[0]
	switch op := i.Op.(type) {
	case Slice:
		from, step := 0, strides(x.Shape)
		for d, s := range op.Start {
			from += s * step[d]
		}
		e.slice(i, int64(from))
	default: // a reshape
		if !x.view.whole(x.Shape) {
			x = &Value{Name: x.Name, Type: x.Type, view: direct(&tensor{name: x.Name, shape: x.Shape, elem: x.view.t.elem, id: e.all(x, x.Shape)})}
		}
		out.view = direct(e.another(x.view.t, out.Shape))
	}
}

// slice is a part of an array as a view.
func (e *emitter) slice(i *Inst, from int64) {
	out, x := i.out[0], i.in[0]
	if n, ok := i.first(1); ok && layer(x.view.t, out.Shape, n) && slices.Equal(out.Shape[1:], x.Shape[1:]) && len(x.view.axes) == len(x.view.t.shape) {
		out.view = direct(x.view.t.part(n))
		return
	}
	t := e.fresh(out, out.Shape)
	t.elem = x.view.t.elem
	e.b.Into(e.name("slice", i.Name), graph.Move{Func: "slice", From: from}, []graph.TensorID{e.any(i.in[0])}, e.id(t))
	out.view = direct(t)
}

// move emits a move of the whole result.
func (e *emitter) move(i *Inst, fn string, in ...graph.TensorID) {
	out := i.out[0]
	t := e.fresh(out, out.Shape)
	e.b.Into(e.name(fn, i.Name), graph.Move{Func: fn, Elements: out.Elements()}, in, e.id(t))
	out.view = direct(t)
}

// update emits a write of a part into an array: in place into a cache, else into a copy.
func (e *emitter) update(i *Inst, part *Value, written int64, fn string) {
	base, out := i.in[0], i.out[0]
	if t := base.view.t; t.role == graph.KV {
		if x, ok := i.first(2); ok && layer(t, part.Shape, x) {
			t = t.part(x)
		}
		if !t.written {
			t.written = true
			n := min(part.Elements(), t.elements())
			e.b.Into(e.name("append", i.Name), graph.Move{Func: "append", Elements: n}, []graph.TensorID{e.any(part)}, e.id(t))
			out.view = base.view
			return
		}
	}
	t := e.fresh(out, out.Shape)
	in := []graph.TensorID{e.any(part)}
	if !base.konst && base.view.t.parts == nil {
		in = append(in, e.any(base))
	}
	e.b.Into(e.name(fn, i.Name), graph.Move{Func: fn, Elements: written}, in, e.id(t))
	out.view = direct(t)
}

// first is the known start of a part along the first dimension; operand at holds it.
func (i *Inst) first(at int) (int, bool) {
	switch op := i.Op.(type) {
	case Slice:
		return op.Start[0], len(op.Start) > 0
	case DynamicUpdate, DynamicSlice:
		if at < len(i.in) {
			x, ok := i.in[at].Scalar()
			return int(x), ok
		}
	}
	return 0, false
}

// reduce emits sums over dimensions.
func (e *emitter) reduce(i *Inst, op Reduce, elem graph.DType) {
	fn := map[string]string{"add": "sum", "mean": "mean", "max": "max", "min": "min"}[op.Fn]
	if fn == "" {
		fn = op.Fn
	}
	for n, x := range i.in {
		out := i.out[n]
		id, v := graph.None, x.view
		if v.whole(x.Shape) {
			id = e.id(v.t)
		} else {
			id = e.all(x, x.Shape)
			v = direct(&tensor{shape: x.Shape})
		}
		// The dimensions that are left keep their order in memory.
		at, shape := make([]int, len(v.t.shape)), []int{}
		for k := range at {
			if at[k] = none; !slices.ContainsFunc(op.Dims, func(d int) bool { return v.axes[d].dim == k }) {
				at[k] = len(shape)
				shape = append(shape, v.t.shape[k])
			}
		}
		t := e.fresh(out, shape)
		t.elem = elem
		e.b.Into(e.name("reduce", i.Name), graph.Reduce{Func: fn, Elements: x.Elements(), Out: out.Elements()}, []graph.TensorID{id}, e.id(t))
		w := &view{t: t, moved: v.moved}
		for d, a := range v.axes {
			if !slices.Contains(op.Dims, d) {
				if a.dim != none {
					a.dim = at[a.dim]
				}
				w.axes = append(w.axes, a)
			}
		}
		out.view = w
	}
}

// gather emits a table look-up, or a move of the gathered elements.
func (e *emitter) gather(i *Inst, op Gather, elem graph.DType) {
	table, index, out := i.in[0], i.in[1], i.out[0]
	rows := index.Elements()
	if !op.Whole || len(table.Shape) == 0 || rows == 0 || out.Elements()%rows != 0 || out.Elements()/rows*int64(table.Shape[0]) != table.Elements() {
		e.move(i, "gather", e.any(table), e.any(index))
		return
	}
	k := graph.Gather{Rows: rows, Cols: out.Elements() / rows, Table: int64(table.Shape[0])}
	t := e.fresh(out, out.Shape)
	t.elem = elem
	if table.view.t.konst {
		t.elem = table.view.t.elem
	}
	e.b.Into(e.name("gather", i.Name), k, []graph.TensorID{e.any(table), e.any(index)}, e.id(t))
	out.view = direct(t)
}

func (e *emitter) norm(i *Inst, op Norm) {
	x, out := i.in[0], i.out[0]
	cols := int64(1)
	for _, d := range op.Dims {
		cols *= int64(x.Shape[d])
	}
	if op.Fn == "batch" {
		cols = x.Elements() / int64(x.Shape[op.Channel])
	}
	k := graph.Norm{Func: op.Fn, Rows: x.Elements() / cols, Cols: cols, Bias: len(i.in) > 2}
	e.rowwise(e.name("norm", i.Name), k, x, i.in[1:], out)
}

// attention emits scores, softmax and weighted sum.
func (e *emitter) attention(i *Inst, op Attention) {
	q, k, v, out := i.in[0], i.in[1], i.in[2], i.out[0]
	heads := 3 - op.Tokens
	m := graph.MatMul{Batch: q.Shape[0] * q.Shape[heads], SharedB: q.Shape[heads] / k.Shape[heads], M: q.Shape[op.Tokens], N: k.Shape[op.Tokens], K: q.Shape[3]}
	scores := []int{q.Shape[0], q.Shape[heads], m.M, m.N}
	t := e.fresh(out, scores)
	t.name = i.Name + ".scores"
	e.b.Into(e.name("scores", i.Name), m, []graph.TensorID{e.any(q), e.any(k)}, e.id(t))
	if len(i.in) > 3 && !op.Causal {
		mask := i.in[3]
		masked := e.fresh(out, scores)
		masked.name = i.Name + ".masked"
		id := e.any(mask)
		if len(mask.Shape) != 4 || op.Tokens != 2 {
			id = graph.None
		}
		e.b.Into(e.name("mask", i.Name), graph.Elementwise{Func: "add", Elements: Elements(scores), Inputs: 2, OpsPer: 1}, []graph.TensorID{e.id(t), id}, e.id(masked))
		t = masked
	}
	s := graph.Softmax{Rows: Elements(scores) / int64(m.N), Cols: int64(m.N)}
	s.Mask.Causal = op.Causal
	soft := e.fresh(out, scores)
	soft.name = i.Name + ".weights"
	e.b.Into(e.name("softmax", i.Name), s, []graph.TensorID{e.id(t)}, e.id(soft))
	m.N, m.K = v.Shape[3], m.N
	sum := e.fresh(out, []int{q.Shape[0], q.Shape[heads], m.M, m.N})
	e.b.Into(e.name("values", i.Name), m, []graph.TensorID{e.id(soft), e.any(v)}, e.id(sum))
	out.view = &view{t: sum, axes: []axis{{0, 1}, {1, 1}, {2, 1}, {3, 1}}}
	if op.Tokens == 1 {
		out.view.axes[1], out.view.axes[2] = axis{2, 1}, axis{1, 1}
	}
}

// sort emits a sorting network's comparisons, or a search for the greatest elements.
func (e *emitter) sort(i *Inst, op Sort) {
	n := bits.Len(uint(max(i.in[0].Shape[op.Dim]-1, 1)))
	var in []graph.TensorID
	for _, v := range i.in {
		in = append(in, e.any(v))
	}
	for k, out := range i.out {
		t := e.fresh(out, out.Shape)
		switch {
		case out.Elements() != i.in[0].Elements():
			e.b.Into(e.name("topk", i.Name), graph.Reduce{Func: "max", Elements: i.in[0].Elements(), Out: out.Elements()}, in[:1], e.id(t))
		case k == 0: // bitonic: n (n+1) / 2 compares of pairs
			e.b.Into(e.name("sort", i.Name), graph.Elementwise{Func: "sort", Elements: out.Elements(), Inputs: 1, OpsPer: n * (n + 1) / 2}, in[:1], e.id(t))
		default:
			e.b.Into(e.name("sort", i.Name), graph.Elementwise{Func: "sort", Elements: out.Elements(), Inputs: 1}, in[min(k, len(in)-1):][:1], e.id(t))
		}
		out.view = direct(t)
	}
}

// random emits numbers made from a seed.
func (e *emitter) random(i *Inst) {
	seed := graph.None
	for _, v := range i.in {
		seed = e.any(v)
	}
	if seed == graph.None {
		seed = e.declare("seed", graph.Input, graph.Int32, []int{1})
	}
	for _, out := range i.out {
		t := e.fresh(out, out.Shape)
		one := e.declare(format.UniqueName(e.names, i.Name+".seed"), graph.Activation, graph.Int32, slices.Repeat([]int{1}, len(out.Shape)))
		e.b.Into(e.name("seed", i.Name), graph.Move{Func: "slice"}, []graph.TensorID{seed}, one)
		e.b.Into(e.name("random", i.Name), graph.Elementwise{Func: "random", Elements: out.Elements(), Inputs: 1, OpsPer: funcs["random"]}, []graph.TensorID{one}, e.id(t))
		out.view = direct(t)
	}
}
