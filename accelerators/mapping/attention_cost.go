package mapping

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// An arrayCost is what some products cost the array.
type arrayCost struct {
	folds, stream, cycles int64
	rows, cols            int64 // of the array that stationary tiles fill, summed over folds
	acc                   Accesses
}

func (e *arrayCost) add(x *arrayCost, times int64) {
	e.folds += x.folds * times
	e.stream += x.stream * times
	e.cycles += x.cycles * times
	e.rows += x.rows * times
	e.cols += x.cols * times
	e.acc.IfmapReads += x.acc.IfmapReads * times
	e.acc.FilterReads += x.acc.FilterReads * times
	e.acc.OfmapReads += x.acc.OfmapReads * times
	e.acc.OfmapWrites += x.acc.OfmapWrites * times
}

// product is what an m x k by k x n product costs, fold after fold. Results are added
// to ones that are there if more is set.
func (h *machine) product(m, n, k int64, more bool) (e arrayCost) {
	if m == 0 {
		return e
	}
	size := [3]int64{m, n, h.rate.words(k)}
	r, c, t := size[h.rowAxis], size[h.colAxis], size[h.time]
	rf, cf := ceil(r, h.rows), ceil(c, h.cols)
	e.folds = rf * cf
	e.stream = e.folds * t
	e.cycles = e.folds * h.timing.Fold(t)
	e.rows, e.cols = r*cf, c*rf
	passes := func(x dataflow.Axis) int64 {
		switch x {
		case h.rowAxis:
			return rf
		case h.colAxis:
			return cf
		}
		return 1
	}
	e.acc = Accesses{IfmapReads: m * k * passes(dataflow.N), FilterReads: k * n * passes(dataflow.M), OfmapWrites: m * n * passes(dataflow.K)}
	e.acc.OfmapReads = e.acc.OfmapWrites
	if !more {
		e.acc.OfmapReads -= m * n
	}
	return e
}

// A blockCost is what a block of positions x entries of one key/value head costs.
type blockCost struct {
	scores, sums arrayCost
	computed     int64 // scores that pass the vector unit
	vector       int64 // operations of the vector unit
}

// block costs positions [q0, q1) x entries [k0, k1). The array leaves out what is masked
// as far as its sides allow: entries that lie along a side go by it in pieces of that
// length, and a piece meets only the positions that see some of it.
func (a *attention) block(h *machine, q0, q1, k0, k1 int64, first, last bool) (b blockCost) {
	pieces := func(side int64, f func(rows, n int64)) {
		if side == 0 || a.full(q0, q1, k0, k1) {
			side = k1 - k0
		}
		for at := k0; at < k1; at += side {
			to := min(at+side, k1)
			s0, s1 := a.mask.Seers(q0, q1, at, to, a.queries, a.keys)
			f(a.group*(s1-s0), to-at)
		}
	}
	pieces(h.along(dataflow.N), func(rows, n int64) {
		e := h.product(rows, n, a.size, false)
		b.scores.add(&e, 1)
		b.computed += rows * n
	})
	more := !first
	pieces(h.along(dataflow.K), func(rows, n int64) {
		e := h.product(rows, a.value, n, more)
		b.sums.add(&e, 1)
		more = true
	})
	s0, s1 := a.mask.Seers(q0, q1, k0, k1, a.queries, a.keys)
	b.vector = b.computed * (graph.OnlineElement + a.scoreOps)
	if !first {
		b.vector += a.group * (s1 - s0) * (graph.OnlineRescale + a.value)
	}
	if last {
		b.vector += a.group * (q1 - q0) * a.rowOps
	}
	return b
}

// footprint is the bytes that blocks of br positions and bc entries take in each buffer:
// queries and weights of the sum, keys and values, scores with the weighted sums and two
// statistics per row. With resident set all keys and values that a block of positions
// sees are there.
func (a *attention) footprint(br, bc int64, resident bool) (ifmap, filter, ofmap int64) {
	rows := br * a.group
	ifmap = size(rows*(a.size+bc), a.qWide) + a.slabs*br*size(bc, a.slabWide) + a.held
	kept := bc
	if resident {
		kept = a.longest(br)
	}
	return ifmap, a.entryBytes(kept), size(rows*(bc+a.value+2), a.acc)
}

// entryBytes is the keys and values of n entries.
func (a *attention) entryBytes(n int64) int64 {
	if a.inside {
		return size(n*a.size, a.kWide)
	}
	return size(n*a.size, a.kWide) + size(n*a.value, a.vWide)
}

// longest is the most entries that one block of br positions sees.
func (a *attention) longest(br int64) (n int64) {
	for q := a.q0; q < a.q1; q += br {
		from, to := a.span(q, min(q+br, a.q1))
		n = max(n, to-from)
	}
	return n
}
