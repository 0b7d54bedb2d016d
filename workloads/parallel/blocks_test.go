package parallel

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// twoProducts is x [8 x 64], 64 to 256 and 256 to n elements; the second weight lies as
// n x 256 where turned.
func twoProducts(d graph.DType, n int, turned bool) *graph.Graph {
	g := &graph.Graph{Name: "two"}
	add := func(name string, role graph.Role, d graph.DType, shape ...int) graph.TensorID {
		return g.Add(graph.Tensor{Name: name, Role: role, DType: d, Shape: shape})
	}
	x, y, z := add("x", graph.Input, graph.FP16, 8, 64), add("y", graph.Activation, graph.FP16, 8, 256), add("z", graph.Output, graph.FP16, 8, n)
	a, b := add("a", graph.Weight, d, 64, 256), graph.None
	if b = add("b", graph.Weight, d, 256, n); turned {
		g.Tensor(b).Shape = []int{n, 256}
	}
	g.Append(graph.Op{Name: "up", In: []graph.TensorID{x, a}, Out: []graph.TensorID{y}, Kind: graph.MatMul{Batch: 1, M: 8, N: 256, K: 64, SharedB: 1}})
	g.Append(graph.Op{Name: "down", In: []graph.TensorID{y, b}, Out: []graph.TensorID{z}, Kind: graph.MatMul{Batch: 1, M: 8, N: n, K: 256, SharedB: 1}})
	return g
}

// Blocks and groups lie along sums, however a weight is cut: by columns a rank has whole
// ones of them, by rows its part of the sum begins with one of its own, which is stored
// whole where the part does not fill it.
func TestTensorKeepsBlocks(t *testing.T) {
	for _, c := range []struct {
		format     string
		ranks, n   int
		along      int64 // of the second weight of a rank
		up, down   int64 // bytes of a rank
		turnedAlso bool
	}{
		{"mxfp4", 4, 96, 64, 64 * 2 * 17, 96 * 2 * 17, true},    // 2 blocks of 17 B in 64 elements
		{"mxfp4", 16, 96, 16, 16 * 2 * 17, 96 * 17, true},       // half a block
		{"mxfp4", 4, 256, 64, 64 * 2 * 17, 256 * 2 * 17, false}, // square
		{"int4_g128", 4, 96, 64, 64 * 66, 96 * 66, true},        // sums of 64 in one block of 128
		{"2:4", 4, 96, 64, 64 * 8 * 9, 96 * 8 * 9, true},        // 8 elements of 16 bits: 4 and 4 indices, 9 B
	} {
		for _, turned := range []bool{false, true} {
			if turned && !c.turnedAlso {
				continue
			}
			d, err := graph.ParseDType(c.format)
			if err != nil {
				d = graph.FP16
			}
			g := twoProducts(d, c.n, turned)
			if g.SettleBlocks(graph.FP16); err != nil {
				var p graph.Pattern
				require.NoError(t, p.UnmarshalText([]byte(c.format)))
				_, err := g.SetSparsity(p, func(string) bool { return true })
				require.NoError(t, err)
			}
			s, err := Tensor(g, Tensors{Ranks: c.ranks})
			require.NoError(t, err)
			seen := map[string][2]int64{}
			for i := range s.Graph.Tensors {
				if x := &s.Graph.Tensors[i]; x.Role == graph.Weight {
					seen[x.Name] = [2]int64{x.Along, x.Bytes()}
				}
			}
			require.Equal(t, map[string][2]int64{"a": {64, c.up}, "b": {c.along, c.down}}, seen, fmt.Sprint(c.format, c.ranks, turned))
		}
	}
}
