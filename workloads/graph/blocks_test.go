package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Elements and scale of a block, in bytes, from the formats' own documents.
func TestBytesOfBlocks(t *testing.T) {
	for d, c := range map[DType]struct {
		block, one, two int64 // of a block, of one element, of a block and one
		width           float64
	}{
		MXFP8: {33, 33, 66, 8.25}, MXFP6: {25, 25, 50, 6.25}, MXFP4: {17, 17, 34, 4.25},
		NVFP4: {9, 9, 18, 4.5}, Q8: {34, 34, 68, 8.5}, Q4: {18, 18, 36, 4.5},
		Int8: {1, 1, 2, 8}, Int4: {1, 1, 2, 4}, BF16: {2, 2, 4, 16},
	} {
		n := d.Unit().Elements
		require.Equal(t, c.block, d.Bytes(n), d)
		require.Equal(t, c.one, d.Bytes(1), d)
		require.Equal(t, c.two, d.Bytes(n+1), d)
		require.Equal(t, c.width, d.Width(), d)
		require.Zero(t, d.Bytes(0))
		require.Equal(t, d.Blocked(), n > 2)
	}
}

// Weights of matrices have blocks along the sum; biases and tables that a gather alone
// reads keep the type of the activations. A table that is a matrix too has blocks.
func TestWhereBlocksAre(t *testing.T) {
	g := &Graph{Name: "g"}
	add := func(role Role, shape ...int) TensorID { return g.Add(Tensor{Shape: shape, Role: role}) }
	table, tied, w, bias := add(Weight, 50, 40), add(Weight, 60, 40), add(Weight, 40, 100), add(Weight, 100)
	ids, x, y, z := add(Input, 3), add(Activation, 3, 40), add(Activation, 3, 100), add(Output, 3, 60)
	g.Append(Op{Name: "look", Kind: Gather{Rows: 3, Cols: 40, Table: 50}, In: []TensorID{table, ids}, Out: []TensorID{x}})
	g.Append(Op{Name: "fc", Kind: MatMul{M: 3, N: 100, K: 40, Batch: 1, SharedB: 1}, In: []TensorID{x, w, bias}, Out: []TensorID{y}})
	g.Append(Op{Name: "head", Kind: MatMul{M: 3, N: 60, K: 40, Batch: 1, SharedB: 1}, In: []TensorID{x, tied}, Out: []TensorID{z}})
	g.SetDTypes(DTypes{Weight: MXFP4, Activation: BF16, KV: BF16, Accumulator: FP32})
	require.EqualValues(t, 50*40*2, g.Tensor(table).Bytes())
	require.EqualValues(t, 100*2*17, g.Tensor(w).Bytes())
	require.EqualValues(t, 60*2*17, g.Tensor(tied).Bytes())
	require.EqualValues(t, 100*64, g.Tensor(w).Padded())
	require.Equal(t, BF16, g.Tensor(bias).DType)
	require.Equal(t, Int32, g.Tensor(ids).DType)
	require.EqualValues(t, 100*2*17+100*2, g.Footprint(&g.Ops[1]).WeightBytes)
	g.SetDTypes(DTypes{Weight: MXFP4, Activation: MXFP8, KV: BF16, Accumulator: FP32})
	require.Equal(t, BF16, g.Tensor(bias).DType)
	require.EqualValues(t, 3*2*33, g.Tensor(x).Bytes())
}
