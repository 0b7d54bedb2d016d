package onnx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format/formattest"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

func TestONNXSymbols(t *testing.T) {
	linear := func(shape ...any) onnxMaker {
		m := newONNX(13)
		m.input("x", shape...)
		m.node("MatMul", []string{"x", m.weight("w", 8, 5)}, []string{"y"})
		m.output("y")
		return m
	}
	for _, c := range []struct {
		name  string
		shape []any
		o     format.Options
		macs  int64 // in units of 8x5; 0: an error
		want  string
	}{
		{"batch N", []any{"N", 8}, format.Options{Batch: 3}, 3, ""},
		{"batch left open", []any{"batch_size", 8}, format.Options{}, 1, ""},
		{"first dimension of any name", []any{"unk__17", 8}, format.Options{Batch: 3}, 3, ""},
		{"first dimension without name", []any{nil, 8}, format.Options{Batch: 3}, 3, ""},
		{"batch by symbol", []any{"N", 8}, format.Options{Symbols: map[string]int{"N": 7}}, 7, ""},
		{"batch behind", []any{4, "batch", 8}, format.Options{Batch: 3}, 12, ""},
		{"fixed batch of one", []any{1, 8}, format.Options{Batch: 3}, 3, ""},
		{"fixed batch of two", []any{2, 8}, format.Options{Batch: 3}, 0, `m.onnx: batch 3: the model has no symbolic batch and no batch of 1; its first input is "x" of shape [2 8]`},
		{"fixed batch, none asked", []any{2, 8}, format.Options{}, 2, ""},
		{"sequence", []any{"batch", "sequence_length", 8}, format.Options{Batch: 2, Sequence: 6}, 12, ""},
		{"sum", []any{"batch", "past_sequence_length + sequence_length", 8}, format.Options{Sequence: 6, Context: 10}, 16, ""},
		{"sum with a number", []any{"batch", "sequence_length + 1", 8}, format.Options{Sequence: 6}, 7, ""},
		{"other symbol", []any{"batch", "height", 8}, format.Options{}, 0, `the input "x" has the symbolic dimension "height" at position 1, which has no value; give it one (symbols: {height: ...})`},
		{"other symbol bound", []any{"batch", "height", 8}, format.Options{Symbols: map[string]int{"height": 5}}, 5, ""},
		{"without name further in", []any{2, nil, 8}, format.Options{}, 0, `(symbols: {x.1: ...})`},
		{"without name, bound", []any{2, "?", 8}, format.Options{Symbols: map[string]int{"x.1": 4}}, 8, ""},
		{"sequence not given", []any{"seq_len", 8}, format.Options{}, 0, `symbolic dimension "seq_len" at position 0`},
		{"negative batch", []any{"N", 8}, format.Options{Batch: -2}, 0, "the batch is -2"},
		{"symbol of 0", []any{"N", 8}, format.Options{Symbols: map[string]int{"N": 0}}, 1, ""},
		{"huge", []any{"N", "H", 8}, format.Options{Batch: 1 << 30, Symbols: map[string]int{"H": 1 << 30}}, 0, "at most 2^52 elements"},
		{"too large a number", []any{1 << 40, 8}, format.Options{}, 0, "dimensions from 1 to 2147483647"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := linear(c.shape...).read(t, c.o)
			if c.macs == 0 {
				require.ErrorContains(t, err, c.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.macs*40, g.MACs())
		})
	}
	// All at once, each symbol once, and bound symbols for the record.
	m := linear("batch", "h", 8)
	m.input("z", "batch", "h", "v")
	_, err := m.read(t, format.Options{})
	require.Len(t, strings.Split(err.Error(), "\n"), 2)
	g, err := m.read(t, format.Options{Batch: 3, Symbols: map[string]int{"h": 2, "v": 9}})
	require.NoError(t, err)
	require.Equal(t, map[string]int{"batch": 3, "h": 2, "v": 9}, g.Symbols)
}

