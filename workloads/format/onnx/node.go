package onnx

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// An onnxNode is one operator under import: what its rule reads and where it
// puts the results.
type onnxNode struct {
	m     *onnxImport
	pb    *onnxpb.NodeProto
	name  string // of the operator in the graph, unique
	opset int64
	in    []*onnxValue // nil: left out
	out   []*onnxValue // nil: not made yet
	attrs map[string]*onnxpb.AttributeProto
	err   error // the first fault of an attribute
}

// fail is an error at the node.
func (n *onnxNode) fail(msg string, args ...any) error {
	name := n.pb.Name
	if name == "" && len(n.pb.Output) > 0 {
		name = n.pb.Output[0]
	}
	return &format.Error{File: n.m.file, Offset: n.pb.FileOffset, Msg: fmt.Sprintf("node %q (%s): ", name, n.pb.OpType) + fmt.Sprintf(msg, args...)}
}

// has reports whether input i is present.
func (n *onnxNode) has(i int) bool { return i < len(n.in) && n.in[i] != nil }

// get is input i, or nil.
func (n *onnxNode) get(i int) *onnxValue {
	if i < len(n.in) {
		return n.in[i]
	}
	return nil
}

// wants reports whether the node has output i.
func (n *onnxNode) wants(i int) bool { return i < len(n.pb.Output) && n.pb.Output[i] != "" }

// axis checks an axis of an array of the given rank; negative ones count from
// the end.
func (n *onnxNode) axis(a int64, rank int) (int, error) {
	if a < -int64(rank) || a >= int64(rank) {
		return 0, n.fail("axis %d of an array with %d dimensions (want %d to %d)", a, rank, -rank, rank-1)
	}
	if a < 0 {
		a += int64(rank)
	}
	return int(a), nil
}

// axes checks a list of axes; each may appear once. The result is sorted.
func (n *onnxNode) axes(list []int64, rank int) ([]int, error) {
	var out []int
	for _, a := range list {
		i, err := n.axis(a, rank)
		if err != nil {
			return nil, err
		}
		if slices.Contains(out, i) {
			return nil, n.fail("axis %d appears twice", a)
		}
		out = append(out, i)
	}
	slices.Sort(out)
	return out, nil
}

// known is the integer constant at input i. The shape of a result depends on
// it, so that a value that only the run knows is an error.
func (n *onnxNode) known(i int, what string) ([]int64, error) {
	v := n.get(i)
	if v == nil {
		return nil, n.fail("input %d, %s, is missing", i, what)
	}
	if ints, ok := v.ints(); ok {
		return ints, nil
	}
	if v.konst {
		return nil, n.fail("%s %q has no values of an integer type in this file", what, v.name)
	}
	return nil, n.fail("%s %q depends on the data of the model's inputs, so the shape of the result is not known before the run", what, v.name)
}

// knownFloats is the same for numbers of any type.
func (n *onnxNode) knownFloats(i int, what string) ([]float64, error) {
	if v := n.get(i); v != nil && v.data != nil && v.data.floats != nil {
		return v.data.floats, nil
	}
	ints, err := n.known(i, what)
	out := make([]float64, len(ints))
	for j, x := range ints {
		out[j] = float64(x)
	}
	return out, err
}

// listOr is a list that newer operator sets pass as input i and older ones as
// an attribute; ok is false if there is neither.
func (n *onnxNode) listOr(i int, attr, what string) (list []int64, ok bool, err error) {
	if n.has(i) {
		list, err = n.known(i, what)
		return list, true, err
	}
	list, ok = n.ints(attr)
	return list, ok, nil
}

// result makes output i. It is constant if all inputs are.
func (n *onnxNode) result(i int, elem elemType, shape ...int) (*onnxValue, error) {
	wide := make([]int64, len(shape))
	for j, d := range shape {
		wide[j] = int64(d)
	}
	if _, ok := dims(wide); !ok {
		return nil, n.fail("the result has the shape %v (want dimensions from 0 to %d and at most 2^52 elements)", shape, format.MaxDim)
	}
	v := &onnxValue{shape: slices.Clone(shape), elem: elem, role: graph.Activation, id: graph.None, name: fmt.Sprintf("%s.%d", n.name, i)}
	if n.wants(i) {
		v.name = n.pb.Output[i]
	}
	if v.konst = n.konst(); v.konst {
		v.role = graph.Weight
	}
	n.set(i, v)
	return v, nil
}

