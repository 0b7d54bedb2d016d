package node

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func TestHalfFloat(t *testing.T) {
	for h, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: 5.960464477539063e-08, 0x0400: 6.103515625e-05, 0x3555: 0.333251953125} {
		require.Equal(t, want, halfFloat(h)) // IEEE 754-2008, binary16
	}
}

// Walk visits, for each element of the broadcast shape, the elements that indices give: an axis
// of 1 is read again and again.
func TestWalkTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		to := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 4).Draw(t, "to")
		var from [2][]int
		for k := range from {
			from[k] = append([]int{}, to[rapid.IntRange(0, len(to)-1).Draw(t, "first"):]...)
			for d := range from[k] {
				if rapid.Bool().Draw(t, "one") {
					from[k][d] = 1
				}
			}
		}
		got, ok := Broadcast(from[0], from[1], to)
		require.True(t, ok)
		require.Equal(t, to, got)
		n := 0
		Walk(to, nil, [][]int{BroadcastStep(from[0], to), BroadcastStep(from[1], to)}, func(i int, at []int) {
			require.Equal(t, n, i)
			n++
			for k, shape := range from {
				want, rest, size := 0, i, 1
				for d := len(to) - 1; d >= 0; d-- {
					index := rest % to[d]
					rest /= to[d]
					if own := d - len(to) + len(shape); own >= 0 {
						if shape[own] > 1 {
							want += index * size
						}
						size *= shape[own]
					}
				}
				require.Equal(t, want, at[k])
			}
		})
		require.EqualValues(t, Elements(to), n)
	})
}

func TestShapesThatDoNotBroadcast(t *testing.T) {
	_, ok := Broadcast([]int{2, 3}, []int{2, 2})
	require.False(t, ok)
}

// A model needs no operator but those that its rules have: the rule of Twice emits two
// elementwise operators, and a result of constants becomes none.
func TestRulesAreTheCallers(t *testing.T) {
	twice := Rule{Least: 1, Most: 1, Apply: func(n *Node) error {
		x := n.In[0]
		half := n.Temp("half", x.Elem, x.Shape...)
		k := graph.Elementwise{Func: "relu", Elements: x.Elements(), Inputs: 1, OpsPer: 1}
		if err := n.EmitStep("first", k, []*Value{x}, half); err != nil {
			return err
		}
		out, err := n.Result(0, x.Elem, x.Shape...)
		if err != nil {
			return err
		}
		return n.Emit(k, []*Value{half}, out)
	}}
	rules := func(op string) (Rule, bool) { return twice, op == "Twice" }
	dim := &onnxpb.TensorShapeProto_Dimension{Value: &onnxpb.TensorShapeProto_Dimension_DimParam{DimParam: "N"}}
	model := &onnxpb.ModelProto{Graph: &onnxpb.GraphProto{
		Input: []*onnxpb.ValueInfoProto{{Name: "x", Type: &onnxpb.TypeProto{TensorType: &onnxpb.TypeProto_Tensor{
			ElemType: int32(onnxpb.TensorProto_FLOAT), Shape: &onnxpb.TensorShapeProto{Dim: []*onnxpb.TensorShapeProto_Dimension{dim}}}}}},
		Initializer: []*onnxpb.TensorProto{{Name: "w", DataType: int32(onnxpb.TensorProto_FLOAT), Dims: []int64{5}}},
		Node: []*onnxpb.NodeProto{
			{OpType: "Twice", Name: "a", Input: []string{"x"}, Output: []string{"y"}},
			{OpType: "Twice", Name: "b", Input: []string{"w"}, Output: []string{"v"}},
		},
		Output: []*onnxpb.ValueInfoProto{{Name: "y"}},
	}}
	g, s, err := ImportValues("m", model, format.Options{Batch: 7}, rules)
	require.NoError(t, err)
	require.Len(t, g.Ops, 2)
	require.Equal(t, "a.first", g.Ops[0].Name)
	require.EqualValues(t, 14, g.Ops[0].VectorOps()+g.Ops[1].VectorOps())
	require.True(t, s.Find("v").Const)
	require.Equal(t, []int{5}, s.Find("v").Shape)

	other := proto.Clone(model).(*onnxpb.ModelProto)
	other.Graph.Node[0].OpType = "Thrice"
	_, _, err = ImportValues("m", other, format.Options{}, rules)
	require.ErrorContains(t, err, `node "a" (Thrice): unknown operator; of the model's operators these are not known: Thrice (1 node)`)
	other.Graph.Node[0].OpType, other.Graph.Node[0].Input = "Twice", []string{"x", "x"}
	_, _, err = ImportValues("m", other, format.Options{}, rules)
	require.ErrorContains(t, err, "2 inputs (want 1 to 1)")
}
