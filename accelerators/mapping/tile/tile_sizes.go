package tile

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
)

// A cut is one way to divide the n or the k axis into tiles, with the sums over
// its tiles that the cost of a mapping is made of.
type cut struct {
	Size  int64 // of a tile; the last one may be smaller
	trips int64
	last  int64
	Folds int64 // sum of ceil(size/along), along being the array's side
	time  int64 // sum of max(size, Min of the timing)
	a, b  int64 // sum of the bytes of one row in A and in B
	c     int64 // sum of the bytes of one row in C
	bias  int64 // bytes of the bias of all tiles
}

// An mcut is one way to divide the m axis: whole images, or rows of one image,
// or columns of one row.
type mcut struct {
	cut
	images, rows, cols int64 // of a tile
	inKept, inAgain    int64 // input bytes of a sweep over m: halo kept, or read again; per channel, or with row bytes 1 for a GEMM
	foot               int64 // input bytes of the largest tile, per channel (convolution) or rows (GEMM)
	out                int64 // output bytes of a sweep, per filter
	outFoot            int64 // output elements of the largest tile, per filter
}

// sizes lists the tile sizes of an axis of length n: every size that is the
// least for its number of tiles, thinned to steps of 3% between 64 and n/64,
// and each rounded up to fill the array's side. Nothing here depends on a
// capacity, so the set of candidates does not either.
func sizes(n, unit, along, even int64) []int64 {
	var out []int64
	add := func(x int64) {
		x = min(n, integer.Ceil(integer.Ceil(x, unit), even)*even*unit)
		out = append(out, x)
		if along > 0 {
			full := min(n, integer.Ceil(x, along)*along/(unit*even)*(unit*even))
			if full > x {
				out = append(out, full)
			}
		}
	}
	units := integer.Ceil(n, unit)
	for t := int64(1); t <= units; {
		s := integer.Ceil(units, t)
		add(s * unit)
		next := t + 1
		if t > 64 && s > 64 {
			next = max(next, t+t*3/100)
		}
		if s > 1 { // the first number of tiles with a smaller size
			next = max(next, integer.Ceil(units, s-1))
		} else {
			break
		}
		t = next
	}
	slices.SortFunc(out, func(a, b int64) int { return int(b - a) })
	return slices.Compact(out)
}

// cutOf sums over the tiles of the given size of axis x, whose length is n.
func cutOf(h *machine.Machine, x dataflow.Axis, n, size int64) cut {
	c := cut{Size: size, trips: integer.Ceil(n, size)}
	c.last = n - (c.trips-1)*size
	c.add(c.trips-1, h.Words(x, size), h.Side(x), h.Least(x))
	c.add(1, h.Words(x, c.last), h.Side(x), h.Least(x))
	return c
}

// add adds count tiles of so many words.
func (c *cut) add(count, words, along, least int64) {
	c.Folds += count * integer.Ceil(words, max(along, 1))
	c.time += count * max(words, least)
}

// sum adds f over the tiles.
func (c *cut) sum(f func(size int64) int64) int64 { return (c.trips-1)*f(c.Size) + f(c.last) }

// kcutOf and ncut fill the byte sums of a cut of the k or the n axis.
func kcutOf(s *product.Shape, c cut) cut {
	c.a = c.sum(func(x int64) int64 { return s.AWide.Size(x) })
	c.b = c.sum(func(x int64) int64 { return s.BWide.Size(x) })
	return c
}

func ncutOf(s *product.Shape, c cut) cut {
	c.b = c.sum(func(x int64) int64 { return s.BWide.Size(x) })
	c.c = c.sum(func(x int64) int64 { return s.CWide.Size(x) })
	if s.HasBias() {
		c.bias = c.sum(func(x int64) int64 { return s.BiasWide.Size(x / s.NUnit) })
	}
	return c
}

