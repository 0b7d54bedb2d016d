package product

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Place says where the tensors of a share lie: which tensors, where the share
// begins in each axis, and the full lengths that strides come from.
type Place struct {
	A, B, Bias, C          graph.TensorID
	Batch0, Image0, M0, N0 int64
	K0                     int64
	FullSize
	Sides []side
}

// A FullSize is what the strides of an operator's tensors come from.
type FullSize struct {
	fullM, fullN      int64 // per product
	products          int64 // of the whole operator
	channels, filters int64 // of the whole input and output of a convolution
}

func FullOf(m graph.Matrix) FullSize {
	f := FullSize{fullM: m.M, fullN: m.N, products: int64(m.Batch)}
	if m.Conv != nil {
		f.channels, f.filters = int64(m.Conv.C), int64(m.Conv.K)
	}
	return f
}

// A Box is a part of a share: products [b0,b1), of the m axis local pixels of a
// tile, and ranges of n and k in share coordinates.
type Box struct {
	B0, B1         int64
	N0, N1, K0, K1 int64
	// m: pixels [x0, x1) of the tile that covers images [i0,i1), rows [p0,p1)
	// and columns [q0,q1) of the share
	X0, X1                 int64
	I0, I1, P0, P1, Q0, Q1 int64
}

func (x *Box) m() int64 { return x.X1 - x.X0 }

// LoadA appends the transfers of the box's input. done is the first output row
// of the tile whose input rows are not on the chip yet: rows of the share before
// it have brought theirs (0: none).
func (s *Shape) LoadA(dst []dma.Transfer, at *Place, x *Box, done int64) []dma.Transfer {
	if s.Form == GEMM && s.ALayout.Block > 0 {
		m := layout.Matrix{Rows: s.allRows(at), Cols: s.FullK, Layout: s.ALayout, Wide: s.AWide}
		return s.products(dst, at, x, &m, dma.Transfer{Tensor: at.A, Buffer: dma.Ifmap}, at.K0+x.K0, at.K0+x.K1)
	}
	if s.Form == GEMM {
		k := s.AWide.Padded(s.FullK)
		return append(dst, dma.Transfer{Tensor: at.A, Buffer: dma.Ifmap,
			Offset:   s.AWide.Offset(((at.Batch0+x.B0)*at.fullM+at.M0+x.P0+x.X0)*k + at.K0 + x.K0),
			RowBytes: s.AWide.Size(x.K1 - x.K0), Rows: x.m(), Stride: s.AWide.Offset(k),
			Planes: x.B1 - x.B0, PlaneStride: s.AWide.Offset(at.fullM * k)})
	}
	// Channels whose first kernel position lies in [k0, k1), of the group of each
	// product: they follow each other.
	c0, c1 := integer.Ceil(x.K0, s.KUnit), integer.Ceil(x.K1, s.KUnit)
	if c1 == c0 {
		return dst
	}
	group := s.K / s.KUnit
	cols := x.Q1 - x.Q0
	plane := (x.P1 - x.P0) * cols
	channels, products := c1-c0, x.B1-x.B0
	if channels == group { // channels of all products follow each other
		channels, products = group*products, 1
	}
	for b := x.B0; b < x.B0+products; b++ {
		first := (at.Batch0+b)*group + c0
		for x0 := x.X0; x0 < x.X1; {
			i := x0 / plane
			from, to := x0%plane, min(x.X1-i*plane, plane)
			count := int64(1)
			if from == 0 && to == plane { // whole images alike
				count = (x.X1 - i*plane) / plane
			}
			p0, p1, seen := x.P0+from/cols, x.P0+integer.Ceil(to, cols), done
			if from > 0 { // rows up to the one before have come with earlier pixels
				seen = max(seen, x.P0+integer.Ceil(from, cols))
			}
			dst = s.inRegion(dst, at, x, x.I0+i, count, first, channels, p0, p1, seen)
			x0 = i*plane + to + (count-1)*plane
		}
	}
	return dst
}

