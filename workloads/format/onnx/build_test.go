package onnx

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// An onnxMaker writes models for tests.
type onnxMaker struct{ *onnxpb.ModelProto }

func newONNX(opset int64) onnxMaker {
	return onnxMaker{&onnxpb.ModelProto{IrVersion: 8, Graph: &onnxpb.GraphProto{Name: "g"},
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: opset}}}}
}

// input declares a graph input; dimensions are numbers, names, or nil.
func (m onnxMaker) input(name string, shape ...any) string {
	s := &onnxpb.TensorShapeProto{}
	for _, d := range shape {
		dim := &onnxpb.TensorShapeProto_Dimension{}
		switch d := d.(type) {
		case int:
			dim.Value = &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: int64(d)}
		case string:
			dim.Value = &onnxpb.TensorShapeProto_Dimension_DimParam{DimParam: d}
		}
		s.Dim = append(s.Dim, dim)
	}
	m.Graph.Input = append(m.Graph.Input, &onnxpb.ValueInfoProto{Name: name,
		Type: &onnxpb.TypeProto{TensorType: &onnxpb.TypeProto_Tensor{ElemType: int32(onnxpb.TensorProto_FLOAT), Shape: s}}})
	return name
}

// weight is a float initializer without values.
func (m onnxMaker) weight(name string, shape ...int) string {
	t := &onnxpb.TensorProto{Name: name, DataType: int32(onnxpb.TensorProto_FLOAT)}
	for _, d := range shape {
		t.Dims = append(t.Dims, int64(d))
	}
	m.Graph.Initializer = append(m.Graph.Initializer, t)
	return name
}

func intTensor(name string, v ...int64) *onnxpb.TensorProto {
	return &onnxpb.TensorProto{Name: name, DataType: int32(onnxpb.TensorProto_INT64), Dims: []int64{int64(len(v))}, Int64Data: v}
}

// list is an integer initializer.
func (m onnxMaker) list(name string, v ...int64) string {
	m.Graph.Initializer = append(m.Graph.Initializer, intTensor(name, v...))
	return name
}

func (m onnxMaker) node(op string, in, out []string, attrs ...*onnxpb.AttributeProto) *onnxpb.NodeProto {
	n := &onnxpb.NodeProto{OpType: op, Input: in, Output: out, Attribute: attrs}
	m.Graph.Node = append(m.Graph.Node, n)
	return n
}

func (m onnxMaker) output(names ...string) {
	for _, n := range names {
		m.Graph.Output = append(m.Graph.Output, &onnxpb.ValueInfoProto{Name: n})
	}
}

func (m onnxMaker) bytes(t testing.TB) []byte {
	b, err := proto.Marshal(m.ModelProto)
	require.NoError(t, err)
	return b
}

// read imports the model through its file form.
func (m onnxMaker) read(t testing.TB, o format.Options) (*graph.Graph, error) {
	return reader{}.Read(format.Bytes("m.onnx", m.bytes(t)), o)
}

func aInt(name string, v int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_INT, I: v}
}

func aInts(name string, v ...int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_INTS, Ints: v}
}

func aFloat(name string, v float32) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_FLOAT, F: v}
}

func aFloats(name string, v ...float32) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_FLOATS, Floats: v}
}

func aText(name, v string) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_STRING, S: []byte(v)}
}

func aTensor(name string, t *onnxpb.TensorProto) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_TENSOR, T: t}
}

func aGraph(name string, g *onnxpb.GraphProto) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_GRAPH, G: g}
}

// describe prints a graph's operators: what, on how much, with how many MACs.
func describe(g *graph.Graph) string {
	var out []string
	for i := range g.Ops {
		op := &g.Ops[i]
		s := op.Kind.Type()
		switch k := op.Kind.(type) {
		case graph.Elementwise:
			s = fmt.Sprintf("%s/%d", k.Func, k.Inputs)
		case graph.Move:
			s = fmt.Sprintf("%s %d", k.Func, k.Elements)
		case graph.Norm:
			s = fmt.Sprintf("%s %dx%d", k.Func, k.Rows, k.Cols)
		case graph.Reduce:
			s = fmt.Sprintf("%s %d:%d", k.Func, k.Elements, k.Out)
		case graph.Softmax:
			s = fmt.Sprintf("softmax %dx%d", k.Rows, k.Cols)
		case graph.Gather:
			s = fmt.Sprintf("gather %dx%d of %d", k.Rows, k.Cols, k.Table)
		case graph.MatMul:
			s = fmt.Sprintf("gemm %d*%dx%dx%d", k.Batch, k.M, k.N, k.K)
		case graph.Conv, graph.Pool:
			s = fmt.Sprintf("%s %d", s, op.MACs()+int64(k2(k)))
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// k2 is the window of a pooling: its kernel elements.
func k2(k graph.Kind) int {
	if p, ok := k.(graph.Pool); ok {
		return p.R * p.S
	}
	return 0
}
