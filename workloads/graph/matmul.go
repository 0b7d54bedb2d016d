package graph

import "fmt"

// A MatMul is Batch independent products of an M x K by a K x N matrix.
// In: A (activation), B (weight, KV or activation); optional bias N.
type MatMul struct {
	Batch, M, N, K int
	// SharedB is the number of consecutive products of the batch with the same B: Batch for one
	// weight, heads/kv_heads for grouped-query attention, 1 for independent matrices. 0 means 1.
	SharedB int
	// Stage is the number of the product among Stages consecutive parts by rows of one kernel, of
	// equal shape. Stages 0: a separate product.
	Stage, Stages int
	// Applies is the number of operators in the kernel's epilogue, see fuse.Epilogues.
	Applies int
	// Quantised is set if operators of the graph have made operands of few bits; otherwise kernels of
	// such types make them from activations of 16 bits.
	Quantised bool
}

// Type implements Kind.
func (MatMul) Type() string { return "gemm" }

// MACs implements Kind.
func (m MatMul) MACs() int64 { return int64(m.Batch) * int64(m.M) * int64(m.N) * int64(m.K) }

// VectorOps implements Kind: a bias is loaded into the accumulators first.
func (MatMul) VectorOps() int64 { return 0 }

// Matrix returns the product as a Matrix.
func (m MatMul) Matrix() Matrix {
	return Matrix{Batch: m.Batch, M: int64(m.M), N: int64(m.N), K: int64(m.K), SharedB: max(m.SharedB, 1)}
}

// Normal returns m with a Batch or SharedB of 0 replaced by 1.
func (m MatMul) Normal() MatMul {
	m.Batch, m.SharedB = max(m.Batch, 1), max(m.SharedB, 1)
	return m
}

// Check returns an error for impossible sizes.
func (m MatMul) Check() error {
	switch {
	case min(m.Batch, m.M, m.N, m.K) < 1:
		return fmt.Errorf("%d products of %dx%d by %dx%d (want at least 1)", m.Batch, m.M, m.K, m.K, m.N)
	case m.SharedB < 0 || m.Batch%max(m.SharedB, 1) != 0:
		return fmt.Errorf("matrix B shared by %d of %d products (want a divisor)", m.SharedB, m.Batch)
	}
	return nil
}

func (m MatMul) check(v *validator) {
	if err := m.Check(); err != nil {
		v.errorf("%v", err)
		return
	}
	v.count("matrix A", v.in(0), int64(m.Batch), int64(m.M), int64(m.K))
	v.count("matrix B", v.in(1), int64(m.Batch/max(m.SharedB, 1)), int64(m.K), int64(m.N))
	v.count("output", v.out(), int64(m.Batch), int64(m.M), int64(m.N))
	if _, ok := product(int64(m.Batch), int64(m.M), int64(m.N), int64(m.K)); !ok {
		v.errorf("more than 2^63 multiply-accumulates")
	}
}

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
