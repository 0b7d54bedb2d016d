package tile

import (
	"math/bits"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
)

// enter computes the tile that the indices name, and what of it is on the chip.
func (w *Walk) enter() {
	s, c := w.p.S, &w.p.Sol.C
	t := &w.Tile
	t.B0 = w.Bi * c.BT
	t.B1 = min(t.B0+c.BT, s.Batch)
	t.N0 = w.Idx[dataflow.N] * c.N.Size
	t.N1 = min(t.N0+c.N.Size, s.N)
	t.K0 = w.Idx[dataflow.K] * c.K.Size
	t.K1 = min(t.K0+c.K.Size, s.K)
	m := c.M
	np, nq := integer.Ceil(s.Rows, m.rows), integer.Ceil(s.Cols, m.cols)
	i := w.Idx[dataflow.M]
	q, p, b := i%nq, i/nq%np, i/nq/np
	t.I0, t.P0, t.Q0 = b*m.images, p*m.rows, q*m.cols
	t.I1, t.P1, t.Q1 = min(t.I0+m.images, s.Images), min(t.P0+m.rows, s.Rows), min(t.Q0+m.cols, s.Cols)
	t.X0, t.X1 = 0, (t.I1-t.I0)*(t.P1-t.P0)*(t.Q1-t.Q0)
	w.m0 = (t.I0*s.Rows+t.P0)*s.Cols + t.Q0
	w.Len = [3]int64{t.X1, t.N1 - t.N0, t.K1 - t.K0}
	w.at = [3]int64{}

	a := [3]int64{w.Bi, i, w.Idx[dataflow.K]}
	w.newA = a != w.lastA
	w.done = 0
	if p > 0 && m.cols == s.Cols && w.lastA == [3]int64{a[0], i - 1, a[2]} {
		w.done = t.P0
	}
	w.lastA = a
	bb := [3]int64{w.Bi, w.Idx[dataflow.N], w.Idx[dataflow.K]}
	w.newB = bb != w.lastB
	w.lastB = bb
}

// A Walk yields the steps of a product in order, without allocating per step.
type Walk struct {
	p     *Schedule
	end   bool
	first bool // no step has been given

	Bi   int64       // tile of products
	Idx  [3]int64    // tile of each axis
	Tile product.Box // the tile: all of it
	m0   int64       // pixels of the share before the tile
	Len  [3]int64    // of the tile, by axis
	at   [3]int64    // start of the piece in the tile, by axis

	lastA, lastB [3]int64 // tile of products and of both axes that is on the chip
	newA, newB   bool
	done         int64 // output rows whose input rows have come with the tile before

	out    uint64 // results stored so far
	vector uint64 // vector operations done for them
}

// Reset starts the walk over p, keeping nothing of an earlier one.
func (w *Walk) Reset(p *Schedule) {
	none := [3]int64{-1, -1, -1}
	*w = Walk{p: p, first: true, lastA: none, lastB: none}
	w.enter()
}

