package recipe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// layer is two products that read one operand, of which a norm is the maker, and a third that reads
// what an activation makes.
func layer(t *testing.T) *graph.Graph {
	b := graph.NewBuilder("layer")
	x := b.Norm("L0.norm", "rms", b.Input("x", 8, 32))
	y := b.Mul("L0.mul", b.Elementwise("L0.silu", "silu", b.Linear("L0.gate", x, 64)), b.Linear("L0.up", x, 64))
	b.Output(b.Linear("head", b.Linear("L0.down", y, 32), 100))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	return g
}

// Products of layers read operands of the recipe's type, each cast once; a norm writes its own.
// Results, the head and all work on matrix units stay as they were.
func TestApplyCastsOperandsOnce(t *testing.T) {
	g := layer(t)
	for _, r := range []Recipe{{Products: graph.FP8}, {Products: graph.FP8, Transposes: true}, {Products: graph.NVFP4, Transposes: true, Current: true}} {
		out, before := Apply(g, [][2]int32{{5, 0}}, r)
		require.NoError(t, out.Validate())
		require.Equal(t, g.MACs(), out.MACs())
		require.Equal(t, "L0.down", out.Ops[before[0][0]].Name)
		require.Equal(t, "L0.norm", out.Ops[before[0][1]].Name)
		casts, most := 0, 0
		for i := range out.Ops {
			op := &out.Ops[i]
			switch k := op.Kind.(type) {
			case graph.MatMul:
				quantised := op.Name != "head"
				require.Equal(t, quantised, k.Quantised, op.Name)
				for _, id := range op.In[:2] {
					require.Equal(t, quantised, out.Tensor(id).DType == r.Products, op.Name)
				}
				require.Equal(t, graph.BF16, out.Tensor(op.Out[0]).DType)
			case graph.Elementwise:
				if k.Func == "cast" {
					casts++
					want := out.Tensor(op.Out[0]).Bytes()
					if r.Transposes {
						want *= 2
					}
					require.Equal(t, want, out.Footprint(op).OutputBytes)
				}
			case graph.Reduce:
				most++
			}
		}
		require.Equal(t, map[bool]int{false: 4, true: 5}[r.Current], casts, "three weights, the activation, and what the norm makes where its greatest has to be known first")
		require.Equal(t, map[bool]int{true: 4}[r.Current], most)
	}
}

// A gated activation is one operator of the same operations; one that two operators read stays.
func TestGates(t *testing.T) {
	g := layer(t)
	out := Gates(g)
	require.NoError(t, out.Validate())
	require.Len(t, out.Ops, len(g.Ops)-1)
	require.Equal(t, g.VectorOps(), out.VectorOps())
	b := graph.NewBuilder("two")
	a := b.Elementwise("L0.silu", "silu", b.Input("x", 8, 32))
	b.Output(b.Mul("L0.mul", a, b.Input("y", 8, 32)), b.Add("L0.add", a, b.Input("z", 8, 32)))
	two, err := b.Graph()
	require.NoError(t, err)
	require.Len(t, Gates(two).Ops, 3)
}
