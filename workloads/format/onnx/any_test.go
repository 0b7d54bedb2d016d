package onnx

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format/formattest"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Any operator with any inputs and attributes is imported or refused; what is
// imported is a valid graph. About half of the models are a case of the table with one
// thing changed, which gets further than noise.
func TestONNXAnyNode(t *testing.T) {
	names := onnxOpNames()
	size := rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5, 8, 1, 2, 1 << 20, format.MaxDim, format.MaxDim + 1})
	number := rapid.SampledFrom([]int64{0, 1, 2, 3, -1, -2, 4, 5, 7, 100, format.MaxDim, -format.MaxDim, 1 << 40, -1 << 63, 1<<63 - 1})
	attributes := []string{"axis", "axes", "pads", "strides", "dilations", "kernel_shape", "group", "output_shape", "output_padding",
		"auto_pad", "ceil_mode", "perm", "split", "starts", "ends", "keepdims", "blocksize", "equation", "to", "k", "num_groups",
		"shape", "scales", "mode", "value", "value_ints", "allowzero", "transA", "transB", "batch_dims", "num_outputs", "start", "end", "paddings",
		"activation", "hidden_size", "direction", "layout", "linear_before_reset", "q_num_heads", "kv_num_heads", "num_heads"}
	drawn, imported := 0, 0
	check := func(rt *rapid.T) {
		drawn++
		m := newONNX(int64(rapid.IntRange(1, 24).Draw(rt, "opset")))
		var in []string
		var attrs a
		op := rapid.SampledFrom(names).Draw(rt, "op")
		input := func(v any) {
			name := fmt.Sprintf("in%d", len(in))
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
			case f:
				m.Graph.Initializer = append(m.Graph.Initializer, &onnxpb.TensorProto{Name: name, DataType: 1, Dims: []int64{int64(len(v))}, FloatData: v})
			case k:
				m.Graph.Initializer = append(m.Graph.Initializer, &onnxpb.TensorProto{Name: name, DataType: 7, Int64Data: []int64{int64(v)}})
			case nil:
				name = ""
			}
			in = append(in, name)
		}
		operand := rapid.Custom(func(rt *rapid.T) any {
			switch rapid.IntRange(0, 5).Draw(rt, "kind") {
			case 0:
				return w(rapid.SliceOfN(size, 0, 5).Draw(rt, "weight"))
			case 1:
				return l(rapid.SliceOfN(number, 0, 5).Draw(rt, "list"))
			case 2:
				return k(number.Draw(rt, "scalar"))
			case 3:
				return f(rapid.SliceOfN(rapid.Float32(), 0, 5).Draw(rt, "floats"))
			}
			return x(rapid.SliceOfN(size, 0, 5).Draw(rt, "input"))
		})
		outs := rapid.IntRange(1, 3).Draw(rt, "outs")
		extra := 3
		if rapid.Bool().Draw(rt, "from the table") {
			c := rapid.SampledFrom(opCases).Draw(rt, "case")
			op, attrs, m.OpsetImport[0].Version = c.op, slices.Clone(c.attrs), c.opset
			outs, extra = strings.Count(c.shape, "["), 1
			operands := slices.Clone(c.in)
			if n := len(operands); n > 0 {
				i := rapid.IntRange(0, n-1).Draw(rt, "changed")
				if s, ok := operands[i].(x); ok && len(s) > 0 && rapid.Bool().Draw(rt, "one dimension") {
					s = slices.Clone(s)
					s[rapid.IntRange(0, len(s)-1).Draw(rt, "at")] = size.Draw(rt, "size")
					operands[i] = s
				} else {
					operands[i] = operand.Draw(rt, "operand")
				}
			}
			for _, v := range operands {
				input(v)
			}
		} else {
			for range rapid.IntRange(0, 5).Draw(rt, "inputs") {
				input(operand.Draw(rt, "operand"))
			}
		}
		for range rapid.IntRange(0, extra).Draw(rt, "attributes") {
			name := rapid.SampledFrom(attributes).Draw(rt, "attribute")
			switch rapid.IntRange(0, 4).Draw(rt, "type") {
			case 0:
				attrs = append(attrs, aInt(name, number.Draw(rt, "int")))
			case 1:
				attrs = append(attrs, aFloats(name, rapid.SliceOfN(rapid.Float32(), 0, 5).Draw(rt, "floats")...))
			case 2:
				attrs = append(attrs, aText(name, rapid.SampledFrom([]string{"SAME_UPPER", "VALID", "...ij,...jk", "ij->", "ab,bc->ac", "reverse", "bidirectional", "x"}).Draw(rt, "text")))
			case 3:
				attrs = append(attrs, aTensor(name, intTensor("", rapid.SliceOfN(number, 0, 3).Draw(rt, "tensor")...)))
			case 4:
				attrs = append(attrs, aInts(name, rapid.SliceOfN(number, 0, 6).Draw(rt, "ints")...))
			}
		}
		var out []string
		for i := range outs {
			out = append(out, fmt.Sprintf("out%d", i))
		}
		m.node(op, in, out, attrs...)
		for _, o := range out {
			m.node("Relu", []string{o}, []string{o + "r"})
		}
		m.input("also", 1)
		m.node("Relu", []string{"also"}, []string{"work"})
		m.output(out[0])
		b, err := proto.Marshal(m.ModelProto)
		require.NoError(rt, err)
		g, err := reader{}.Read(format.Bytes("m.onnx", b), format.Options{})
		if err != nil {
			formattest.CheckErrors(t, err)
			// What the graph refuses the importer should have refused, at the node.
			require.NotContains(rt, err.Error(), "m.onnx: m: ")
			return
		}
		imported++
		require.NoError(rt, g.Validate())
	}
	rapid.Check(t, func(rt *rapid.T) {
		for range 10 { // models of one draw of the property: all differ, also where its seed is fixed
			check(rt)
		}
	})
	require.Greater(t, 10*imported, drawn, "most draws are refused: %d of %d are imported", imported, drawn)
}

func onnxOpNames() []string {
	names := []string{"If"}
	for name := range onnxOps {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
