package mapping

import "github.com/causeway-sim/causeway/workloads/graph"

// A place says where the tensors of a share lie: which tensors, where the share
// begins in each axis, and the full lengths that strides come from.
type place struct {
	a, b, bias, c          graph.TensorID
	batch0, image0, m0, n0 int64
	k0                     int64
	fullSize
	sides []side
}

// A fullSize is what the strides of an operator's tensors come from.
type fullSize struct {
	fullM, fullN      int64 // per product
	products          int64 // of the whole operator
	channels, filters int64 // of the whole input and output of a convolution
}

func fullOf(m graph.Matrix) fullSize {
	f := fullSize{fullM: m.M, fullN: m.N, products: int64(m.Batch)}
	if m.Conv != nil {
		f.channels, f.filters = int64(m.Conv.C), int64(m.Conv.K)
	}
	return f
}

// A box is a part of a share: products [b0,b1), of the m axis local pixels of a
// tile, and ranges of n and k in share coordinates.
type box struct {
	b0, b1         int64
	n0, n1, k0, k1 int64
	// m: pixels [x0, x1) of the tile that covers images [i0,i1), rows [p0,p1)
	// and columns [q0,q1) of the share
	x0, x1                 int64
	i0, i1, p0, p1, q0, q1 int64
}

func (x *box) m() int64 { return x.x1 - x.x0 }

// loadA appends the transfers of the box's input. done is the first output row
// of the tile whose input rows are not on the chip yet: rows of the share before
// it have brought theirs (0: none).
func (s *shape) loadA(dst []Transfer, at *place, x *box, done int64) []Transfer {
	if s.form == gemm && s.aLay.block > 0 {
		m := matrix{s.allRows(at), s.fullK, s.aLay, s.aWide}
		return s.products(dst, at, x, &m, Transfer{Tensor: at.a, Buffer: Ifmap}, at.k0+x.k0, at.k0+x.k1)
	}
	if s.form == gemm {
		k := row(s.fullK, s.aWide)
		return append(dst, Transfer{Tensor: at.a, Buffer: Ifmap,
			Offset:   offset(((at.batch0+x.b0)*at.fullM+at.m0+x.p0+x.x0)*k+at.k0+x.k0, s.aWide),
			RowBytes: size(x.k1-x.k0, s.aWide), Rows: x.m(), Stride: offset(k, s.aWide),
			Planes: x.b1 - x.b0, PlaneStride: offset(at.fullM*k, s.aWide)})
	}
	// Channels whose first kernel position lies in [k0, k1), of the group of each
	// product: they follow each other.
	c0, c1 := ceil(x.k0, s.kUnit), ceil(x.k1, s.kUnit)
	if c1 == c0 {
		return dst
	}
	group := s.k / s.kUnit
	cols := x.q1 - x.q0
	plane := (x.p1 - x.p0) * cols
	channels, products := c1-c0, x.b1-x.b0
	if channels == group { // channels of all products follow each other
		channels, products = group*products, 1
	}
	for b := x.b0; b < x.b0+products; b++ {
		first := (at.batch0+b)*group + c0
		for x0 := x.x0; x0 < x.x1; {
			i := x0 / plane
			from, to := x0%plane, min(x.x1-i*plane, plane)
			count := int64(1)
			if from == 0 && to == plane { // whole images alike
				count = (x.x1 - i*plane) / plane
			}
			p0, p1, seen := x.p0+from/cols, x.p0+ceil(to, cols), done
			if from > 0 { // rows up to the one before have come with earlier pixels
				seen = max(seen, x.p0+ceil(from, cols))
			}
			dst = s.inRegion(dst, at, x, x.i0+i, count, first, channels, p0, p1, seen)
			x0 = i*plane + to + (count-1)*plane
		}
	}
	return dst
}

// inRegion appends the transfers of some channels of some images: the input
// rows of output rows [p0, p1) that rows before seen have not brought.
func (s *shape) inRegion(dst []Transfer, at *place, x *box, image, images, channel, channels, p0, p1, seen int64) []Transfer {
	lo, n, pitch := s.inRows(p0, p1, seen)
	q, cols := s.inCols(x.q0, x.q1)
	if n == 0 || cols == 0 {
		return dst
	}
	hw := s.h * s.w
	if s.aLay.last {
		return s.inPixels(dst, at, image, images, channel, channels, [4]int64{lo, n, q, cols}, pitch)
	}
	t := Transfer{Tensor: at.a, Buffer: Ifmap,
		Offset: offset(((at.image0+image)*at.channels+channel)*hw+lo*s.w+q, s.aWide)}
	if pitch == 1 && cols == s.w { // rows join; planes are images
		t.RowBytes, t.Rows, t.Stride = size(n*s.w, s.aWide), channels, offset(hw, s.aWide)
		t.Planes, t.PlaneStride = images, offset(at.channels*hw, s.aWide)
		return append(dst, t)
	}
	t.RowBytes, t.Rows, t.Stride = size(cols, s.aWide), n, offset(pitch*s.w, s.aWide)
	t.Planes, t.PlaneStride = channels, offset(hw, s.aWide)
	for range images {
		dst = append(dst, t)
		t.Offset += offset(at.channels*hw, s.aWide)
	}
	return dst
}

