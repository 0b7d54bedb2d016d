package mapping

import "github.com/causeway-sim/causeway/accelerators/dataflow"

// An order is the nesting of the three memory loops, from the outside in.
type order struct {
	axes [3]dataflow.Axis
	pos  [3]int // position of each axis
}

// orders are tried in this sequence; on equal cost the first wins.
var orders = [6]order{
	newOrder(dataflow.M, dataflow.N, dataflow.K), newOrder(dataflow.N, dataflow.M, dataflow.K),
	newOrder(dataflow.N, dataflow.K, dataflow.M), newOrder(dataflow.K, dataflow.N, dataflow.M),
	newOrder(dataflow.M, dataflow.K, dataflow.N), newOrder(dataflow.K, dataflow.M, dataflow.N),
}

func newOrder(a ...dataflow.Axis) (o order) {
	for i, x := range a {
		o.axes[i], o.pos[x] = x, i
	}
	return o
}

func (o order) String() string { return o.axes[0].String() + o.axes[1].String() + o.axes[2].String() }

// within reports whether a loop over y runs inside the loop over x.
func (o *order) within(y, x dataflow.Axis) bool { return o.pos[y] > o.pos[x] }

// A machine is what the cost depends on besides the shape.
type machine struct {
	rows, cols             int64
	ifmap, filter, ofmap   int64 // half of each SRAM
	rate                   Rate  // of the element type of the products
	timing                 dataflow.Timing
	rowAxis, colAxis, time dataflow.Axis
	mem                    Memory // for the estimate of time
	lanes                  int64  // of the vector unit, for the estimate of time
	sharedA, sharedB       int64  // cores that fetch an operand together; 0 or 1: each its own
}

// words is how many words of the array n elements along an axis take.
func (h *machine) words(x dataflow.Axis, n int64) int64 {
	if x == dataflow.K {
		return h.rate.words(n)
	}
	return n
}

// along is the elements of an axis that fill the side of the array which the axis lies
// along, rounded down; 0 for the time axis.
func (h *machine) along(x dataflow.Axis) int64 {
	side := h.side(x)
	if x == dataflow.K && side > 0 {
		return max(1, side*h.rate.Num/h.rate.Den)
	}
	return side
}

// side is the side of the array that an axis lies along, in words; 0 for the time axis.
func (h *machine) side(x dataflow.Axis) int64 {
	switch x {
	case h.rowAxis:
		return h.rows
	case h.colAxis:
		return h.cols
	}
	return 0
}

// least is the shortest stream of a fold along axis x, 0 if x is not time.
func (h *machine) least(x dataflow.Axis) int64 {
	if x == h.time {
		return h.timing.Min
	}
	return 0
}

// A candidate is one mapping of a shape.
type candidate struct {
	bt    int64 // products per tile
	m     *mcut
	n, k  *cut
	order int
}

func (c *candidate) cut(x dataflow.Axis) *cut {
	switch x {
	case dataflow.M:
		return &c.m.cut
	case dataflow.N:
		return c.n
	}
	return c.k
}

// moves reports whether a loop over x that takes more than one turn runs inside
// the loop over y.
func (c *candidate) moves(o *order, x, y dataflow.Axis) bool {
	return o.within(x, y) && c.cut(x).trips > 1
}

// keepsHalo reports whether consecutive input tiles of a convolution follow each
// other down the rows, so that the rows they share stay on the chip.
func (c *candidate) keepsHalo(o *order) bool {
	return c.k.trips == 1 || o.within(dataflow.M, dataflow.K)
}

// spills reports whether partial sums leave the chip: other result tiles come
// between two visits to the same one.
func (c *candidate) spills(o *order) bool {
	return c.k.trips > 1 && (c.moves(o, dataflow.M, dataflow.K) || c.moves(o, dataflow.N, dataflow.K))
}

// traffic is the bytes that the candidate moves: a tensor is read again for
// every turn of the loop that does not index it, if a loop that does index it
// runs inside.
func (s *shape) traffic(c *candidate) Traffic {
	o := &orders[c.order]
	const M, N, K = dataflow.M, dataflow.N, dataflow.K
	t := Traffic{}
	if s.form == gemm {
		t.Ifmap = s.rows * c.k.a
	} else {
		t.Ifmap = c.m.inAgain * (s.k / s.kUnit)
		if c.keepsHalo(o) {
			t.Ifmap = c.m.inKept * (s.k / s.kUnit)
		}
	}
	if c.moves(o, M, N) || c.moves(o, K, N) {
		t.Ifmap *= c.n.trips
	}
	switch {
	case s.bPacked:
		t.Filter = rows(s.n, s.k, s.bWide)
	case s.bRows:
		t.Filter = s.n * c.k.b
	default:
		t.Filter = s.k * c.n.b
	}
	if c.moves(o, K, M) || c.moves(o, N, M) {
		t.Filter *= c.m.trips
	}
	t.Psum = c.n.bias // kept, so read once
	if c.spills(o) {
		t.Spill = (c.k.trips - 1) * size(s.m()*s.n, s.acc)
		t.Psum += t.Spill
	}
	if s.form == gemm {
		t.Output = s.rows * c.n.c
	} else {
		t.Output = c.m.out * (s.n / s.nUnit)
	}
	t.Psum += t.Output*s.sides + s.small*c.n.trips
	t.Ifmap, t.Filter, t.Psum, t.Spill, t.Output = t.Ifmap*s.batch, t.Filter*s.batch, t.Psum*s.batch, t.Spill*s.batch, t.Output*s.batch
	return t
}

