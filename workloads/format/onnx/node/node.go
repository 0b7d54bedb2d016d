package node

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// A Node is one operator under import: what its rule reads and where it
// puts the results.
type Node struct {
	Model *Model
	Proto *onnxpb.NodeProto
	Name  string // of the operator in the graph, unique
	Opset int64
	In    []*Value // nil: left out
	Out   []*Value // nil: not made yet
	Attrs map[string]*onnxpb.AttributeProto
	Err   error // the first fault of an attribute
}

// Fail is an error at the node.
func (n *Node) Fail(msg string, args ...any) error {
	name := n.Proto.Name
	if name == "" && len(n.Proto.Output) > 0 {
		name = n.Proto.Output[0]
	}
	return &format.Error{File: n.Model.file, Offset: n.Proto.FileOffset, Msg: fmt.Sprintf("node %q (%s): ", name, n.Proto.OpType) + fmt.Sprintf(msg, args...)}
}

// Has reports whether input i is present.
func (n *Node) Has(i int) bool { return i < len(n.In) && n.In[i] != nil }

// Get is input i, or nil.
func (n *Node) Get(i int) *Value {
	if i < len(n.In) {
		return n.In[i]
	}
	return nil
}

// Wants reports whether the node has output i.
func (n *Node) Wants(i int) bool { return i < len(n.Proto.Output) && n.Proto.Output[i] != "" }

// Axis checks an axis of an array of the given rank; negative ones count from
// the end.
func (n *Node) Axis(a int64, rank int) (int, error) {
	if a < -int64(rank) || a >= int64(rank) {
		return 0, n.Fail("axis %d of an array with %d dimensions (want %d to %d)", a, rank, -rank, rank-1)
	}
	if a < 0 {
		a += int64(rank)
	}
	return int(a), nil
}

// Axes checks a list of axes; each may appear once. The result is sorted.
func (n *Node) Axes(list []int64, rank int) ([]int, error) {
	var out []int
	for _, a := range list {
		i, err := n.Axis(a, rank)
		if err != nil {
			return nil, err
		}
		if slices.Contains(out, i) {
			return nil, n.Fail("axis %d appears twice", a)
		}
		out = append(out, i)
	}
	slices.Sort(out)
	return out, nil
}

// Known is the integer constant at input i. The shape of a result depends on
// it, so that a value that only the run knows is an error.
func (n *Node) Known(i int, what string) ([]int64, error) {
	v := n.Get(i)
	if v == nil {
		return nil, n.Fail("input %d, %s, is missing", i, what)
	}
	if ints, ok := v.Ints(); ok {
		return ints, nil
	}
	if v.Const {
		return nil, n.Fail("%s %q has no values of an integer type in this file", what, v.Name)
	}
	return nil, n.Fail("%s %q depends on the data of the model's inputs, so the shape of the result is not known before the run", what, v.Name)
}

// KnownFloats is like Known, for numbers of any type.
func (n *Node) KnownFloats(i int, what string) ([]float64, error) {
	if v := n.Get(i); v != nil && v.Data != nil && v.Data.Floats != nil {
		return v.Data.Floats, nil
	}
	ints, err := n.Known(i, what)
	out := make([]float64, len(ints))
	for j, x := range ints {
		out[j] = float64(x)
	}
	return out, err
}

// ListOr is a list that newer operator sets pass as input i and older ones as
// an attribute; ok is false if there is neither.
func (n *Node) ListOr(i int, attr, what string) (list []int64, ok bool, err error) {
	if n.Has(i) {
		list, err = n.Known(i, what)
		return list, true, err
	}
	list, ok = n.Ints(attr)
	return list, ok, nil
}

// Result makes output i. It is constant if all inputs are.
func (n *Node) Result(i int, elem ElemType, shape ...int) (*Value, error) {
	wide := make([]int64, len(shape))
	for j, d := range shape {
		wide[j] = int64(d)
	}
	if _, ok := Dims(wide); !ok {
		return nil, n.Fail("the result has the shape %v (want dimensions from 0 to %d and at most 2^52 elements)", shape, format.MaxDim)
	}
	v := &Value{Shape: slices.Clone(shape), Elem: elem, Role: graph.Activation, ID: graph.None, Name: fmt.Sprintf("%s.%d", n.Name, i)}
	if n.Wants(i) {
		v.Name = n.Proto.Output[i]
	}
	if v.Const = n.Constant(); v.Const {
		v.Role = graph.Weight
	}
	n.Set(i, v)
	return v, nil
}