// inRegion appends the transfers of some channels of some images: the input
// rows of output rows [p0, p1) that rows before seen have not brought.
func (s *Shape) inRegion(dst []dma.Transfer, at *Place, x *Box, image, images, channel, channels, p0, p1, seen int64) []dma.Transfer {
	lo, n, pitch := s.InRows(p0, p1, seen)
	q, cols := s.InCols(x.Q0, x.Q1)
	if n == 0 || cols == 0 {
		return dst
	}
	hw := s.h * s.W
	if s.ALayout.Last {
		return s.inPixels(dst, at, image, images, channel, channels, [4]int64{lo, n, q, cols}, pitch)
	}
	t := dma.Transfer{Tensor: at.A, Buffer: dma.Ifmap,
		Offset: s.AWide.Offset(((at.Image0+image)*at.channels+channel)*hw + lo*s.W + q)}
	if pitch == 1 && cols == s.W { // rows join; planes are images
		t.RowBytes, t.Rows, t.Stride = s.AWide.Size(n*s.W), channels, s.AWide.Offset(hw)
		t.Planes, t.PlaneStride = images, s.AWide.Offset(at.channels*hw)
		return append(dst, t)
	}
	t.RowBytes, t.Rows, t.Stride = s.AWide.Size(cols), n, s.AWide.Offset(pitch*s.W)
	t.Planes, t.PlaneStride = channels, s.AWide.Offset(hw)
	for range images {
		dst = append(dst, t)
		t.Offset += s.AWide.Offset(at.channels * hw)
	}
	return dst
}

// LoadB appends the transfer of the box's second operand. Weights are stored in
// the order in which they are read, tile after tile and, inside a tile, box
// after box: tile is the tile's place, [n0,n1) and [k0,k1).
func (s *Shape) LoadB(dst []dma.Transfer, at *Place, x *Box, tile *Box) []dma.Transfer {
	n, k, all := x.N1-x.N0, x.K1-x.K0, s.BWide.Padded(s.FullK)
	matrix := all * at.fullN
	if !s.BPacked && !s.BRows {
		matrix = s.FullK * s.BWide.Padded(at.fullN)
	}
	t := dma.Transfer{Tensor: at.B, Buffer: dma.Filter, Planes: x.B1 - x.B0, PlaneStride: s.BWide.Offset(matrix)}
	product := (at.Batch0 + x.B0) * matrix
	switch {
	case s.BPacked:
		// all of the sum before the share, its columns before the share, all rows before
		// the tile, all tiles of this row of tiles before, then the boxes of this tile
		block := at.K0*at.fullN + at.N0*s.BWide.Padded(s.K) + tile.K0*s.N + s.BWide.Padded(tile.K1-tile.K0)*tile.N0
		inside := (x.K0-tile.K0)*(tile.N1-tile.N0) + s.BWide.Padded(k)*(x.N0-tile.N0)
		t.Offset, t.RowBytes, t.Rows = s.BWide.Offset(product+block+inside), s.BWide.Rows(n, k), 1
	case s.BRows:
		t.Offset = s.BWide.Offset(product + (at.N0+x.N0)*all + at.K0 + x.K0)
		t.RowBytes, t.Rows, t.Stride = s.BWide.Size(k), n, s.BWide.Offset(all)
	default:
		full := s.BWide.Padded(at.fullN)
		t.Offset = s.BWide.Offset(product + (at.K0+x.K0)*full + at.N0 + x.N0)
		t.RowBytes, t.Rows, t.Stride = s.BWide.Size(n), k, s.BWide.Offset(full)
	}
	return append(dst, t)
}

// LoadBias appends the transfer of the bias of the box's columns, which are the
// first value of its sums.
func (s *Shape) LoadBias(dst []dma.Transfer, at *Place, x *Box) []dma.Transfer {
	n := integer.Ceil(x.N1, s.NUnit) - integer.Ceil(x.N0, s.NUnit)
	if n == 0 {
		return dst
	}
	t := dma.Transfer{Tensor: at.Bias, Buffer: dma.Ofmap, RowBytes: s.BiasWide.Size(n), Rows: 1, Planes: x.B1 - x.B0}
	first := (at.N0 + x.N0) / s.NUnit
	if s.Form != GEMM { // filters of all groups lie one after the other
		group := at.fullN / s.NUnit
		first += (at.Batch0 + x.B0) * group
		t.PlaneStride = s.BiasWide.Offset(group)
	}
	t.Offset = s.BiasWide.Offset(first)
	return append(dst, t)
}

