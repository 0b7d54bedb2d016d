package attention

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// An arrayCost is what some products cost the array.
type arrayCost struct {
	Folds, Stream, Cycles int64
	Rows, Cols            int64 // of the array that stationary tiles fill, summed over folds
	Acc                   dma.Accesses
}

func (e *arrayCost) add(x *arrayCost, times int64) {
	e.Folds += x.Folds * times
	e.Stream += x.Stream * times
	e.Cycles += x.Cycles * times
	e.Rows += x.Rows * times
	e.Cols += x.Cols * times
	e.Acc.IfmapReads += x.Acc.IfmapReads * times
	e.Acc.FilterReads += x.Acc.FilterReads * times
	e.Acc.OfmapReads += x.Acc.OfmapReads * times
	e.Acc.OfmapWrites += x.Acc.OfmapWrites * times
}

// productCost is what an m x k by k x n product costs, fold after fold. Results are added
// to ones that are there if more is set.
func productCost(h *machine.Machine, m, n, k int64, more bool) (e arrayCost) {
	if m == 0 {
		return e
	}
	size := [3]int64{m, n, h.Rate.Words(k)}
	r, c, t := size[h.RowAxis], size[h.ColAxis], size[h.Time]
	rf, cf := integer.Ceil(r, h.Rows), integer.Ceil(c, h.Cols)
	e.Folds = rf * cf
	e.Stream = e.Folds * t
	e.Cycles = e.Folds * h.Timing.Fold(t)
	e.Rows, e.Cols = r*cf, c*rf
	passes := func(x dataflow.Axis) int64 {
		switch x {
		case h.RowAxis:
			return rf
		case h.ColAxis:
			return cf
		}
		return 1
	}
	e.Acc = dma.Accesses{IfmapReads: m * k * passes(dataflow.N), FilterReads: k * n * passes(dataflow.M), OfmapWrites: m * n * passes(dataflow.K)}
	e.Acc.OfmapReads = e.Acc.OfmapWrites
	if !more {
		e.Acc.OfmapReads -= m * n
	}
	return e
}

// A blockCost is what a block of positions x entries of one key/value head costs.
type blockCost struct {
	Scores, Sums arrayCost
	computed     int64 // scores that pass the vector unit
	Vector       int64 // operations of the vector unit
}

// Block costs positions [q0, q1) x entries [k0, k1). The array leaves out what is masked
// as far as its sides allow: entries that lie along a side go by it in pieces of that
// length, and a piece meets only the positions that see some of it.
func (a *Shape) Block(h *machine.Machine, q0, q1, k0, k1 int64, first, last bool) (b blockCost) {
	pieces := func(side int64, f func(rows, n int64)) {
		if side == 0 || a.full(q0, q1, k0, k1) {
			side = k1 - k0
		}
		for at := k0; at < k1; at += side {
			to := min(at+side, k1)
			s0, s1 := a.Mask.Seers(q0, q1, at, to, a.Queries, a.Keys)
			f(a.Group*(s1-s0), to-at)
		}
	}
	pieces(h.Along(dataflow.N), func(rows, n int64) {
		e := productCost(h, rows, n, a.Size, false)
		b.Scores.add(&e, 1)
		b.computed += rows * n
	})
	more := !first
	pieces(h.Along(dataflow.K), func(rows, n int64) {
		e := productCost(h, rows, a.Value, n, more)
		b.Sums.add(&e, 1)
		more = true
	})
	s0, s1 := a.Mask.Seers(q0, q1, k0, k1, a.Queries, a.Keys)
	b.Vector = b.computed * (graph.OnlineElement + a.scoreOps)
	if !first {
		b.Vector += a.Group * (s1 - s0) * (graph.OnlineRescale + a.Value)
	}
	if last {
		b.Vector += a.Group * (q1 - q0) * a.rowOps
	}
	return b
}

// Footprint is the bytes that blocks of br positions and bc entries take in each buffer:
// queries and weights of the sum, keys and values, scores with the weighted sums and two
// statistics per row. With resident set all keys and values that a block of positions
// sees are there.
func (a *Shape) Footprint(br, bc int64, resident bool) (ifmap, filter, ofmap int64) {
	rows := br * a.Group
	ifmap = a.QWide.Size(rows*(a.Size+bc)) + a.slabs*br*a.slabWide.Size(bc) + a.held
	kept := bc
	if resident {
		kept = a.longest(br)
	}
	return ifmap, a.entryBytes(kept), a.Acc.Size(rows * (bc + a.Value + 2))
}

// entryBytes is the keys and values of n entries.
func (a *Shape) entryBytes(n int64) int64 {
	if a.inside {
		return a.KWide.Size(n * a.Size)
	}
	return a.KWide.Size(n*a.Size) + a.VWide.Size(n*a.Value)
}

// longest is the most entries that one block of br positions sees.
func (a *Shape) longest(br int64) (n int64) {
	for q := a.Q0; q < a.Q1; q += br {
		from, to := a.Span(q, min(q+br, a.Q1))
		n = max(n, to-from)
	}
	return n
}
