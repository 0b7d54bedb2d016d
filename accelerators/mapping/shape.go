package mapping

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A operandLayout is the way an operator's products lie in its tensors.
type operandLayout uint8

const (
	gemm       operandLayout = iota
	conv                     // im2col over output pixels
	transposed               // over input pixels; results overlap and are added
)

// A shape is all that the search depends on: sizes of one core's share and the
// widths of elements. Equal shapes get equal mappings; it is the key of the
// memo.
//
// The m axis is images x rows x cols: output pixels of a convolution (input
// pixels if transposed), 1 x M x 1 for a GEMM.
type shape struct {
	form               operandLayout
	batch              int64 // independent products: heads, groups
	images, rows, cols int64
	n, k               int64
	fullK              int64 // k of the whole operator
	nUnit, kUnit       int64 // tiles of n and k are multiples: kernel positions
	row0               int64 // first output row of the share

	// geometry of the input plane of a convolution
	h, w                     int64
	strideH, extH, padTop    int64 // ext: rows from the first to the last tap
	strideW, extW, padLeft   int64
	between                  bool  // rows that no kernel position touches are read, too: whole planes take fewer requests
	outH, outW, outPad       int64 // transposed: output plane and cropped rows
	upH, kernH               int64 // transposed: output rows per input row, rows touched
	aWide, bWide, cWide, acc width // of elements
	biasWide                 width // zero: no bias
	sides                    int64 // operands as large as the results that are read as these leave
	small                    int64 // bytes of smaller ones, read with every tile of columns
	vector                   int64 // operations of the vector unit on the results as these leave
	aLay, cLay               lay   // how inputs and results lie
	bRows                    bool  // B lies as N rows of K (keys); else K rows of N
	bPacked                  bool  // B is a weight, stored in the order of the tiles
	kept                     kept  // what of it stays on the chip, so that it does not move
}

// bare is the shape without what only its time depends on.
func (s *shape) bare() shape {
	x := *s
	x.vector = 0
	return x
}

func (s *shape) m() int64    { return s.images * s.rows * s.cols }
func (s *shape) macs() int64 { return s.batch * s.m() * s.n * s.k }

// A share is the part of an operator that one core does. The zero value of Part
// means all of it.
type share struct {
	batch, image, row, n part
	k                    part              // of the sum; empty: all of it
	casts                [2]multicastShare // of A and B
	sum                  multicastShare    // which part of the results it adds up and stores, of a part of the sum
}

// A part is the range [from, to) of an axis.
type part struct{ from, to int64 }

func (p part) len() int64 { return p.to - p.from }

// whole is the share that is the whole operator.
func whole(m graph.Matrix) share {
	s := share{batch: part{0, int64(m.Batch)}, image: part{0, 1}, row: part{0, m.M}, n: part{0, m.N}}
	if m.Conv != nil {
		s.image.to = int64(m.Conv.N)
		s.row.to = int64(m.Conv.OutH())
		if m.Conv.Transposed {
			s.row.to = int64(m.Conv.H)
		}
	}
	return s
}

// wholeOf is the share that is all of op.
func wholeOf(op *graph.Op) share {
	if k, ok := op.Kind.(graph.Attention); ok {
		return wholeAttention(k)
	}
	m, ok := op.Matrix()
	if !ok {
		return share{}
	}
	return whole(collapse(m))
}

// collapse joins products that use the same B into one product of more rows:
// their A and their results lie one after the other. It keeps B on the chip for
// all of them, which never costs traffic.
func collapse(m graph.Matrix) graph.Matrix {
	if s := m.SharedB; s > 1 && m.Batch%s == 0 {
		m.Batch, m.M, m.SharedB = m.Batch/s, m.M*int64(s), 1
	}
	return m
}