// Next fills st with the next step; false at the end.
func (w *Walk) Next(st *dma.Step) bool {
	st.Loads, st.Stores = st.Loads[:0], st.Stores[:0]
	if w.end {
		return false
	}
	p := w.p
	s, h, c := p.S, p.H, &p.Sol.C
	const M, N, K = dataflow.M, dataflow.N, dataflow.K
	var n [3]int64
	for x := range n {
		n[x] = min(p.piece[x], w.Len[x]-w.at[x])
	}
	x := w.Tile
	x.X0, x.N0, x.K0 = w.at[M], w.Tile.N0+w.at[N], w.Tile.K0+w.at[K]
	x.X1, x.N1, x.K1 = x.X0+n[M], x.N0+n[N], x.K0+n[K]

	firstK, lastK := w.at[K] == 0, w.at[K]+n[K] == w.Len[K]
	if w.newB && w.at[M] == 0 {
		from := len(st.Loads)
		st.Loads = p.Fetches[1].Cut(s.LoadB(st.Loads, &p.At, &x, &w.Tile), from)
	}
	if w.newA && w.at[N] == 0 {
		from := len(st.Loads)
		st.Loads = p.Fetches[0].Cut(s.LoadA(st.Loads, &p.At, &x, w.done), from)
	}
	if firstK && w.Idx[K] > 0 && p.Spills {
		st.Loads = s.Psum(st.Loads, &x, &w.Tile, w.m0, w.Len[M])
	}
	if firstK && w.Idx[K] == 0 && w.Idx[M] == 0 && w.at[M] == 0 && s.HasBias() {
		st.Loads = s.LoadBias(st.Loads, &p.At, &x)
	}
	products := x.B1 - x.B0
	st.MACs = products * n[M] * n[N] * n[K]
	st.Cycles = w.cycles(n, products)
	if lastK {
		if w.Idx[K] == c.K.trips-1 {
			st.Stores = p.Sum.Cut(s.StoreC(st.Stores, &p.At, &x), 0)
			from := len(st.Loads)
			st.Loads = p.Sum.Cut(s.LoadSides(st.Loads, &p.At, &x, w.at[N] == 0), from)
			st.Cycles = max(st.Cycles, w.vectorCycles(uint64(products*n[M]*n[N])))
		} else if p.Spills {
			st.Stores = s.Psum(st.Stores, &x, &w.Tile, w.m0, w.Len[M])
		}
	}
	w.advance(n)
	if w.end {
		st.Cycles += h.Timing.End - max(0, h.Timing.Min-w.stream(p.Sol.Cost.last(products)))
	}
	if w.first {
		st.Cycles += h.Timing.Start
		w.first = false
	}
	return true
}

// stream is how long the current fold of so many products streams in all.
func (w *Walk) stream(products int64) int64 {
	x := &w.p.Sol.Cost
	length := x.runTime
	if !x.run {
		length = w.p.H.Words(w.p.H.Time, w.Len[w.p.H.Time])
	}
	return length * x.streams(products)
}

// cycles is how long the array works on a piece of the given lengths.
func (w *Walk) cycles(n [3]int64, products int64) int64 {
	h, x := w.p.H, &w.p.Sol.Cost
	t := h.Time
	folds := integer.Ceil(h.Words(h.RowAxis, n[h.RowAxis]), h.Rows) * integer.Ceil(h.Words(h.ColAxis, n[h.ColAxis]), h.Cols)
	words := h.Words(t, w.at[t]+n[t]) - h.Words(t, w.at[t])
	begins := w.at[t] == 0 && (!x.run || w.Idx[t] == 0)
	ends := w.at[t]+n[t] == w.Len[t] && (!x.run || w.Idx[t] == w.p.Sol.C.Cut(t).trips-1)
	fold := func(products int64) int64 {
		each := words * x.streams(products)
		if begins {
			each += h.Timing.Lead
		}
		if ends {
			each += h.Timing.Tail + max(0, h.Timing.Min-w.stream(products))
		}
		return each
	}
	sum := products / x.Pack * fold(x.Pack)
	if rest := products % x.Pack; rest > 0 {
		sum += fold(rest)
	}
	return folds * sum
}

// vectorCycles is how long the vector unit works on so many more results: its
// operations are spread evenly over all of them.
func (w *Walk) vectorCycles(results uint64) int64 {
	p := w.p
	if p.S.Vector == 0 {
		return 0
	}
	w.out += results
	hi, lo := bits.Mul64(uint64(p.S.Vector), w.out)
	done, _ := bits.Div64(hi, lo, uint64(p.S.Batch*p.S.M()*p.S.N))
	ops := done - w.vector
	w.vector = done
	return integer.Ceil(int64(ops), p.Lanes)
}

// advance goes to the next piece: time runs fastest, then the folds; then to
// the next tile in the order of the memory loops; then to the next products.
func (w *Walk) advance(n [3]int64) {
	outer, inner := w.p.H.Nest()
	for _, x := range [3]dataflow.Axis{w.p.H.Time, inner, outer} {
		if w.at[x] += n[x]; w.at[x] < w.Len[x] {
			return
		}
		w.at[x] = 0
	}
	c := &w.p.Sol.C
	o := &Orders[c.Order]
	for i := 2; i >= 0; i-- {
		x := o.axes[i]
		if w.Idx[x]++; w.Idx[x] < c.Cut(x).trips {
			w.enter()
			return
		}
		w.Idx[x] = 0
	}
	if w.Bi++; w.Bi*c.BT >= w.p.S.Batch {
		w.end = true
		return
	}
	w.enter()
}
