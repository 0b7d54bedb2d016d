package operator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/operator"
)

// Each gradient of a convolution takes as many products as the convolution itself, at the
// edges as many more as the padding has, and reads and writes the tensors once.
func TestGradientsOfConvolutions(t *testing.T) {
	for name, c := range map[string]struct {
		sizes map[string]int
		macs  int64 // of each gradient
		more  int64 // bytes: tensors whose channels are put last
	}{
		"1x1":         {map[string]int{"channels": 6, "filters": 10, "kernel": 1}, 2 * 6 * 10 * 8 * 8, 0},
		"1x1, half":   {map[string]int{"channels": 6, "filters": 10, "kernel": 1, "stride": 2}, 2 * 6 * 10 * 4 * 4, 0},
		"3x3":         {map[string]int{"channels": 6, "filters": 10, "kernel": 3, "padding": 1}, 2 * 6 * 10 * 9 * 8 * 8, 0},
		"3x3, half":   {map[string]int{"channels": 6, "filters": 10, "kernel": 3, "padding": 1, "stride": 2}, 2 * 6 * 10 * 9 * 4 * 4, 0},
		"1x1, relaid": {map[string]int{"channels": 6, "filters": 10, "kernel": 1, "convert": 1}, 2 * 6 * 10 * 8 * 8, 4 * 2 * 2 * 64 * (6 + 10 + 6)},
	} {
		sizes := map[string]int{"batch": 2, "height": 8, "width": 8}
		for k, v := range c.sizes {
			sizes[k] = v
		}
		g, err := operator.Graph("x", []operator.Row{{Name: "r", Op: "conv_backward", Sizes: sizes}}, graph.Uniform(graph.FP32))
		require.NoError(t, err, name)
		var moved int64
		for i := range g.Ops {
			op := &g.Ops[i]
			if _, ok := op.Kind.(graph.Move); ok {
				moved += g.Footprint(op).Bytes()
				continue
			}
			require.Equal(t, c.macs, op.MACs(), "%s: %s", name, op.Name)
		}
		require.Equal(t, c.more, moved, name)
		out := g.Tensor(g.Ops[len(g.Ops)-1].Out[0])
		require.Equal(t, []int{6, 10, sizes["kernel"], sizes["kernel"]}, out.Shape, name)
	}
	sizes := map[string]int{"channels": 6, "filters": 10, "kernel": 3, "padding": 3, "height": 8, "width": 8}
	_, err := operator.Graph("x", []operator.Row{{Name: "r", Op: "conv_backward", Sizes: sizes}}, graph.Uniform(graph.FP32))
	require.ErrorContains(t, err, "padding is 3 (want less than the kernel, 3)")
}
