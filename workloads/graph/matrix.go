package graph

// A Matrix is the matrix view of a Conv or a MatMul: Batch independent products
// of M x K by K x N. A convolution is lowered as im2col: M output pixels of all
// images, N filters of one group, K = channels of one group x kernel, Batch =
// groups. A transposed convolution is lowered the input-oriented way: M input
// pixels, N = filters x kernel (overlapping sums are added afterwards), K =
// channels.
type Matrix struct {
	Batch   int
	M, N, K int64
	SharedB int   // consecutive products that use the same B, as in MatMul
	Conv    *Conv // the convolution that it stands for, else nil
}

// MACs is the number of multiply-accumulates.
func (m Matrix) MACs() int64 { return int64(m.Batch) * m.M * m.N * m.K }
