package onnx

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"

	"github.com/causeway-sim/causeway/workloads/format"
)

// attr is the attribute called name, or nil. One of another type is an error
// that the node keeps.
func (n *onnxNode) attr(name string, want onnxpb.AttributeProto_AttributeType) *onnxpb.AttributeProto {
	a := n.attrs[name]
	if a == nil {
		return nil
	}
	got := a.Type
	if got == onnxpb.AttributeProto_UNDEFINED { // files before IR version 2 have no type
		got = want
	}
	if got != want {
		if n.err == nil {
			n.err = n.fail("attribute %s is of type %s (want %s)", name, got, want)
		}
		return nil
	}
	return a
}

func (n *onnxNode) int(name string, def int64) int64 {
	if a := n.attr(name, onnxpb.AttributeProto_INT); a != nil {
		return a.I
	}
	return def
}

func (n *onnxNode) flag(name string) bool { return n.int(name, 0) != 0 }

func (n *onnxNode) float(name string, def float64) float64 {
	if a := n.attr(name, onnxpb.AttributeProto_FLOAT); a != nil {
		return float64(a.F)
	}
	return def
}

func (n *onnxNode) text(name, def string) string {
	if a := n.attr(name, onnxpb.AttributeProto_STRING); a != nil {
		return string(a.S)
	}
	return def
}

func (n *onnxNode) ints(name string) ([]int64, bool) {
	a := n.attr(name, onnxpb.AttributeProto_INTS)
	if a == nil {
		return nil, false
	}
	return a.Ints, true
}

func (n *onnxNode) floats(name string) ([]float64, bool) {
	a := n.attr(name, onnxpb.AttributeProto_FLOATS)
	if a == nil {
		return nil, false
	}
	out := make([]float64, len(a.Floats))
	for i, f := range a.Floats {
		out[i] = float64(f)
	}
	return out, true
}

// sizes is a list of count numbers from lowest up, or def of them.
func (n *onnxNode) sizes(name string, count int, def, lowest int) ([]int, error) {
	out := make([]int, count)
	list, ok := n.ints(name)
	if !ok {
		for i := range out {
			out[i] = def
		}
		return out, nil
	}
	if len(list) != count {
		return nil, n.fail("attribute %s has %d numbers (want %d)", name, len(list), count)
	}
	for i, v := range list {
		if v < int64(lowest) || v > format.MaxDim {
			return nil, n.fail("attribute %s is %v (want numbers from %d to %d)", name, list, lowest, format.MaxDim)
		}
		out[i] = int(v)
	}
	return out, nil
}

// tensorConst is a tensor as a value.
func (m *onnxImport) tensorConst(t *onnxpb.TensorProto, what string) (*onnxValue, error) {
	shape, ok := dims(t.Dims)
	if !ok {
		return nil, m.fail(t.FileOffset, "%s has the shape %v (want dimensions from 0 to %d and at most 2^52 elements)", what, t.Dims, format.MaxDim)
	}
	v := newConst(t.Name, elemType(t.DataType), shape...)
	data, err := tensorValues(t, v.elements())
	if err != nil {
		return nil, m.fail(t.FileOffset, "%s: %v", what, err)
	}
	v.data = data
	return v, nil
}

func (m *onnxImport) fail(at int64, msg string, args ...any) error {
	return &format.Error{File: m.file, Offset: at, Msg: fmt.Sprintf(msg, args...)}
}