// konst reports whether no input depends on the inputs of the model.
func (n *onnxNode) konst() bool {
	for _, v := range n.in {
		if v != nil && !v.konst {
			return false
		}
	}
	return true
}

// set makes v output i.
func (n *onnxNode) set(i int, v *onnxValue) {
	for len(n.out) <= i {
		n.out = append(n.out, nil)
	}
	n.out[i] = v
}

// emit adds an operator to the graph that reads in and writes out; nil inputs
// are absent. What does not depend on the model's inputs is computed once,
// before the run, and becomes no operator.
func (n *onnxNode) emit(k graph.Kind, in []*onnxValue, out ...*onnxValue) error {
	return n.emitNamed(n.name, k, in, out...)
}

// emitStep is emit for one of several operators that a node becomes.
func (n *onnxNode) emitStep(step string, k graph.Kind, in []*onnxValue, out ...*onnxValue) error {
	return n.emitNamed(format.UniqueName(n.m.opNames, n.name+"."+step), k, in, out...)
}

func (n *onnxNode) emitNamed(name string, k graph.Kind, in []*onnxValue, out ...*onnxValue) error {
	konst := true
	for _, v := range in {
		konst = konst && (v == nil || v.konst)
	}
	if konst {
		for _, v := range out {
			v.konst, v.role = true, graph.Weight
		}
		return nil
	}
	if n.m.emitted++; n.m.emitted > maxOps {
		return n.fail("the model has more than %d operators", maxOps)
	}
	_, product := k.(graph.MatMul)
	ids := make([]graph.TensorID, len(in))
	for i, v := range in {
		if ids[i] = graph.None; v == nil {
			continue
		}
		if v.elements() == 0 {
			return n.fail("the input %q of shape %v has no elements", v.name, v.shape)
		}
		ids[i] = n.m.tensor(v, product)
	}
	outs := make([]graph.TensorID, len(out))
	for i, v := range out {
		if v.elements() == 0 {
			return n.fail("the result %q of shape %v has no elements", v.name, v.shape)
		}
		if v.konst = false; v.role != graph.KV {
			v.role = graph.Activation
		}
		outs[i] = n.m.tensor(v, false)
	}
	n.m.b.Into(name, k, ids, outs...)
	return nil
}

// view makes output 0 another view of v, which costs nothing.
func (n *onnxNode) view(v *onnxValue, shape ...int) error {
	out, err := n.result(0, v.elem, shape...)
	if err != nil {
		return err
	}
	return n.viewAs("", v, out)
}

// viewAs declares out, of as many elements as v, to be the storage of v.
func (n *onnxNode) viewAs(step string, v, out *onnxValue) error {
	out.konst, out.data = v.konst, v.data
	if v.konst {
		out.role, out.origin = graph.Weight, v.root()
		return nil
	}
	k := graph.Move{Func: "reshape"}
	if step == "" {
		return n.emit(k, []*onnxValue{v}, out)
	}
	return n.emitStep(step, k, []*onnxValue{v}, out)
}

// reshaped is v with another shape inside a node that becomes several
// operators.
func (n *onnxNode) reshaped(step string, v *onnxValue, shape ...int) (*onnxValue, error) {
	if slices.Equal(v.shape, shape) {
		return v, nil
	}
	out := n.temp(step, v.elem, shape...)
	return out, n.viewAs(step, v, out)
}

// temp is a value between two operators of one node.
func (n *onnxNode) temp(step string, elem elemType, shape ...int) *onnxValue {
	return &onnxValue{name: n.name + "." + step, shape: slices.Clone(shape), elem: elem, role: graph.Activation, id: graph.None}
}

// move makes output 0 a rearranged copy of v in which element i is element at[i] of v; at is
// called only if the values are followed.
func (n *onnxNode) move(fn string, v *onnxValue, at func(out *onnxValue) []int, shape ...int) error {
	out, err := n.result(0, v.elem, shape...)
	if err != nil {
		return err
	}
	if v.konst && v.elements() == out.elements() && fn == "transpose" {
		out.origin = v.root()
	}
	if v.data != nil && n.konst() && out.elements() <= maxConst && at != nil {
		out.data = v.data.pick(at(out))
	}
	return n.emit(graph.Move{Func: fn, Elements: out.elements()}, []*onnxValue{v}, out)
}