// Constant reports whether no input depends on the inputs of the model.
func (n *Node) Constant() bool {
	for _, v := range n.In {
		if v != nil && !v.Const {
			return false
		}
	}
	return true
}

// Set makes v output i.
func (n *Node) Set(i int, v *Value) {
	for len(n.Out) <= i {
		n.Out = append(n.Out, nil)
	}
	n.Out[i] = v
}

// Emit adds an operator to the graph that reads in and writes out; nil inputs
// are absent. What does not depend on the model's inputs is computed once,
// before the run, and becomes no operator.
func (n *Node) Emit(k graph.Kind, in []*Value, out ...*Value) error {
	return n.emitNamed(n.Name, k, in, out...)
}

// EmitStep is like Emit, for one of several operators that a node becomes.
func (n *Node) EmitStep(step string, k graph.Kind, in []*Value, out ...*Value) error {
	return n.emitNamed(format.UniqueName(n.Model.OpNames, n.Name+"."+step), k, in, out...)
}

func (n *Node) emitNamed(name string, k graph.Kind, in []*Value, out ...*Value) error {
	konst := true
	for _, v := range in {
		konst = konst && (v == nil || v.Const)
	}
	if konst {
		for _, v := range out {
			v.Const, v.Role = true, graph.Weight
		}
		return nil
	}
	if n.Model.emitted++; n.Model.emitted > maxOps {
		return n.Fail("the model has more than %d operators", maxOps)
	}
	_, product := k.(graph.MatMul)
	ids := make([]graph.TensorID, len(in))
	for i, v := range in {
		if ids[i] = graph.None; v == nil {
			continue
		}
		if v.Elements() == 0 {
			return n.Fail("the input %q of shape %v has no elements", v.Name, v.Shape)
		}
		ids[i] = n.Model.Tensor(v, product)
	}
	outs := make([]graph.TensorID, len(out))
	for i, v := range out {
		if v.Elements() == 0 {
			return n.Fail("the result %q of shape %v has no elements", v.Name, v.Shape)
		}
		if v.Const = false; v.Role != graph.KV {
			v.Role = graph.Activation
		}
		outs[i] = n.Model.Tensor(v, false)
	}
	n.Model.b.Into(name, k, ids, outs...)
	return nil
}

// View makes output 0 another view of v, which costs nothing.
func (n *Node) View(v *Value, shape ...int) error {
	out, err := n.Result(0, v.Elem, shape...)
	if err != nil {
		return err
	}
	return n.ViewAs("", v, out)
}

// ViewAs declares out, of as many elements as v, to be the storage of v.
func (n *Node) ViewAs(step string, v, out *Value) error {
	out.Const, out.Data = v.Const, v.Data
	if v.Const {
		out.Role, out.Origin = graph.Weight, v.Root()
		return nil
	}
	k := graph.Move{Func: "reshape"}
	if step == "" {
		return n.Emit(k, []*Value{v}, out)
	}
	return n.EmitStep(step, k, []*Value{v}, out)
}

// Reshaped is v with another shape inside a node that becomes several
// operators.
func (n *Node) Reshaped(step string, v *Value, shape ...int) (*Value, error) {
	if slices.Equal(v.Shape, shape) {
		return v, nil
	}
	out := n.Temp(step, v.Elem, shape...)
	return out, n.ViewAs(step, v, out)
}

// Temp is a value between two operators of one node.
func (n *Node) Temp(step string, elem ElemType, shape ...int) *Value {
	return &Value{Name: n.Name + "." + step, Shape: slices.Clone(shape), Elem: elem, Role: graph.Activation, ID: graph.None}
}

// Move makes output 0 a rearranged copy of v in which element i is element at[i] of v; at is
// called only if the values are followed.
func (n *Node) Move(fn string, v *Value, at func(out *Value) []int, shape ...int) error {
	out, err := n.Result(0, v.Elem, shape...)
	if err != nil {
		return err
	}
	if v.Const && v.Elements() == out.Elements() && fn == "transpose" {
		out.Origin = v.Root()
	}
	if v.Data != nil && n.Constant() && out.Elements() <= MaxConstant && at != nil {
		out.Data = v.Data.Pick(at(out))
	}
	return n.Emit(graph.Move{Func: fn, Elements: out.Elements()}, []*Value{v}, out)
}

// Least checks that the first inputs are there.
func (n *Node) Least(inputs int) error {
	for i := range inputs {
		if !n.Has(i) {
			return n.Fail("input %d is left out", i)
		}
	}
	return nil
}