// The chain by which PyTorch exports view(x.size(0), -1), and arithmetic on
// sizes: none of it is work.
func TestONNXShapeChain(t *testing.T) {
	m := newONNX(13)
	m.input("x", "batch", 6, 10)
	m.node("Shape", []string{"x"}, []string{"s"})
	m.node("Constant", nil, []string{"zero"}, aTensor("value", &onnxpb.TensorProto{DataType: int32(onnxpb.TensorProto_INT64), RawData: make([]byte, 8)}))
	m.node("Gather", []string{"s", "zero"}, []string{"b"})
	m.node("Unsqueeze", []string{"b", m.list("ax", 0)}, []string{"b1"})
	m.node("Slice", []string{"s", m.list("one", 1), m.list("two", 2)}, []string{"six"})
	m.node("Div", []string{"six", "two"}, []string{"three"})
	m.node("Cast", []string{"three"}, []string{"threef"}, aInt("to", 1))
	m.node("Floor", []string{"threef"}, []string{"floor"})
	m.node("Cast", []string{"floor"}, []string{"heads"}, aInt("to", 7))
	m.node("Concat", []string{"b1", "heads", m.list("rest", -1)}, []string{"shape"}, aInt("axis", 0))
	m.node("Equal", []string{"shape", m.list("minus", -1)}, []string{"eq"})
	m.node("ConstantOfShape", []string{m.list("len", 3)}, []string{"ones"}, aTensor("value", intTensor("", 1)))
	m.node("Mul", []string{"ones", m.list("many", -1)}, []string{"fill"})
	m.node("Where", []string{"eq", "fill", "shape"}, []string{"shape2"})
	m.node("Reshape", []string{"x", "shape2"}, []string{"y"})
	m.node("Range", []string{"zero", "b", "zero1"}, []string{"r"})
	m.Graph.Initializer = append(m.Graph.Initializer, &onnxpb.TensorProto{Name: "zero1", DataType: int32(onnxpb.TensorProto_INT32), Int32Data: []int32{1}})
	m.node("Expand", []string{"y", "big"}, []string{"e"})
	m.node("Concat", []string{"r", "three", m.list("one1", 1)}, []string{"unused"}, aInt("axis", 0))
	m.node("ReduceProd", []string{"s"}, []string{"count"}, aInt("keepdims", 0))
	m.node("Tile", []string{m.list("t", 2, 1), m.list("by", 2)}, []string{"tiled"})
	m.node("Gather", []string{"tiled", m.list("pick", 2, 1, 1)}, []string{"pads0"})
	m.node("Concat", []string{"pads0", "pads0"}, []string{"pads"}, aInt("axis", 0))
	m.node("Pad", []string{"y", "pads"}, []string{"padded"})
	m.list("big", 1, 1, 1)
	m.output("padded", "e", "count")
	g, err := m.read(t, format.Options{Batch: 4})
	require.NoError(t, err)
	require.Equal(t, "reshape 0, reshape 0, pad 880", describe(g)) // Reshape, Expand that changes nothing, Pad
	require.Equal(t, []int{4, 3, 20}, g.Tensor(g.Ops[0].Out[0]).Shape)
	require.Equal(t, []int{8, 5, 22}, g.Tensor(g.Ops[len(g.Ops)-1].Out[0]).Shape)
}

// A weight that is transposed, cast or dequantised before use is one weight,
// also where two operators share it, and is no operator.
func TestONNXWeightsCountOnce(t *testing.T) {
	m := newONNX(13)
	m.input("ids", 1, 7)
	m.node("Gather", []string{m.weight("embed", 100, 8), "ids"}, []string{"h"})
	m.node("Transpose", []string{"embed"}, []string{"head"}, aInts("perm", 1, 0))
	m.node("MatMul", []string{"h", "head"}, []string{"logits"})
	m.node("DequantizeLinear", []string{m.weight("q", 8, 8), m.weight("scale")}, []string{"deq"})
	m.node("MatMul", []string{"h", "deq"}, []string{"y"})
	m.node("MatMul", []string{"y", "q"}, []string{"z"})
	m.output("logits", "z")
	g, err := m.read(t, format.Options{})
	require.NoError(t, err)
	require.Equal(t, "gather 7x8 of 100, gemm 1*7x100x8, gemm 1*7x8x8, gemm 1*7x8x8", describe(g))
	require.Equal(t, int64(100*8+64), g.Params())
	require.Equal(t, graph.Input, g.Tensor(g.Ops[0].In[1]).Role)
	require.Equal(t, graph.Output, g.Tensor(g.Ops[1].Out[0]).Role)
	require.Equal(t, graph.Activation, g.Tensor(g.Ops[2].Out[0]).Role)
}

// The products of one weight and of its transpose are of one weight.
func TestONNXTransposedOperandsAreNoCopies(t *testing.T) {
	m := newONNX(13)
	m.input("x", 2, 8, 8)
	m.node("FusedMatMul", []string{"x", m.weight("w", 8, 8)}, []string{"y"}, aInt("transB", 1))
	m.node("FusedMatMul", []string{"y", "w"}, []string{"z"}, aInt("transA", 1))
	m.output("z")
	g, err := m.read(t, format.Options{})
	require.NoError(t, err)
	require.Equal(t, int64(64), g.Params())
	require.Len(t, g.Tensors, 4)
}

