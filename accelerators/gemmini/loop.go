package gemmini

import "iter"

// A Loop is one tile: a single command of the processor, which a state machine of the accelerator
// unrolls into loads, preloads, computes and stores. Exactly one of its two parts is used.
type Loop struct {
	IsConv bool
	Conv   ConvTile
	Matmul MatmulTile
}

// A ConvTile is one tile of a convolution.
type ConvTile struct {
	// Batch, InRows, InCols, InChannels and OutChannels of the whole convolution.
	InRows, InCols, InChannels, OutRows, OutCols, OutChannels int
	KernelRows, KernelCols, Stride                            int
	// Sizes of this tile.
	Batches, Rows, Cols, Filters, KRows, KCols, Channels int
	// Zeros on the four sides of this tile's inputs.
	Left, Right, Up, Down int
	// Addresses; Output is 0 where results stay in the accumulators.
	Input, Weights, Output int64
	// Clear says that the accumulators are set to zero first.
	Clear bool
}

// A MatmulTile is one tile of a product C = A B, in blocks of Machine.Dim.
type MatmulTile struct {
	I, J, K int
	// PadI, PadJ and PadK are elements that the last blocks lack.
	PadI, PadJ, PadK int
	// A, B and C are addresses; C is 0 where results stay in the accumulators.
	A, B, C int64
	// First says that nothing was accumulated before.
	First bool
	// Bytes from one row to the next.
	AStride, BStride, CStride int
}

// A Program is the tiles of an operator, in order.
type Program struct {
	// Start is processor cycles before the first tile.
	Start int
	Loops iter.Seq[Loop]
}

// Addresses of operands. They are far from each other and aligned to pages.
const (
	inputAt  = 1 << 32
	weightAt = 2 << 32
	outputAt = 3 << 32
)
