package program

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// emit makes the graph of the groups and of the instructions without a group, in order.
func (p *Program) emit() (*graph.Graph, error) {
	e := &emitter{p: p, b: graph.NewBuilder(p.name), ops: map[string]int{}, names: map[string]int{}, joined: map[[2]*tensor]*tensor{}}
	e.b.Grow(len(p.insts)/4, len(p.insts)/2)
	for _, v := range p.args {
		t := &tensor{name: v.Name, shape: v.Shape, elem: v.Elem, role: graph.Input, id: graph.None, konst: v.konst}
		switch {
		case v.konst:
			t.role, t.forms = graph.Weight, &[]graph.TensorID{}
		case v.cache:
			t.role = graph.KV
		}
		v.view = direct(t)
	}
	for _, i := range p.insts {
		if !i.live {
			continue
		}
		if err := e.inst(i); err != nil {
			return nil, err
		}
	}
	e.results()
	g, err := e.b.Graph()
	if err != nil {
		return nil, err
	}
	if len(g.Ops) == 0 {
		return nil, &Fault{At: 0, Msg: "the program does no work that depends on its inputs"}
	}
	for n, d := range e.types {
		g.Tensors[n].DType = d
	}
	g.SettleBlocks(graph.FP16)
	g.Notes = p.notes
	return g, nil
}

// results marks the results of the program; what is not there in their order is moved.
func (e *emitter) results() {
	for _, v := range e.p.outs {
		if v.konst || v.view == nil || v.view.t.role == graph.KV || v.view.t.role == graph.Input || Elements(v.Shape) == 0 {
			continue
		}
		id := graph.None
		switch {
		case !v.view.whole(v.Shape):
			id = e.all(v, v.Shape)
		case v.view.moved:
			id = e.declare(v.Name+".moved", graph.Activation, v.view.t.elem, v.Shape)
			e.b.Into(e.name("transpose", v.Name), graph.Move{Func: "transpose", Elements: v.Elements()}, []graph.TensorID{e.id(v.view.t)}, id)
		default:
			id = e.id(v.view.t)
		}
		e.outputs = append(e.outputs, id)
	}
	e.b.Output(e.outputs...)
}

func (e *emitter) name(kind, name string) string {
	return format.UniqueName(e.ops, kind+"."+name)
}

// inst emits an instruction, or the group that ends with it.
func (e *emitter) inst(i *Inst) error {
	for _, v := range i.out {
		if v.konst {
			e.constant(i, v)
		}
	}
	if len(i.out) > 0 && i.out[0].konst {
		return nil
	}
	for _, v := range i.in {
		if v.Elements() == 0 {
			return i.fault("operand %s of shape %v has no elements", v.Name, v.Shape)
		}
	}
	for _, v := range i.out {
		if v.Elements() == 0 {
			return i.fault("the result of shape %v has no elements", v.Shape)
		}
	}
	if i.group != nil {
		if i.group.root == i {
			return e.group(i.group)
		}
		return nil
	}
	return e.single(i)
}

// constant makes the view of a value that does not depend on data.
func (e *emitter) constant(i *Inst, v *Value) {
	switch i.Op.(type) {
	case Convert, Transpose, Broadcast, Reshape, Slice:
		if v.view = e.viewOf(i); v.view != nil {
			return
		}
		if _, ok := i.Op.(Reshape); ok && i.in[0].view.whole(i.in[0].Shape) {
			t := *i.in[0].view.t
			t.shape, t.id = v.Shape, graph.None
			v.view = direct(&t)
			return
		}
	case Map:
		// A weight that is scaled by few numbers is stored as it is.
		for _, x := range i.in {
			if x.view.whole(x.Shape) && x.Elements() == v.Elements() && (x.known == nil || !x.known.splat) {
				v.view = x.view
				return
			}
		}
	}
	v.view = direct(weight(v.Name, v.Type))
}