// Where a message stands is what the reader found, not what the file claims.
func TestONNXOffsetsAreOurs(t *testing.T) {
	m := newONNX(13)
	m.input("x", 2)
	m.node("Nothing", []string{"x"}, []string{"y"}).FileOffset = 123456
	_, err := m.read(t, format.Options{})
	require.ErrorContains(t, err, `m.onnx: byte 6: node "y" (Nothing): unknown operator`)
}

func TestONNXElementTypesAndCaches(t *testing.T) {
	m := newONNX(13)
	m.input("x", 2, 8)
	m.input("past_key_values.0.key", 2, 8)
	for _, in := range m.Graph.Input {
		in.Type.TensorType.ElemType = int32(onnxpb.TensorProto_BFLOAT16)
	}
	m.node("Concat", []string{"past_key_values.0.key", "x"}, []string{"k"}, aInt("axis", 0))
	m.output("k")
	g, err := m.read(t, format.Options{})
	require.NoError(t, err)
	require.Equal(t, graph.KV, g.Tensor(g.Ops[0].In[0]).Role)
	require.Equal(t, graph.BF16, g.Tensor(g.Ops[0].Out[0]).DType)
}

// Operators that the model itself defines.
func TestONNXFunctions(t *testing.T) {
	m := newONNX(17)
	m.input("x", 2, 8)
	m.node("Twice", []string{"x", m.weight("w", 8, 8)}, []string{"y"}, aFloat("slope", 0.1)).Domain = "local"
	m.Graph.Node[0].Name = "block"
	m.Functions = []*onnxpb.FunctionProto{
		{Name: "Twice", Domain: "local", Input: []string{"a", "b"}, Output: []string{"d"}, Attribute: []string{"slope"}, Node: []*onnxpb.NodeProto{
			{OpType: "Once", Domain: "local", Input: []string{"a", "b"}, Output: []string{"c"}},
			{OpType: "Once", Domain: "local", Input: []string{"c", "b"}, Output: []string{"e"}},
			{OpType: "LeakyRelu", Input: []string{"e"}, Output: []string{"d"}, Attribute: []*onnxpb.AttributeProto{{Name: "alpha", RefAttrName: "slope", Type: onnxpb.AttributeProto_FLOAT}}},
		}},
		{Name: "Once", Domain: "local", Input: []string{"a", "b"}, Output: []string{"c"}, Node: []*onnxpb.NodeProto{
			{OpType: "MatMul", Input: []string{"a", "b"}, Output: []string{"c"}, Name: "mm"},
		}},
	}
	m.output("y")
	g, err := m.read(t, format.Options{})
	require.NoError(t, err)
	require.Equal(t, "gemm 1*2x8x8, gemm 1*2x8x8, leaky_relu/1", describe(g))
	require.Equal(t, int64(64), g.Params())
	require.Equal(t, []string{"block/c/mm", "block/e/mm", "block/d"}, []string{g.Ops[0].Name, g.Ops[1].Name, g.Ops[2].Name})

	m.Functions[1].Node[0] = &onnxpb.NodeProto{OpType: "Twice", Domain: "local", Input: []string{"a", "b"}, Output: []string{"c"}}
	_, err = m.read(t, format.Options{})
	require.ErrorContains(t, err, "functions call each other more than 16 deep")
	m.Functions[1].Output[0] = "nowhere"
	m.Functions[1].Node = nil
	_, err = m.read(t, format.Options{})
	require.ErrorContains(t, err, `the result "nowhere" is made by no node inside`)
	m.Functions[0].Input = nil
	_, err = m.read(t, format.Options{})
	require.ErrorContains(t, err, "2 inputs (the function has 0)")
}

func TestONNXIf(t *testing.T) {
	branch := func(op string) *onnxpb.GraphProto {
		return &onnxpb.GraphProto{Node: []*onnxpb.NodeProto{{OpType: op, Input: []string{"x"}, Output: []string{"r"}}}, Output: []*onnxpb.ValueInfoProto{{Name: "r"}}}
	}
	m := newONNX(13)
	m.input("x", 2, 8)
	m.node("Shape", []string{"x"}, []string{"s"})
	m.node("Size", []string{"s"}, []string{"rank"})
	m.node("Equal", []string{"rank", m.list("two", 2)}, []string{"c"})
	m.node("If", []string{"c"}, []string{"y"}, aGraph("then_branch", branch("Relu")), aGraph("else_branch", branch("Tanh")))
	m.output("y")
	g, err := m.read(t, format.Options{})
	require.NoError(t, err)
	require.Equal(t, "relu/1", describe(g))
}

