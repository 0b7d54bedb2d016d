package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Values and indices of groups, by hand: 2:4 of 16 bits keeps 36 of 64 bits, of 8 bits 20
// of 32; 1:8 of 8 bits 11 of 64.
func TestBytesOfSparseWeights(t *testing.T) {
	for _, c := range []struct {
		p           Pattern
		d           DType
		k, n, bytes int
	}{{Pattern{2, 4}, BF16, 64, 3, 3 * 64 / 8 * 9}, {Pattern{2, 4}, Int8, 64, 3, 3 * 64 / 8 * 5}, {Pattern{1, 8}, Int8, 64, 1, 11},
		{Pattern{2, 4}, BF16, 12, 3, 3 * 2 * 9}} {
		g := &Graph{Name: "g"}
		x, w := g.Add(Tensor{Name: "x", Shape: []int{5, c.k}, DType: c.d}), g.Add(Tensor{Name: "w", Shape: []int{c.k, c.n}, DType: c.d, Role: Weight})
		y := g.Add(Tensor{Name: "y", Shape: []int{5, c.n}, DType: c.d})
		g.Append(Op{Name: "fc", Kind: MatMul{M: 5, N: c.n, K: c.k, Batch: 1, SharedB: 1}, In: []TensorID{x, w}, Out: []TensorID{y}})
		n, err := g.SetSparsity(c.p, func(name string) bool { return name == "w" })
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.EqualValues(t, c.bytes, g.Tensor(w).Bytes(), "%+v", c)
		require.EqualValues(t, c.bytes, g.Footprint(&g.Ops[0]).WeightBytes)
		require.Equal(t, c.p, g.Sparsity(&g.Ops[0]))
		_, err = g.SetSparsity(Pattern{3, 64}, func(string) bool { return true })
		if c.k == 12 {
			require.EqualError(t, err, "w: sums of 12 elements are no whole groups of 3:64")
		}
	}
	for _, bad := range []string{"2", "4:4", "0:4", "2:3", "2:128", "a:b", "2:4:8"} {
		require.Error(t, new(Pattern).UnmarshalText([]byte(bad)), bad)
	}
	require.True(t, Pattern{1, 4}.Within(Pattern{2, 4}))
	require.False(t, Pattern{2, 4}.Within(Pattern{}))
	require.False(t, Pattern{2, 8}.Within(Pattern{2, 4}))
}
