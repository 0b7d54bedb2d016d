package mapping

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
)

// A cut is one way to divide the n or the k axis into tiles, with the sums over
// its tiles that the cost of a mapping is made of.
type cut struct {
	size  int64 // of a tile; the last one may be smaller
	trips int64
	last  int64
	folds int64 // sum of ceil(size/along), along being the array's side
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
		x = min(n, ceil(ceil(x, unit), even)*even*unit)
		out = append(out, x)
		if along > 0 {
			full := min(n, ceil(x, along)*along/(unit*even)*(unit*even))
			if full > x {
				out = append(out, full)
			}
		}
	}
	units := ceil(n, unit)
	for t := int64(1); t <= units; {
		s := ceil(units, t)
		add(s * unit)
		next := t + 1
		if t > 64 && s > 64 {
			next = max(next, t+t*3/100)
		}
		if s > 1 { // the first number of tiles with a smaller size
			next = max(next, ceil(units, s-1))
		} else {
			break
		}
		t = next
	}
	slices.SortFunc(out, func(a, b int64) int { return int(b - a) })
	return slices.Compact(out)
}

// cut sums over the tiles of the given size of axis x, whose length is n.
func (h *machine) cut(x dataflow.Axis, n, size int64) cut {
	c := cut{size: size, trips: ceil(n, size)}
	c.last = n - (c.trips-1)*size
	c.add(c.trips-1, h.words(x, size), h.side(x), h.least(x))
	c.add(1, h.words(x, c.last), h.side(x), h.least(x))
	return c
}

// add adds count tiles of so many words.
func (c *cut) add(count, words, along, least int64) {
	c.folds += count * ceil(words, max(along, 1))
	c.time += count * max(words, least)
}

// sum adds f over the tiles.
func (c *cut) sum(f func(size int64) int64) int64 { return (c.trips-1)*f(c.size) + f(c.last) }

// kcut and ncut fill the byte sums of a cut of the k or the n axis.
func (s *shape) kcut(c cut) cut {
	c.a = c.sum(func(x int64) int64 { return size(x, s.aWide) })
	c.b = c.sum(func(x int64) int64 { return size(x, s.bWide) })
	return c
}

func (s *shape) ncut(c cut) cut {
	c.b = c.sum(func(x int64) int64 { return size(x, s.bWide) })
	c.c = c.sum(func(x int64) int64 { return size(x, s.cWide) })
	if s.hasBias() {
		c.bias = c.sum(func(x int64) int64 { return size(x/s.nUnit, s.biasWide) })
	}
	return c
}

// mcut sums over tiles of so many images, rows and columns.
func (s *shape) mcut(images, rows, cols, along, least int64) mcut {
	m := mcut{images: images, rows: rows, cols: cols}
	nb, np, nq := ceil(s.images, images), ceil(s.rows, rows), ceil(s.cols, cols)
	lastOf := func(n, size, trips int64) int64 { return n - (trips-1)*size }
	lb, lp, lq := lastOf(s.images, images, nb), lastOf(s.rows, rows, np), lastOf(s.cols, cols, nq)
	m.size, m.trips, m.last = images*rows*cols, nb*np*nq, lb*lp*lq
	s.mtiles(&m, func(n, size int64) { m.add(n, size, along, least) })
	m.outFoot = m.size
	if s.form == gemm {
		m.inKept, m.inAgain, m.foot, m.out = s.rows, s.rows, rows, s.rows
		return m
	}
	var kept, again, out, foot, outFoot int64
	for p := int64(0); p < s.rows; p += rows {
		p1 := min(p+rows, s.rows)
		_, n, pitch := s.inRows(p, p1, 0)
		_, fresh, _ := s.inRows(p, p1, p)
		again += s.inBytes(n, pitch, 0, cols)
		kept += s.inBytes(fresh, pitch, 0, cols)
		foot = max(foot, size(n*s.w, s.aWide))
		if s.form == transposed {
			_, n := s.outRows(p, p1)
			out += size(n*s.outW, s.cWide)
			outFoot = max(outFoot, min(s.outH, (p1-p-1)*s.upH+s.kernH)*s.outW)
			continue
		}
		for q := int64(0); q < s.cols; q += cols {
			out += size((p1-p)*min(cols, s.cols-q), s.cWide)
		}
	}
	if cols < s.cols { // one row, some columns: no halo is kept
		again, foot = 0, 0
		for p := int64(0); p < s.rows; p++ {
			_, n, pitch := s.inRows(p, p+1, 0)
			for q := int64(0); q < s.cols; q += cols {
				x := s.inBytes(n, pitch, q, min(q+cols, s.cols))
				again, foot = again+x, max(foot, x)
			}
		}
		kept = again
	}
	m.inKept, m.inAgain, m.out = kept*s.images, again*s.images, out*s.images
	m.foot = foot * images
	if s.form == transposed {
		m.outFoot = outFoot * images
	}
	return m
}