func TestONNXModelErrors(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(m onnxMaker)
	}{
		{"no graph", "m.onnx: byte 6: the file holds no graph; is it cut off, or no ONNX model?", func(m onnxMaker) { m.Graph = nil }},
		{"unknown input", `input 0, "z", is made by no node before this one`, func(m onnxMaker) { m.Graph.Node[0].Input[0] = "z" }},
		{"made twice", `the result "y" was made before`, func(m onnxMaker) { m.node("Relu", []string{"y"}, []string{"y"}) }},
		{"output", `the output "z" is made by no node`, func(m onnxMaker) { m.output("z") }},
		{"no work", "m.onnx: the model does no work that depends on its inputs", func(m onnxMaker) { m.Graph.Node, m.Graph.Output = nil, nil }},
		{"initializer twice", `the initializer "w" is there twice`, func(m onnxMaker) { m.weight("w", 1) }},
		{"initializer shape", `initializer "v" has the shape [-1 3]`, func(m onnxMaker) { m.weight("v", -1, 3) }},
		{"no shape", `the input "z" has no tensor shape`, func(m onnxMaker) { m.Graph.Input = append(m.Graph.Input, &onnxpb.ValueInfoProto{Name: "z"}) }},
		{"no operator set", "the file names no operator set", func(m onnxMaker) { m.OpsetImport = nil }},
		{"input left out", "input 0 is left out", func(m onnxMaker) { m.Graph.Node[0].Input[0] = "" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newONNX(13)
			m.input("x", 2, 8)
			m.node("MatMul", []string{"x", m.weight("w", 8, 8)}, []string{"y"})
			m.output("y")
			_, err := m.read(t, format.Options{})
			require.NoError(t, err)
			c.change(m)
			_, err = m.read(t, format.Options{})
			require.ErrorContains(t, err, c.want)
			formattest.CheckErrors(t, err)
		})
	}
}

func TestWireErrors(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"wire type", "\x3a\x02\x08\x01", "byte 2: field node of GraphProto has wire type 0 (it must be 2)"},
		{"length", "\x08\x03\x3a\x7f\x0a", "byte 2: field graph of ModelProto says it has 127 bytes, but 1 are left; is the file cut off?"},
		{"tag cut off", "\x08\x03\xff", "byte 2: the tag of a field of ModelProto is cut off"},
		{"number too long", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "byte 1: field ir_version of ModelProto is not a valid number"},
		{"field number 0", "\x08\x03\x00", "byte 2: a field of ModelProto has the impossible number 0"},
		{"unknown wire type", "\x08\x03\xfe\x07", "byte 2: field 127 of ModelProto has the unknown wire type 6"},
		{"text", "\x3a\x03\x12\x01\xff", "byte 4: field name of GraphProto is not UTF-8 text"},
		{"packed", "\x3a\x09\x2a\x07\x22\x05\x00\x00\x00\x00\x00", "byte 10: the list float_data of TensorProto ends inside a number"},
		{"fixed", "\x08\x03\x95\x06\x00", "byte 2: field 98 of ModelProto is cut off"},
		{"nested", nestedGraphs(60), "messages are nested more than 40 deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseONNX(format.Bytes("m.onnx", []byte(c.data)))
			require.ErrorContains(t, err, c.want)
		})
	}
}

// nestedGraphs is a graph in an attribute of a node of a graph, and so on.
func nestedGraphs(n int) string {
	field := func(tag byte, s string) string {
		return string([]byte{tag, byte(len(s)&0x7f | 0x80), byte(len(s) >> 7)}) + s
	}
	g := ""
	for range n {
		g = field(0x0a, field(0x2a, field(0x32, g))) // node, attribute, graph
	}
	return field(0x3a, g)
}

func FuzzONNX(f *testing.F) {
	for _, c := range opCases {
		m := newONNX(c.opset)
		var in []string
		for i, v := range c.in {
			name := string(rune('a' + i))
			switch v := v.(type) {
			case x:
				shape := []any{}
				for _, d := range v {
					shape = append(shape, d)
				}
				m.input(name, shape...)
			case w:
				m.weight(name, v...)
			case l:
				m.list(name, v...)
			case f32s:
				m.Graph.Initializer = append(m.Graph.Initializer, &onnxpb.TensorProto{Name: name, DataType: 1, Dims: []int64{int64(len(v))}, FloatData: v})
			}
			in = append(in, name)
		}
		m.node(c.op, in, []string{"y"}, c.attrs...)
		m.output("y")
		f.Add(m.bytes(f))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := reader{}.Read(format.Bytes("m.onnx", data), format.Options{Batch: 2, Sequence: 3})
		if err != nil {
			formattest.CheckErrors(t, err)
			return
		}
		require.NoError(t, g.Validate())
		require.NotEmpty(t, g.Ops)
	})
}
