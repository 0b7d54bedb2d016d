package graph

import (
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// A Softmax normalises Rows vectors of Cols elements. It also computes elements that Mask hides;
// Attention skips them.
type Softmax struct {
	Rows, Cols int64
	Mask       masking.Mask
}

// Operations of a softmax in three passes (Milakov and Gimelshein, arXiv 1805.02867,
// Algorithm 2). The costs of transcendental functions are as in func.go.
const (
	softmaxElement = 8 // maximum, subtract, exp (4), sum, multiply by the reciprocal
	softmaxRow     = 4 // the reciprocal of the sum
)

// Type implements Kind.
func (Softmax) Type() string { return "softmax" }

// MACs implements Kind.
func (Softmax) MACs() int64 { return 0 }

// VectorOps implements Kind.
func (s Softmax) VectorOps() int64 { return s.Rows * (s.Cols*softmaxElement + softmaxRow) }

// RowCount implements RowWise.
func (s Softmax) RowCount() int64 { return s.Rows }

// WithRows implements RowWise.
func (s Softmax) WithRows(n int64) Kind { s.Rows = n; return s }

func (s Softmax) check(v *validator) {
	if err := s.Mask.Check(1, int(s.Cols)); err != nil {
		v.errorf("%v", err)
	}
	v.count("input", v.in(0), s.Rows, s.Cols)
	v.count("output", v.out(), s.Rows, s.Cols)
}
