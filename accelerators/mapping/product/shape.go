package product

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Form is the way an operator's products lie in its tensors.
type Form uint8

const (
	GEMM       Form = iota
	Conv            // im2col over output pixels
	Transposed      // over input pixels; results overlap and are added
)

// A Shape is all that the search depends on: sizes of one core's share and the
// widths of elements. Equal shapes get equal mappings; it is the key of the
// memo.
//
// The m axis is images x rows x cols: output pixels of a convolution (input
// pixels if transposed), 1 x M x 1 for a GEMM.
type Shape struct {
	Form               Form
	Batch              int64 // independent products: heads, groups
	Images, Rows, Cols int64
	N, K               int64
	FullK              int64 // k of the whole operator
	NUnit, KUnit       int64 // tiles of n and k are multiples: kernel positions
	row0               int64 // first output row of the share

	// geometry of the input plane of a convolution
	h, W                     int64
	strideH, extH, padTop    int64 // ext: rows from the first to the last tap
	strideW, extW, padLeft   int64
	Between                  bool               // rows that no kernel position touches are read, too: whole planes take fewer requests
	OutH, OutW, outPad       int64              // transposed: output plane and cropped rows
	UpH, KernH               int64              // transposed: output rows per input row, rows touched
	AWide, BWide, CWide, Acc graph.Unit         // of elements
	BiasWide                 graph.Unit         // zero: no bias
	Sides                    int64              // operands as large as the results that are read as these leave
	Small                    int64              // bytes of smaller ones, read with every tile of columns
	Vector                   int64              // operations of the vector unit on the results as these leave
	ALayout, CLayout         layout.Arrangement // how inputs and results lie
	BRows                    bool               // B lies as N rows of K (keys); else K rows of N
	BPacked                  bool               // B is a weight, stored in the order of the tiles
	Kept                     Kept               // what of it stays on the chip, so that it does not move
}

// Bare is the shape without what only its time depends on.
func (s *Shape) Bare() Shape {
	x := *s
	x.Vector = 0
	return x
}

func (s *Shape) M() int64    { return s.Images * s.Rows * s.Cols }
func (s *Shape) MACs() int64 { return s.Batch * s.M() * s.N * s.K }

// New is the shape of the share sh of op, whose matrix view is m.
func New(g *graph.Graph, op *graph.Op, m graph.Matrix, sh Share, acc graph.DType, bias, out graph.TensorID) (Shape, error) {
	if len(op.In) < 2 || len(op.Out) < 1 {
		return Shape{}, fmt.Errorf("%s: has %d inputs and %d outputs (want at least 2 and 1)", op.Name, len(op.In), len(op.Out))
	}
	if acc.Bits() < 8 || acc.Blocked() {
		return Shape{}, fmt.Errorf("%s: partial sums of type %s (want one of at least 8 bits that is no block format)", op.Name, acc)
	}
	a, b, c := g.Tensor(op.In[0]), g.Tensor(op.In[1]), g.Tensor(out)
	s := Shape{Batch: sh.Batch.Len(), Images: sh.Image.Len(), Rows: sh.Row.Len(), Cols: 1, N: sh.N.Len(), K: m.K,
		FullK: m.K, NUnit: 1, KUnit: 1, row0: sh.Row.From,
		AWide: a.Unit(), BWide: b.Unit(), CWide: c.Unit(), Acc: acc.Unit()}
	if sh.K.Len() > 0 {
		s.K = sh.K.Len()
	}
	if bias != graph.None {
		s.BiasWide = g.Tensor(bias).Unit()
	}
	if s.MACs() <= 0 {
		return Shape{}, fmt.Errorf("%s: %d products of %d x %d by %d x %d are no work", op.Name, m.Batch, m.M, m.K, m.K, m.N)
	}
	needA, needB, needC := int64(m.Batch)*m.M*m.K, int64(m.Batch)*m.K*m.N, int64(m.Batch)*m.M*m.N
	s.BPacked = b.Role == graph.Weight
	if v := m.Conv; v != nil {
		if s.AWide.Blocked() || s.CWide.Blocked() {
			return Shape{}, fmt.Errorf("%s: activations of type %s and %s in a convolution (want no block formats: channels, along which blocks lie, are no rows in memory)", op.Name, a.DType, c.DType)
		}
		s.BPacked = true
		s.h, s.W = int64(v.H), int64(v.W)
		s.OutH, s.OutW = int64(v.OutH()), int64(v.OutW())
		s.KernH = int64(v.DilationH*(v.R-1) + 1)
		needA = int64(v.N) * int64(v.C) * s.h * s.W
		needC = int64(v.N) * int64(v.K) * s.OutH * s.OutW
		if v.Transposed {
			s.Form, s.Cols, s.NUnit = Transposed, s.W, int64(v.R*v.S)
			s.strideH, s.extH, s.strideW, s.extW = 1, 1, 1, 1
			s.UpH, s.outPad = int64(v.StrideH), int64(v.PadTop)
		} else {
			s.Form, s.Cols, s.KUnit = Conv, s.OutW, int64(v.R*v.S)
			s.strideH, s.extH, s.padTop = int64(v.StrideH), s.KernH, int64(v.PadTop)
			s.strideW, s.extW, s.padLeft = int64(v.StrideW), int64(v.DilationW*(v.S-1)+1), int64(v.PadLeft)
		}
	} else if d := b.Shape; !s.BPacked && len(d) >= 2 {
		r, c := int64(d[len(d)-2]), int64(d[len(d)-1])
		s.BRows = r == m.N && c == m.K && r != c
	}
	for _, x := range []struct {
		t    *graph.Tensor
		need int64
	}{{a, needA}, {b, needB}, {c, needC}} {
		if e := x.t.Elements(); e < x.need {
			return Shape{}, fmt.Errorf("%s: tensor %s has %d elements, the operator needs %d", op.Name, x.t.Name, e, x.need)
		}
	}
	return s, nil
}

