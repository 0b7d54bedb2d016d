package node

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Attr is the attribute called name, or nil. One of another type is an error
// that the node keeps.
func (n *Node) Attr(name string, want onnxpb.AttributeProto_AttributeType) *onnxpb.AttributeProto {
	a := n.Attrs[name]
	if a == nil {
		return nil
	}
	got := a.Type
	if got == onnxpb.AttributeProto_UNDEFINED { // files before IR version 2 have no type
		got = want
	}
	if got != want {
		if n.Err == nil {
			n.Err = n.Fail("attribute %s is of type %s (want %s)", name, got, want)
		}
		return nil
	}
	return a
}

// Int is an integer attribute, def if it is absent.
func (n *Node) Int(name string, def int64) int64 {
	if a := n.Attr(name, onnxpb.AttributeProto_INT); a != nil {
		return a.I
	}
	return def
}

// Flag reports whether an integer attribute is not 0.
func (n *Node) Flag(name string) bool { return n.Int(name, 0) != 0 }

// Float is a number, def if it is absent.
func (n *Node) Float(name string, def float64) float64 {
	if a := n.Attr(name, onnxpb.AttributeProto_FLOAT); a != nil {
		return float64(a.F)
	}
	return def
}

// Text is a string, def if it is absent.
func (n *Node) Text(name, def string) string {
	if a := n.Attr(name, onnxpb.AttributeProto_STRING); a != nil {
		return string(a.S)
	}
	return def
}

// Ints is a list of integers; ok is false if it is absent.
func (n *Node) Ints(name string) (list []int64, ok bool) {
	a := n.Attr(name, onnxpb.AttributeProto_INTS)
	if a == nil {
		return nil, false
	}
	return a.Ints, true
}

// Floats is a list of numbers; ok is false if it is absent.
func (n *Node) Floats(name string) (list []float64, ok bool) {
	a := n.Attr(name, onnxpb.AttributeProto_FLOATS)
	if a == nil {
		return nil, false
	}
	out := make([]float64, len(a.Floats))
	for i, f := range a.Floats {
		out[i] = float64(f)
	}
	return out, true
}

// Sizes is a list of count numbers from lowest up, or def of them.
func (n *Node) Sizes(name string, count int, def, lowest int) ([]int, error) {
	out := make([]int, count)
	list, ok := n.Ints(name)
	if !ok {
		for i := range out {
			out[i] = def
		}
		return out, nil
	}
	if len(list) != count {
		return nil, n.Fail("attribute %s has %d numbers (want %d)", name, len(list), count)
	}
	for i, v := range list {
		if v < int64(lowest) || v > format.MaxDim {
			return nil, n.Fail("attribute %s is %v (want numbers from %d to %d)", name, list, lowest, format.MaxDim)
		}
		out[i] = int(v)
	}
	return out, nil
}

// TensorConst is a tensor as a value.
func (m *Model) TensorConst(t *onnxpb.TensorProto, what string) (*Value, error) {
	shape, ok := Dims(t.Dims)
	if !ok {
		return nil, m.fail(t.FileOffset, "%s has the shape %v (want dimensions from 0 to %d and at most 2^52 elements)", what, t.Dims, format.MaxDim)
	}
	v := NewConstant(t.Name, ElemType(t.DataType), shape...)
	data, err := tensorValues(t, v.Elements())
	if err != nil {
		return nil, m.fail(t.FileOffset, "%s: %v", what, err)
	}
	v.Data = data
	return v, nil
}

func (m *Model) fail(at int64, msg string, args ...any) error {
	return &format.Error{File: m.file, Offset: at, Msg: fmt.Sprintf(msg, args...)}
}
