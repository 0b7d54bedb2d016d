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
	Conv    *Conv // the convolution behind it, else nil
}

// Matrix returns the matrix view of op; ok is false for what is not matrix work.
func (op *Op) Matrix() (m Matrix, ok bool) {
	switch k := op.Kind.(type) {
	case MatMul:
		return Matrix{Batch: k.Batch, M: int64(k.M), N: int64(k.N), K: int64(k.K), SharedB: max(k.SharedB, 1)}, true
	case Conv:
		m := Matrix{Batch: k.Groups, SharedB: 1, Conv: &k}
		if k.Transposed {
			m.M = int64(k.N) * int64(k.H) * int64(k.W)
			m.N = int64(k.K/k.Groups) * int64(k.R) * int64(k.S)
			m.K = int64(k.C / k.Groups)
			return m, true
		}
		m.M = int64(k.N) * int64(k.OutH()) * int64(k.OutW())
		m.N = int64(k.K / k.Groups)
		m.K = int64(k.C/k.Groups) * int64(k.R) * int64(k.S)
		return m, true
	}
	return Matrix{}, false
}

// MACs is the number of multiply-accumulates.
func (m Matrix) MACs() int64 { return int64(m.Batch) * m.M * m.N * m.K }