// inBytes is the bytes of n input rows of one channel over the input columns of
// output columns [q0, q1): one run if whole rows follow each other, else a run
// per row.
func (s *shape) inBytes(n, pitch, q0, q1 int64) int64 {
	_, cols := s.inCols(q0, min(q1, s.cols))
	if pitch == 1 && cols == s.w {
		return size(n*s.w, s.aWide)
	}
	return n * size(cols, s.aWide)
}

// cuts remembers the ways to divide an axis, which depend on the shape, on one side of the
// array and, for k, on its rate: searches for other sides, buffers and memories begin with
// them. Searches for other memories begin with the first solution too.
type cuts struct {
	m     map[cutKey][]mcut
	nk    map[cutKey][]cut
	first map[memoKey]solution // of least traffic or cycles; zero where nothing fits
}

func newCuts() cuts {
	return cuts{map[cutKey][]mcut{}, map[cutKey][]cut{}, map[memoKey]solution{}}
}

type cutKey struct {
	s           shape
	axis        dataflow.Axis
	side, least int64
	rate        Rate // of k
}

func (c cuts) ofM(s *shape, side, least int64) []mcut {
	key := cutKey{s: s.bare(), axis: dataflow.M, side: side, least: least}
	list, ok := c.m[key]
	if !ok {
		list = s.mcuts(side, least)
		c.m[key] = list
	}
	return list
}

// ofNK is for the axes n and k, of length n in units that stay together; fill adds the
// sums of bytes.
func (c cuts) ofNK(s *shape, h *machine, x dataflow.Axis, n, unit int64, fill func(cut) cut) []cut {
	key := cutKey{s: s.bare(), axis: x, side: h.side(x), least: h.least(x)}
	if x == dataflow.K {
		key.rate = h.rate
	}
	list, ok := c.nk[key]
	if !ok {
		list = h.cutsOf(x, n, sizes(n, unit, h.along(x), s.even(x)), fill)
		c.nk[key] = list
	}
	return list
}

func (h *machine) cutsOf(x dataflow.Axis, n int64, sizes []int64, fill func(cut) cut) []cut {
	out := make([]cut, 0, len(sizes))
	for _, size := range sizes {
		out = append(out, fill(h.cut(x, n, size)))
	}
	return out
}

// mcuts lists the ways to divide the m axis.
func (s *shape) mcuts(along, least int64) []mcut {
	var out []mcut
	if s.form == gemm {
		for _, r := range sizes(s.rows, 1, along, s.even(dataflow.M)) {
			out = append(out, s.mcut(1, r, 1, along, least))
		}
		return out
	}
	for _, b := range sizes(s.images, 1, 0, 1) {
		out = append(out, s.mcut(b, s.rows, s.cols, along, least))
	}
	for _, p := range sizes(s.rows, 1, 0, 1) {
		if p < s.rows {
			out = append(out, s.mcut(1, p, s.cols, along, least))
		}
	}
	if s.form == conv {
		for _, q := range sizes(s.cols, 1, along, 1) {
			if q < s.cols {
				out = append(out, s.mcut(1, 1, q, along, least))
			}
		}
	}
	return out
}

// overflow is larger than any cost.
const overflow = math.MaxInt64