// group emits a group as one operator.
func (e *emitter) group(g *group) error {
	out := g.root.out[0]
	switch g.kind {
	case "softmax":
		e.rowwise(e.name("softmax", g.root.Name), g.soft, g.x, nil, out)
	case "norm":
		e.rowwise(e.name("norm", g.root.Name), g.norm, g.x, g.more, out)
	case "affine":
		e.rowwise(e.name("batch_norm", g.root.Name), g.norm, g.x, g.scales(), out)
	case "rope":
		e.rope(g, out)
	case "named":
		e.elementwise(e.name(g.fn, g.root.Name), g.fn, g.ops, []*Value{g.x}, out)
	case "chain":
		e.elementwise(e.name(g.fn, g.root.Name), g.fn, g.ops, g.operands(), out)
	case "factor":
		out.view = g.x.view
	case "bias", "mean", "gather":
		return e.joinedGroup(g)
	}
	return nil
}

// joinedGroup emits a product, a reduction or a look-up with what follows it.
func (e *emitter) joinedGroup(g *group) error {
	var first *Inst
	for _, i := range g.insts {
		switch i.Op.(type) {
		case Dot, Conv, Reduce, Window, Gather:
			first = i
		}
	}
	elem := g.root.out[0].written()
	var err error
	switch op := first.Op.(type) {
	case Dot:
		e.dot(first, op, g.more[0], elem)
	case Conv:
		err = e.conv(first, op, g.more[0], elem)
	case Reduce:
		op.Fn = "mean"
		e.reduce(first, op, elem)
	case Window:
		op.Average = true
		err = e.window(first, op, elem)
	case Gather:
		e.gather(first, op, elem)
	}
	v := first.out[0]
	for _, i := range g.insts {
		if i == first || len(i.out) == 0 || i.out[0].konst {
			continue
		}
		switch i.Op.(type) {
		case Map:
			i.out[0].view = v.view
		case Convert, Reshape, Broadcast:
			if i.in[0] == v {
				e.moving(i)
			}
		}
		v = i.out[0]
	}
	return err
}

// scales are the last scale and the last shift of a folded batch norm.
func (g *group) scales() []*Value {
	var scale, shift *Value
	for _, i := range g.insts {
		m, ok := i.Op.(Map)
		if !ok {
			continue
		}
		for _, v := range i.in {
			if slices.Contains(g.more, v) && (m.Fn == "mul" || m.Fn == "div") {
				scale = v
			} else if slices.Contains(g.more, v) {
				shift = v
			}
		}
	}
	var out []*Value
	for _, v := range []*Value{scale, shift} {
		if v != nil {
			if _, one := v.Scalar(); !one {
				out = append(out, v)
			}
		}
	}
	return out
}

// operands are what a group reads and does not make, without numbers.
func (g *group) operands() (out []*Value) {
	for _, i := range g.insts {
		for _, v := range i.in {
			if _, one := v.Scalar(); one || slices.Contains(out, v) {
				continue
			}
			if v.def == nil || v.def.group != g {
				out = append(out, v)
			}
		}
	}
	return out
}

// rowwise emits an operator with one main operand, whose result lies as that does.
func (e *emitter) rowwise(name string, k graph.Kind, x *Value, more []*Value, out *Value) {
	in := []graph.TensorID{graph.None}
	shape := x.view.t.shape
	if x.view.whole(x.Shape) {
		in[0] = e.id(x.view.t)
	} else {
		in[0], shape = e.all(x, x.Shape), x.Shape
	}
	for _, v := range more {
		if v.view.t.konst {
			in = append(in, e.id(v.view.t))
		}
	}
	t := e.fresh(out, shape)
	e.b.Into(name, k, in, e.id(t))
	switch {
	case !slices.Equal(out.Shape, x.Shape):
		out.view = &view{t: t}
		out.view = direct(e.another(t, out.Shape))
	case slices.Equal(shape, x.view.t.shape):
		out.view = &view{t: t, axes: x.view.axes}
	default:
		out.view = direct(t)
	}
}

// another is t seen with another shape.
func (e *emitter) another(t *tensor, shape []int) *tensor {
	return &tensor{name: t.name + ".view", shape: shape, elem: t.elem, role: graph.Activation, id: e.reform(t, e.id(t), shape)}
}