// loadB appends the transfer of the box's second operand. Weights are stored in
// the order in which they are read, tile after tile and, inside a tile, box
// after box: tile is the tile's place, [n0,n1) and [k0,k1).
func (s *shape) loadB(dst []Transfer, at *place, x *box, tile *box) []Transfer {
	n, k, all := x.n1-x.n0, x.k1-x.k0, row(s.fullK, s.bWide)
	matrix := all * at.fullN
	if !s.bPacked && !s.bRows {
		matrix = s.fullK * row(at.fullN, s.bWide)
	}
	t := Transfer{Tensor: at.b, Buffer: Filter, Planes: x.b1 - x.b0, PlaneStride: offset(matrix, s.bWide)}
	product := (at.batch0 + x.b0) * matrix
	switch {
	case s.bPacked:
		// all of the sum before the share, its columns before the share, all rows before
		// the tile, all tiles of this row of tiles before, then the boxes of this tile
		block := at.k0*at.fullN + at.n0*row(s.k, s.bWide) + tile.k0*s.n + row(tile.k1-tile.k0, s.bWide)*tile.n0
		inside := (x.k0-tile.k0)*(tile.n1-tile.n0) + row(k, s.bWide)*(x.n0-tile.n0)
		t.Offset, t.RowBytes, t.Rows = offset(product+block+inside, s.bWide), rows(n, k, s.bWide), 1
	case s.bRows:
		t.Offset = offset(product+(at.n0+x.n0)*all+at.k0+x.k0, s.bWide)
		t.RowBytes, t.Rows, t.Stride = size(k, s.bWide), n, offset(all, s.bWide)
	default:
		full := row(at.fullN, s.bWide)
		t.Offset = offset(product+(at.k0+x.k0)*full+at.n0+x.n0, s.bWide)
		t.RowBytes, t.Rows, t.Stride = size(n, s.bWide), k, offset(full, s.bWide)
	}
	return append(dst, t)
}

// loadBias appends the transfer of the bias of the box's columns, which are the
// first value of its sums.
func (s *shape) loadBias(dst []Transfer, at *place, x *box) []Transfer {
	n := ceil(x.n1, s.nUnit) - ceil(x.n0, s.nUnit)
	if n == 0 {
		return dst
	}
	t := Transfer{Tensor: at.bias, Buffer: Ofmap, RowBytes: size(n, s.biasWide), Rows: 1, Planes: x.b1 - x.b0}
	first := (at.n0 + x.n0) / s.nUnit
	if s.form != gemm { // filters of all groups lie one after the other
		group := at.fullN / s.nUnit
		first += (at.batch0 + x.b0) * group
		t.PlaneStride = offset(group, s.biasWide)
	}
	t.Offset = offset(first, s.biasWide)
	return append(dst, t)
}

// psum appends the transfer of the box's partial sums to or from scratch, where
// they lie tile after tile, box after box: [0,m) x [0,n) of one tile of
// products.
func (s *shape) psum(dst []Transfer, x, tile *box, m0, mlen int64) []Transfer {
	n := x.n1 - x.n0
	block := m0*s.n + mlen*tile.n0 + x.x0*(tile.n1-tile.n0) + x.m()*(x.n0-tile.n0)
	return append(dst, Transfer{Tensor: Scratch, Buffer: Ofmap, Offset: offset(block, s.acc),
		RowBytes: size(x.m()*n, s.acc), Rows: 1, Planes: x.b1 - x.b0, PlaneStride: offset(s.m()*s.n, s.acc)})
}

// storeC appends the transfers of the box's results.
func (s *shape) storeC(dst []Transfer, at *place, x *box) []Transfer {
	t := Transfer{Tensor: at.c, Buffer: Ofmap}
	if s.form == gemm && s.cLay.block > 0 {
		m := matrix{s.allRows(at), at.fullN, s.cLay, s.cWide}
		return s.products(dst, at, x, &m, t, at.n0+x.n0, at.n0+x.n1)
	}
	if s.form == gemm {
		full := row(at.fullN, s.cWide)
		t.Offset = offset(((at.batch0+x.b0)*at.fullM+at.m0+x.p0+x.x0)*full+at.n0+x.n0, s.cWide)
		t.RowBytes, t.Rows, t.Stride = size(x.n1-x.n0, s.cWide), x.m(), offset(full, s.cWide)
		t.Planes, t.PlaneStride = x.b1-x.b0, offset(at.fullM*full, s.cWide)
		return append(dst, t)
	}
	// Filters of a product follow each other, products (groups) too.
	group := at.fullN / s.nUnit
	hw := s.outH * s.outW
	cols := x.q1 - x.q0
	plane := (x.p1 - x.p0) * cols
	filters, products := (x.n1-x.n0)/s.nUnit, x.b1-x.b0
	if filters == group {
		filters, products = group*products, 1
	}
	for b := x.b0; b < x.b0+products; b++ {
		filter := (at.batch0+b)*group + (at.n0+x.n0)/s.nUnit
		for x0 := x.x0; x0 < x.x1; {
			i := x0 / plane
			from, to := x0%plane, min(x.x1-i*plane, plane)
			count := int64(1)
			if from == 0 && to == plane {
				count = (x.x1 - i*plane) / plane
			}
			first := (x.p0+s.row0)*s.cols + x.q0 + from
			n := to - from
			if s.form == transposed {
				lo, rows := s.outRows(x.p0, x.p1)
				first, n = lo*s.outW, rows*s.outW
			}
			if n > 0 {
				t.Offset = offset(((at.image0+x.i0+i)*at.filters+filter)*hw+first, s.cWide)
				t.RowBytes, t.Rows, t.Stride = size(n, s.cWide), filters, offset(hw, s.cWide)
				t.Planes, t.PlaneStride = count, offset(at.filters*hw, s.cWide)
				if s.cLay.last { // filters of a pixel, pixel after pixel
					t.Offset = offset(((at.image0+x.i0+i)*hw+first)*at.filters+filter, s.cWide)
					t.RowBytes, t.Rows, t.Stride = size(filters, s.cWide), n, offset(at.filters, s.cWide)
				}
				dst = append(dst, t)
			}
			x0 = i*plane + to + (count-1)*plane
		}
	}
	return dst
}