// InRows is the run of input rows that output rows [p0, p1) of the share need
// and output rows before done (0: none) did not: first row, count, and the
// distance between rows. Padding is not read. Rows that no kernel position
// touches are skipped only if the kernel has one row, and not where between is set.
func (s *Shape) InRows(p0, p1, done int64) (first, count, pitch int64) {
	p0, p1, done = p0+s.row0, p1+s.row0, done+s.row0
	if s.SkipsRows() {
		p0 = max(p0, done, integer.Ceil(s.padTop, s.strideH))
		p1 = min(p1, integer.Ceil(s.h+s.padTop, s.strideH))
		return p0*s.strideH - s.padTop, max(0, p1-p0), s.strideH
	}
	lo, _ := window(p0, p1, s.strideH, s.extH, s.padTop, s.h, s.OutH)
	if done > s.row0 {
		_, e := window(p0, done, s.strideH, s.extH, s.padTop, s.h, s.OutH)
		lo = max(lo, e)
	}
	_, hi := window(p0, p1, s.strideH, s.extH, s.padTop, s.h, s.OutH)
	return lo, max(0, hi-lo), 1
}

// SkipsRows reports whether rows of the input lie between those that are read.
func (s *Shape) SkipsRows() bool { return s.Form == Conv && s.extH == 1 && s.strideH > 1 && !s.Between }

// InCols is the run of input columns that output columns [q0, q1) need; all
// parts of a row together read the whole row.
func (s *Shape) InCols(q0, q1 int64) (first, count int64) {
	lo, hi := window(q0, q1, s.strideW, s.extW, s.padLeft, s.W, s.OutW)
	if q0 == 0 {
		lo = 0
	}
	if q1 == s.Cols {
		hi = s.W
	}
	return lo, max(0, hi-lo)
}

// window is the input range [lo, hi) under output positions [p0, p1) of an axis
// with n inputs and outs outputs. What a wide stride leaves out between two
// positions belongs to the first, so that small tiles do not read less.
func window(p0, p1, stride, ext, pad, n, outs int64) (lo, hi int64) {
	if p1 < outs {
		ext = max(ext, stride)
	}
	return min(n, max(0, p0*stride-pad)), min(n, max(0, (p1-1)*stride-pad+ext))
}

// OutRows is the run of output rows of a transposed convolution that are
// complete once input rows [p0, p1) of the share are in and were not before;
// last tells that no input row follows in the share.
func (s *Shape) OutRows(p0, p1 int64) (first, count int64) {
	p0, p1 = p0+s.row0, p1+s.row0
	lo := min(s.OutH, max(0, p0*s.UpH-s.outPad))
	if p0 == 0 {
		lo = 0
	}
	hi := min(s.OutH, max(0, p1*s.UpH-s.outPad))
	if p1 == s.h {
		hi = s.OutH
	}
	return lo, max(0, hi-lo)
}

// Axis is the length of an axis.
func (s *Shape) Axis(x dataflow.Axis) int64 {
	switch x {
	case dataflow.M:
		return s.M()
	case dataflow.N:
		return s.N
	}
	return s.K
}