// mcutOf sums over tiles of so many images, rows and columns.
func mcutOf(s *product.Shape, images, rows, cols, along, least int64) mcut {
	m := mcut{images: images, rows: rows, cols: cols}
	nb, np, nq := integer.Ceil(s.Images, images), integer.Ceil(s.Rows, rows), integer.Ceil(s.Cols, cols)
	lastOf := func(n, size, trips int64) int64 { return n - (trips-1)*size }
	lb, lp, lq := lastOf(s.Images, images, nb), lastOf(s.Rows, rows, np), lastOf(s.Cols, cols, nq)
	m.Size, m.trips, m.last = images*rows*cols, nb*np*nq, lb*lp*lq
	m.tiles(s, func(n, size int64) { m.add(n, size, along, least) })
	m.outFoot = m.Size
	if s.Form == product.GEMM {
		m.inKept, m.inAgain, m.foot, m.out = s.Rows, s.Rows, rows, s.Rows
		return m
	}
	var kept, again, out, foot, outFoot int64
	for p := int64(0); p < s.Rows; p += rows {
		p1 := min(p+rows, s.Rows)
		_, n, pitch := s.InRows(p, p1, 0)
		_, fresh, _ := s.InRows(p, p1, p)
		again += inputBytes(s, n, pitch, 0, cols)
		kept += inputBytes(s, fresh, pitch, 0, cols)
		foot = max(foot, s.AWide.Size(n*s.W))
		if s.Form == product.Transposed {
			_, n := s.OutRows(p, p1)
			out += s.CWide.Size(n * s.OutW)
			outFoot = max(outFoot, min(s.OutH, (p1-p-1)*s.UpH+s.KernH)*s.OutW)
			continue
		}
		for q := int64(0); q < s.Cols; q += cols {
			out += s.CWide.Size((p1 - p) * min(cols, s.Cols-q))
		}
	}
	if cols < s.Cols { // one row, some columns: no halo is kept
		again, foot = 0, 0
		for p := int64(0); p < s.Rows; p++ {
			_, n, pitch := s.InRows(p, p+1, 0)
			for q := int64(0); q < s.Cols; q += cols {
				x := inputBytes(s, n, pitch, q, min(q+cols, s.Cols))
				again, foot = again+x, max(foot, x)
			}
		}
		kept = again
	}
	m.inKept, m.inAgain, m.out = kept*s.Images, again*s.Images, out*s.Images
	m.foot = foot * images
	if s.Form == product.Transposed {
		m.outFoot = outFoot * images
	}
	return m
}

// inputBytes is the bytes of n input rows of one channel over the input columns of
// output columns [q0, q1): one run if whole rows follow each other, else a run
// per row.
func inputBytes(s *product.Shape, n, pitch, q0, q1 int64) int64 {
	_, cols := s.InCols(q0, min(q1, s.Cols))
	if pitch == 1 && cols == s.W {
		return s.AWide.Size(n * s.W)
	}
	return n * s.AWide.Size(cols)
}

// Cuts remembers the ways to divide an axis, which depend on the shape, on one side of the
// array and, for k, on its rate: searches for other sides, buffers and memories begin with
// them. Searches for other memories begin with the first solution too.
type Cuts struct {
	m     map[cutKey][]mcut
	NK    map[cutKey][]cut
	First map[Key]Solution // of least traffic or cycles; zero where nothing fits
}

func NewCuts() Cuts {
	return Cuts{map[cutKey][]mcut{}, map[cutKey][]cut{}, map[Key]Solution{}}
}

type cutKey struct {
	s           product.Shape
	axis        dataflow.Axis
	side, least int64
	rate        machine.Rate // of k
}

func (c Cuts) ofM(s *product.Shape, side, least int64) []mcut {
	key := cutKey{s: s.Bare(), axis: dataflow.M, side: side, least: least}
	list, ok := c.m[key]
	if !ok {
		list = mcutsOf(s, side, least)
		c.m[key] = list
	}
	return list
}

// ofNK is for the axes n and k, of length n in units that stay together; fill adds the
// sums of bytes.
func (c Cuts) ofNK(s *product.Shape, h *machine.Machine, x dataflow.Axis, n, unit int64, fill func(*product.Shape, cut) cut) []cut {
	key := cutKey{s: s.Bare(), axis: x, side: h.Side(x), least: h.Least(x)}
	if x == dataflow.K {
		key.rate = h.Rate
	}
	list, ok := c.NK[key]
	if !ok {
		list = cutsAlong(s, h, x, n, sizes(n, unit, h.Along(x), s.Even(x)), fill)
		c.NK[key] = list
	}
	return list
}

func cutsAlong(s *product.Shape, h *machine.Machine, x dataflow.Axis, n int64, sizes []int64, fill func(*product.Shape, cut) cut) []cut {
	out := make([]cut, 0, len(sizes))
	for _, size := range sizes {
		out = append(out, fill(s, cutOf(h, x, n, size)))
	}
	return out
}

// mcutsOf lists the ways to divide the m axis.
func mcutsOf(s *product.Shape, along, least int64) []mcut {
	var out []mcut
	if s.Form == product.GEMM {
		for _, r := range sizes(s.Rows, 1, along, s.Even(dataflow.M)) {
			out = append(out, mcutOf(s, 1, r, 1, along, least))
		}
		return out
	}
	for _, b := range sizes(s.Images, 1, 0, 1) {
		out = append(out, mcutOf(s, b, s.Rows, s.Cols, along, least))
	}
	for _, p := range sizes(s.Rows, 1, 0, 1) {
		if p < s.Rows {
			out = append(out, mcutOf(s, 1, p, s.Cols, along, least))
		}
	}
	if s.Form == product.Conv {
		for _, q := range sizes(s.Cols, 1, along, 1) {
			if q < s.Cols {
				out = append(out, mcutOf(s, 1, 1, q, along, least))
			}
		}
	}
	return out
}