// Psum appends the transfer of the box's partial sums to or from scratch, where
// they lie tile after tile, box after box: [0,m) x [0,n) of one tile of
// products.
func (s *Shape) Psum(dst []dma.Transfer, x, tile *Box, m0, mlen int64) []dma.Transfer {
	n := x.N1 - x.N0
	block := m0*s.N + mlen*tile.N0 + x.X0*(tile.N1-tile.N0) + x.m()*(x.N0-tile.N0)
	return append(dst, dma.Transfer{Tensor: dma.Scratch, Buffer: dma.Ofmap, Offset: s.Acc.Offset(block),
		RowBytes: s.Acc.Size(x.m() * n), Rows: 1, Planes: x.B1 - x.B0, PlaneStride: s.Acc.Offset(s.M() * s.N)})
}

// StoreC appends the transfers of the box's results.
func (s *Shape) StoreC(dst []dma.Transfer, at *Place, x *Box) []dma.Transfer {
	t := dma.Transfer{Tensor: at.C, Buffer: dma.Ofmap}
	if s.Form == GEMM && s.CLayout.Block > 0 {
		m := layout.Matrix{Rows: s.allRows(at), Cols: at.fullN, Layout: s.CLayout, Wide: s.CWide}
		return s.products(dst, at, x, &m, t, at.N0+x.N0, at.N0+x.N1)
	}
	if s.Form == GEMM {
		full := s.CWide.Padded(at.fullN)
		t.Offset = s.CWide.Offset(((at.Batch0+x.B0)*at.fullM+at.M0+x.P0+x.X0)*full + at.N0 + x.N0)
		t.RowBytes, t.Rows, t.Stride = s.CWide.Size(x.N1-x.N0), x.m(), s.CWide.Offset(full)
		t.Planes, t.PlaneStride = x.B1-x.B0, s.CWide.Offset(at.fullM*full)
		return append(dst, t)
	}
	// Filters of a product follow each other, products (groups) too.
	group := at.fullN / s.NUnit
	hw := s.OutH * s.OutW
	cols := x.Q1 - x.Q0
	plane := (x.P1 - x.P0) * cols
	filters, products := (x.N1-x.N0)/s.NUnit, x.B1-x.B0
	if filters == group {
		filters, products = group*products, 1
	}
	for b := x.B0; b < x.B0+products; b++ {
		filter := (at.Batch0+b)*group + (at.N0+x.N0)/s.NUnit
		for x0 := x.X0; x0 < x.X1; {
			i := x0 / plane
			from, to := x0%plane, min(x.X1-i*plane, plane)
			count := int64(1)
			if from == 0 && to == plane {
				count = (x.X1 - i*plane) / plane
			}
			first := (x.P0+s.row0)*s.Cols + x.Q0 + from
			n := to - from
			if s.Form == Transposed {
				lo, rows := s.OutRows(x.P0, x.P1)
				first, n = lo*s.OutW, rows*s.OutW
			}
			if n > 0 {
				t.Offset = s.CWide.Offset(((at.Image0+x.I0+i)*at.filters+filter)*hw + first)
				t.RowBytes, t.Rows, t.Stride = s.CWide.Size(n), filters, s.CWide.Offset(hw)
				t.Planes, t.PlaneStride = count, s.CWide.Offset(at.filters*hw)
				if s.CLayout.Last { // filters of a pixel, pixel after pixel
					t.Offset = s.CWide.Offset(((at.Image0+x.I0+i)*hw+first)*at.filters + filter)
					t.RowBytes, t.Rows, t.Stride = s.CWide.Size(filters), n, s.CWide.Offset(at.filters)
				}
				dst = append(dst, t)
			}
			x0 = i*plane + to + (count-1)*plane
		}
	}
	return dst
}