// shapeOf is the shape of the share sh of op, whose matrix view is m.
func shapeOf(g *graph.Graph, op *graph.Op, m graph.Matrix, sh share, acc graph.DType, bias, out graph.TensorID) (shape, error) {
	if len(op.In) < 2 || len(op.Out) < 1 {
		return shape{}, fmt.Errorf("%s: has %d inputs and %d outputs (want at least 2 and 1)", op.Name, len(op.In), len(op.Out))
	}
	if acc.Bits() < 8 || acc.Blocked() {
		return shape{}, fmt.Errorf("%s: partial sums of type %s (want one of at least 8 bits that is no block format)", op.Name, acc)
	}
	a, b, c := g.Tensor(op.In[0]), g.Tensor(op.In[1]), g.Tensor(out)
	s := shape{batch: sh.batch.len(), images: sh.image.len(), rows: sh.row.len(), cols: 1, n: sh.n.len(), k: m.K,
		fullK: m.K, nUnit: 1, kUnit: 1, row0: sh.row.from,
		aWide: widthOf(a), bWide: widthOf(b), cWide: widthOf(c), acc: acc.Unit()}
	if sh.k.len() > 0 {
		s.k = sh.k.len()
	}
	if bias != graph.None {
		s.biasWide = widthOf(g.Tensor(bias))
	}
	if s.macs() <= 0 {
		return shape{}, fmt.Errorf("%s: %d products of %d x %d by %d x %d are no work", op.Name, m.Batch, m.M, m.K, m.K, m.N)
	}
	needA, needB, needC := int64(m.Batch)*m.M*m.K, int64(m.Batch)*m.K*m.N, int64(m.Batch)*m.M*m.N
	s.bPacked = b.Role == graph.Weight
	if v := m.Conv; v != nil {
		if blocked(s.aWide) || blocked(s.cWide) {
			return shape{}, fmt.Errorf("%s: activations of type %s and %s in a convolution (want no block formats: channels, along which blocks lie, are no rows in memory)", op.Name, a.DType, c.DType)
		}
		s.bPacked = true
		s.h, s.w = int64(v.H), int64(v.W)
		s.outH, s.outW = int64(v.OutH()), int64(v.OutW())
		s.kernH = int64(v.DilationH*(v.R-1) + 1)
		needA = int64(v.N) * int64(v.C) * s.h * s.w
		needC = int64(v.N) * int64(v.K) * s.outH * s.outW
		if v.Transposed {
			s.form, s.cols, s.nUnit = transposed, s.w, int64(v.R*v.S)
			s.strideH, s.extH, s.strideW, s.extW = 1, 1, 1, 1
			s.upH, s.outPad = int64(v.StrideH), int64(v.PadTop)
		} else {
			s.form, s.cols, s.kUnit = conv, s.outW, int64(v.R*v.S)
			s.strideH, s.extH, s.padTop = int64(v.StrideH), s.kernH, int64(v.PadTop)
			s.strideW, s.extW, s.padLeft = int64(v.StrideW), int64(v.DilationW*(v.S-1)+1), int64(v.PadLeft)
		}
	} else if d := b.Shape; !s.bPacked && len(d) >= 2 {
		r, c := int64(d[len(d)-2]), int64(d[len(d)-1])
		s.bRows = r == m.N && c == m.K && r != c
	}
	for _, x := range []struct {
		t    *graph.Tensor
		need int64
	}{{a, needA}, {b, needB}, {c, needC}} {
		if e := x.t.Elements(); e < x.need {
			return shape{}, fmt.Errorf("%s: tensor %s has %d elements, the operator needs %d", op.Name, x.t.Name, e, x.need)
		}
	}
	return s, nil
}

// inRows is the run of input rows that output rows [p0, p1) of the share need
// and output rows before done (0: none) did not: first row, count, and the
// distance between rows. Padding is not read. Rows that no kernel position
// touches are skipped only if the kernel has one row, and not where between is set.
func (s *shape) inRows(p0, p1, done int64) (first, count, pitch int64) {
	p0, p1, done = p0+s.row0, p1+s.row0, done+s.row0
	if s.skipsRows() {
		p0 = max(p0, done, ceil(s.padTop, s.strideH))
		p1 = min(p1, ceil(s.h+s.padTop, s.strideH))
		return p0*s.strideH - s.padTop, max(0, p1-p0), s.strideH
	}
	lo, _ := window(p0, p1, s.strideH, s.extH, s.padTop, s.h, s.outH)
	if done > s.row0 {
		_, e := window(p0, done, s.strideH, s.extH, s.padTop, s.h, s.outH)
		lo = max(lo, e)
	}
	_, hi := window(p0, p1, s.strideH, s.extH, s.padTop, s.h, s.outH)
	return lo, max(0, hi-lo), 1
}

// skipsRows reports whether rows of the input lie between those that are read.
func (s *shape) skipsRows() bool { return s.form == conv && s.extH == 1 && s.strideH > 1 && !s.between }

// inCols is the run of input columns that output columns [q0, q1) need; all
// parts of a row together read the whole row.
func (s *shape) inCols(q0, q1 int64) (first, count int64) {
	lo, hi := window(q0, q1, s.strideW, s.extW, s.padLeft, s.w, s.outW)
	if q0 == 0 {
		lo = 0
	}
	if q1 == s.cols {
		hi = s.w
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

// outRows is the run of output rows of a transposed convolution that are
// complete once input rows [p0, p1) of the share are in and were not before;
// last tells that no input row follows in the share.
func (s *shape) outRows(p0, p1 int64) (first, count int64) {
	p0, p1 = p0+s.row0, p1+s.row0
	lo := min(s.outH, max(0, p0*s.upH-s.outPad))
	if p0 == 0 {
		lo = 0
	}
	hi := min(s.outH, max(0, p1*s.upH-s.outPad))
	if p1 == s.h {
		hi = s.outH
	}
	return lo, max(0, hi-lo)
}

func ceil(a, b int64) int64 { return (a + b - 1) / b }