// elementwise emits arithmetic on operands of the shape of the result.
func (e *emitter) elementwise(name, fn string, ops int, operands []*Value, out *Value) {
	var main *Value
	for n, v := range operands {
		if !v.konst && slices.Equal(v.Shape, out.Shape) && v.view.whole(v.Shape) {
			main = v
			operands[0], operands[n] = operands[n], operands[0]
			break
		}
	}
	shape, at, axes := out.Shape, make([]int, len(out.Shape)), []axis(nil)
	for d := range at {
		at[d] = d
	}
	if main != nil {
		shape, axes = main.view.t.shape, main.view.axes
		for d, a := range axes {
			at[d] = a.dim
		}
	}
	var in []graph.TensorID
	for _, v := range operands {
		var id graph.TensorID
		switch {
		case v == main:
			id = e.id(v.view.t)
		case len(v.Shape) != len(out.Shape):
			id = e.any(v)
		default:
			id = e.fit(v, at, len(shape))
		}
		if !slices.Contains(in, id) {
			in = append(in, id)
		}
	}
	t := e.fresh(out, shape)
	e.b.Into(name, graph.Elementwise{Func: fn, Elements: out.Elements(), Inputs: max(len(in), 1), OpsPer: ops}, in, e.id(t))
	if out.view = direct(t); main != nil {
		out.view = &view{t: t, axes: axes, moved: main.view.moved}
	}
}

// rope emits a rotary embedding. Two halves of angles lie together.
func (e *emitter) rope(g *group, out *Value) {
	x := g.x
	n, _ := graph.OpsPerElement("rope")
	if !slices.Equal(x.Shape, out.Shape) || !x.view.whole(x.Shape) {
		x = &Value{Name: x.Name, Type: Type{Shape: out.Shape, Elem: x.Elem}, view: direct(&tensor{name: x.Name, shape: out.Shape, elem: x.Elem, id: e.all(g.x, out.Shape)})}
	}
	shape := x.view.t.shape
	last := x.view.axes[len(x.Shape)-1].dim
	in := []graph.TensorID{e.id(x.view.t)}
	for n := 0; n < len(g.more); n++ {
		t, v := g.more[n].view.t, g.more[n]
		if n+1 < len(g.more) && v.view.whole(v.Shape) && 2*v.Shape[len(v.Shape)-1] == shape[last] && v.Elements() == g.more[n+1].Elements() && g.more[n+1].view.whole(g.more[n+1].Shape) {
			t = e.together(v, g.more[n+1])
			n++
		}
		if id, ok := e.angles(t, shape, last); ok {
			in = append(in, id)
		}
	}
	t := e.fresh(out, shape)
	e.b.Into(e.name("rope", g.root.Name), graph.Elementwise{Func: "rope", Elements: out.Elements(), Inputs: len(in), OpsPer: n}, in, e.id(t))
	out.view = &view{t: t, axes: x.view.axes}
}

// together is two arrays of angles in one.
func (e *emitter) together(a, b *Value) *tensor {
	key := [2]*tensor{a.view.t, b.view.t}
	if t := e.joined[key]; t != nil {
		return t
	}
	shape := slices.Clone(a.Shape)
	shape[len(shape)-1] *= 2
	t := &tensor{name: a.Name + ".angles", shape: shape, elem: a.view.t.elem, role: graph.Activation, id: graph.None}
	if a.konst && b.konst {
		t = weight(t.name, Type{Shape: shape, Elem: t.elem})
	} else {
		e.b.Into(e.name("angles", a.Name), graph.Move{Func: "concat"}, []graph.TensorID{e.id(a.view.t), e.id(b.view.t)}, e.id(t))
	}
	e.joined[key] = t
	return t
}

// angles is the tensor of angles in a shape that broadcasts to an array: the last dimension, that of
// tokens, and that of requests are found by their sizes.
func (e *emitter) angles(t *tensor, shape []int, last int) (graph.TensorID, bool) {
	want := slices.Repeat([]int{1}, len(shape))
	rest := t.elements()
	if n := int64(shape[last]); rest%n == 0 {
		want[last], rest = shape[last], rest/n
	} else {
		return graph.None, false
	}
	own := trimmed(t.shape)
	for k := len(own) - 2; k >= 0 && rest > 1; k-- {
		if own[k] == 1 {
			continue
		}
		for d := len(shape) - 1; d >= 0; d-- {
			if d != last && shape[d] == own[k] && want[d] == 1 {
				want[d], rest = own[k], rest/int64(own[k])
				break
			}
		}
	}
	if rest != 1 {
		return graph.None, false
	}
	return e.shaped(t, want), true
}
