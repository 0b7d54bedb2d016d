package tile

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
)

// An order is the nesting of the three memory loops, from the outside in.
type order struct {
	axes [3]dataflow.Axis
	pos  [3]int // position of each axis
}

// Orders are tried in this sequence; on equal cost the first wins.
var Orders = [6]order{
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

// A Mapping is one mapping of a shape.
type Mapping struct {
	BT    int64 // products per tile
	M     *mcut
	N, K  *cut
	Order int
}

func (c *Mapping) Cut(x dataflow.Axis) *cut {
	switch x {
	case dataflow.M:
		return &c.M.cut
	case dataflow.N:
		return c.N
	}
	return c.K
}

// moves reports whether a loop over x that takes more than one turn runs inside
// the loop over y.
func (c *Mapping) moves(o *order, x, y dataflow.Axis) bool {
	return o.within(x, y) && c.Cut(x).trips > 1
}

// keepsHalo reports whether consecutive input tiles of a convolution follow each
// other down the rows, so that the rows they share stay on the chip.
func (c *Mapping) keepsHalo(o *order) bool {
	return c.K.trips == 1 || o.within(dataflow.M, dataflow.K)
}

// spills reports whether partial sums leave the chip: other result tiles come
// between two visits to the same one.
func (c *Mapping) spills(o *order) bool {
	return c.K.trips > 1 && (c.moves(o, dataflow.M, dataflow.K) || c.moves(o, dataflow.N, dataflow.K))
}

// traffic is the bytes that the candidate moves: a tensor is read again for
// every turn of the loop that does not index it, if a loop that does index it
// runs inside.
func (c *Mapping) traffic(s *product.Shape) dma.Traffic {
	o := &Orders[c.Order]
	const M, N, K = dataflow.M, dataflow.N, dataflow.K
	t := dma.Traffic{}
	if s.Form == product.GEMM {
		t.Ifmap = s.Rows * c.K.a
	} else {
		t.Ifmap = c.M.inAgain * (s.K / s.KUnit)
		if c.keepsHalo(o) {
			t.Ifmap = c.M.inKept * (s.K / s.KUnit)
		}
	}
	if c.moves(o, M, N) || c.moves(o, K, N) {
		t.Ifmap *= c.N.trips
	}
	switch {
	case s.BPacked:
		t.Filter = s.BWide.Rows(s.N, s.K)
	case s.BRows:
		t.Filter = s.N * c.K.b
	default:
		t.Filter = s.K * c.N.b
	}
	if c.moves(o, K, M) || c.moves(o, N, M) {
		t.Filter *= c.M.trips
	}
	t.Psum = c.N.bias // kept, so read once
	if c.spills(o) {
		t.Spill = (c.K.trips - 1) * s.Acc.Size(s.M()*s.N)
		t.Psum += t.Spill
	}
	if s.Form == product.GEMM {
		t.Output = s.Rows * c.N.c
	} else {
		t.Output = c.M.out * (s.N / s.NUnit)
	}
	t.Psum += t.Output*s.Sides + s.Small*c.N.trips
	t.Ifmap, t.Filter, t.Psum, t.Spill, t.Output = t.Ifmap*s.Batch, t.Filter*s.Batch, t.Psum*s.Batch, t.Spill*s.Batch, t.Output*s.Batch
	return t
}

// FootprintOf is the bytes a tile takes in each buffer.
func FootprintOf(s *product.Shape, bt int64, m *mcut, n, k int64) (ifmap, filter, ofmap int64) {
	out := m.outFoot * (n / s.NUnit)
	results := s.CWide.Size(out)
	if s.Form == product.GEMM {
		ifmap, results = bt*m.rows*s.AWide.Size(k), s.CWide.Rows(m.outFoot, n)
	} else {
		ifmap = bt * m.foot * (k / s.KUnit)
	}
	filter = s.BWide.Rows(n, k)
	if !s.BPacked && !s.BRows {
		filter = s.BWide.Rows(k, n)
	}
	return ifmap, bt * filter, bt * (s.Acc.Size(out) + s.Sides*results)
}

// legal reports whether the loops of a transposed convolution add up overlapping
// rows in the buffer: tiles of one image follow each other with the same
// filters, and sums are complete when they leave.
func (c *Mapping) legal(s *product.Shape) bool {
	if s.Form != product.Transposed {
		return true
	}
	o := &Orders[c.Order]
	if c.spills(o) {
		return false
	}
	return c.M.rows == s.Rows || !c.moves(o, dataflow.N, dataflow.M)
}

// A Cost says how long the array works on a candidate.
type Cost struct {
	Folds, Cycles int64
	Stream        int64 // cycles in which operands stream
	Groups        int64 // of products that lie in the array at once, one after the other
	run           bool  // tiles that follow each other stream through the same fold
	runTime       int64 // of one product
	Packing
}

func (c *Mapping) costOn(s *product.Shape, h *machine.Machine) Cost {
	return c.costBy(s, h, c.runs(s, h))
}

// runs reports whether tiles that follow each other may stream through the same fold, if all
// products of a tile fit into it. Of the cost nothing else depends on the order of the loops.
func (c *Mapping) runs(s *product.Shape, h *machine.Machine) bool {
	if c.Cut(h.Time).trips == 1 || h.Words(h.RowAxis, c.Cut(h.RowAxis).Size) > h.Rows || h.Words(h.ColAxis, c.Cut(h.ColAxis).Size) > h.Cols {
		return false
	}
	o := &Orders[c.Order]
	return !c.moves(o, h.RowAxis, h.Time) && !c.moves(o, h.ColAxis, h.Time)
}

// costBy is the cost by the packing of least cycles.
func (c *Mapping) costBy(s *product.Shape, h *machine.Machine, run bool) (best Cost) {
	for i, p := range c.packings(h) {
		if i > 0 && p.Pack < 2 {
			continue
		}
		if x := c.costPacked(s, h, run, p); i == 0 || x.Cycles < best.Cycles {
			best = x
		}
	}
	return best
}

// costPacked is the cost with products packed so.
func (c *Mapping) costPacked(s *product.Shape, h *machine.Machine, run bool, by Packing) Cost {
	r, x, t := c.Cut(h.RowAxis), c.Cut(h.ColAxis), c.Cut(h.Time)
	out := Cost{Packing: by, run: run && c.BT <= by.Pack}
	length := s.Axis(h.Time)
	if h.Time == dataflow.K { // a word holds elements of one tile
		length = (t.trips-1)*h.Rate.Words(t.Size) + h.Rate.Words(t.last)
	}
	var stream int64
	c.groups(s, by.Pack, func(groups, products int64) {
		out.Groups += groups
		p := by.streams(products)
		out.Stream += groups * p * length
		switch {
		case out.run:
			stream += groups * max(p*length, h.Timing.Min)
		case p == 1:
			stream += groups * t.time
		default:
			stream += groups * c.streamOf(s, h, p)
		}
	})
	spatial := r.Folds * x.Folds
	out.Folds = spatial * out.Groups
	last := h.Words(h.Time, t.last)
	if out.run {
		out.runTime, last = length, length
	} else {
		out.Folds *= t.trips
	}
	last *= by.streams(by.last(s.Batch - (s.Batch-1)/c.BT*c.BT))
	out.Stream *= spatial
	out.Cycles = h.Timing.Start + out.Folds*(h.Timing.Lead+h.Timing.Tail) + spatial*stream - max(0, h.Timing.Min-last) + h.Timing.End
	return out
}

// Accesses counts what the array reads and writes.
func (c *Mapping) Accesses(s *product.Shape, h *machine.Machine, x Cost) dma.Accesses {
	passes := func(a dataflow.Axis) int64 { // how often the axis is passed by
		if a != h.Time {
			return c.Cut(a).Folds
		}
		if x.run {
			return 1
		}
		return c.Cut(a).trips
	}
	outs := s.Batch * s.M() * s.N
	acc := dma.Accesses{
		IfmapReads:  s.Batch * s.M() * s.K * passes(dataflow.N),
		FilterReads: s.Batch * s.K * s.N * passes(dataflow.M),
		OfmapWrites: outs * passes(dataflow.K),
	}
	acc.OfmapReads = acc.OfmapWrites - outs
	if s.HasBias() {
		acc.OfmapReads = acc.OfmapWrites
	}
	acc.OfmapReads += outs * s.Sides
	return acc
}