// footprint is the bytes a tile takes in each buffer.
func (s *shape) footprint(bt int64, m *mcut, n, k int64) (ifmap, filter, ofmap int64) {
	out := m.outFoot * (n / s.nUnit)
	results := size(out, s.cWide)
	if s.form == gemm {
		ifmap, results = bt*m.rows*size(k, s.aWide), rows(m.outFoot, n, s.cWide)
	} else {
		ifmap = bt * m.foot * (k / s.kUnit)
	}
	filter = rows(n, k, s.bWide)
	if !s.bPacked && !s.bRows {
		filter = rows(k, n, s.bWide)
	}
	return ifmap, bt * filter, bt * (size(out, s.acc) + s.sides*results)
}

// legal reports whether the loops of a transposed convolution add up overlapping
// rows in the buffer: tiles of one image follow each other with the same
// filters, and sums are complete when they leave.
func (s *shape) legal(c *candidate) bool {
	if s.form != transposed {
		return true
	}
	o := &orders[c.order]
	if c.spills(o) {
		return false
	}
	return c.m.rows == s.rows || !c.moves(o, dataflow.N, dataflow.M)
}

// A cost says how long the array works on a candidate.
type cost struct {
	folds, cycles int64
	stream        int64 // cycles in which operands stream
	groups        int64 // of products that lie in the array at once, one after the other
	run           bool  // tiles that follow each other stream through the same fold
	runTime       int64 // of one product
	packing
}

func (s *shape) cost(h *machine, c *candidate) cost { return s.costOf(h, c, s.runs(h, c)) }

// runs reports whether tiles that follow each other may stream through the same fold, if all
// products of a tile fit into it. Of the cost nothing else depends on the order of the loops.
func (s *shape) runs(h *machine, c *candidate) bool {
	if c.cut(h.time).trips == 1 || h.words(h.rowAxis, c.cut(h.rowAxis).size) > h.rows || h.words(h.colAxis, c.cut(h.colAxis).size) > h.cols {
		return false
	}
	o := &orders[c.order]
	return !c.moves(o, h.rowAxis, h.time) && !c.moves(o, h.colAxis, h.time)
}

// costOf is the cost by the packing of least cycles.
func (s *shape) costOf(h *machine, c *candidate, run bool) (best cost) {
	for i, p := range h.packings(c) {
		if i > 0 && p.pack < 2 {
			continue
		}
		if x := s.packed(h, c, run, p); i == 0 || x.cycles < best.cycles {
			best = x
		}
	}
	return best
}

// packed is the cost with products packed so.
func (s *shape) packed(h *machine, c *candidate, run bool, by packing) cost {
	r, x, t := c.cut(h.rowAxis), c.cut(h.colAxis), c.cut(h.time)
	out := cost{packing: by, run: run && c.bt <= by.pack}
	length := s.axis(h.time)
	if h.time == dataflow.K { // a word holds elements of one tile
		length = (t.trips-1)*h.rate.words(t.size) + h.rate.words(t.last)
	}
	var stream int64
	s.groupsOf(c, by.pack, func(groups, products int64) {
		out.groups += groups
		p := by.streams(products)
		out.stream += groups * p * length
		switch {
		case out.run:
			stream += groups * max(p*length, h.timing.Min)
		case p == 1:
			stream += groups * t.time
		default:
			stream += groups * s.streamOf(h, c, p)
		}
	})
	spatial := r.folds * x.folds
	out.folds = spatial * out.groups
	last := h.words(h.time, t.last)
	if out.run {
		out.runTime, last = length, length
	} else {
		out.folds *= t.trips
	}
	last *= by.streams(by.last(s.batch - (s.batch-1)/c.bt*c.bt))
	out.stream *= spatial
	out.cycles = h.timing.Start + out.folds*(h.timing.Lead+h.timing.Tail) + spatial*stream - max(0, h.timing.Min-last) + h.timing.End
	return out
}

// axis is the length of an axis.
func (s *shape) axis(x dataflow.Axis) int64 {
	switch x {
	case dataflow.M:
		return s.m()
	case dataflow.N:
		return s.n
	}
	return s.k
}

// accesses counts what the array reads and writes.
func (s *shape) accesses(h *machine, c *candidate, x cost) Accesses {
	passes := func(a dataflow.Axis) int64 { // how often the axis is passed by
		if a != h.time {
			return c.cut(a).folds
		}
		if x.run {
			return 1
		}
		return c.cut(a).trips
	}
	outs := s.batch * s.m() * s.n
	acc := Accesses{
		IfmapReads:  s.batch * s.m() * s.k * passes(dataflow.N),
		FilterReads: s.batch * s.k * s.n * passes(dataflow.M),
		OfmapWrites: outs * passes(dataflow.K),
	}
	acc.OfmapReads = acc.OfmapWrites - outs
	if s.hasBias() {
		acc.OfmapReads = acc.OfmapWrites
	}
	acc.OfmapReads += outs * s.sides
	return acc
}
