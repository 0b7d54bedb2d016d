package mapping

import (
	"math/bits"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
)

// A Walker yields the steps of a plan in order, without allocating per step.
type Walker struct {
	p     *Plan
	end   bool
	first bool // no step has been given

	bi   int64    // tile of products
	idx  [3]int64 // tile of each axis
	tile box      // the tile: all of it
	m0   int64    // pixels of the share before the tile
	len  [3]int64 // of the tile, by axis
	at   [3]int64 // start of the piece in the tile, by axis

	lastA, lastB [3]int64 // tile of products and of both axes that is on the chip
	newA, newB   bool
	done         int64 // output rows whose input rows have come with the tile before

	out    uint64 // results stored so far
	vector uint64 // vector operations done for them
	part   int64  // of a stream
	attn   attentionWalk
	own    Stepper // of a core that maps in its own way
}

// Walk starts a walk over the plan's steps.
func (p *Plan) Walk() *Walker {
	w := &Walker{}
	w.Reset(p)
	return w
}

// Reset starts the walk over p, keeping nothing of an earlier one.
func (w *Walker) Reset(p *Plan) {
	none := [3]int64{-1, -1, -1}
	*w = Walker{p: p, first: true, lastA: none, lastB: none, end: p.Steps == 0}
	if p.own != nil {
		w.own = p.own.Walk()
		return
	}
	if p.Matrix && p.attn == nil {
		w.enter()
	}
}

// enter computes the tile that the indices name, and what of it is on the chip.
func (w *Walker) enter() {
	s, c := w.p.s, &w.p.sol.c
	t := &w.tile
	t.b0 = w.bi * c.bt
	t.b1 = min(t.b0+c.bt, s.batch)
	t.n0 = w.idx[dataflow.N] * c.n.size
	t.n1 = min(t.n0+c.n.size, s.n)
	t.k0 = w.idx[dataflow.K] * c.k.size
	t.k1 = min(t.k0+c.k.size, s.k)
	m := c.m
	np, nq := ceil(s.rows, m.rows), ceil(s.cols, m.cols)
	i := w.idx[dataflow.M]
	q, p, b := i%nq, i/nq%np, i/nq/np
	t.i0, t.p0, t.q0 = b*m.images, p*m.rows, q*m.cols
	t.i1, t.p1, t.q1 = min(t.i0+m.images, s.images), min(t.p0+m.rows, s.rows), min(t.q0+m.cols, s.cols)
	t.x0, t.x1 = 0, (t.i1-t.i0)*(t.p1-t.p0)*(t.q1-t.q0)
	w.m0 = (t.i0*s.rows+t.p0)*s.cols + t.q0
	w.len = [3]int64{t.x1, t.n1 - t.n0, t.k1 - t.k0}
	w.at = [3]int64{}

	a := [3]int64{w.bi, i, w.idx[dataflow.K]}
	w.newA = a != w.lastA
	w.done = 0
	if p > 0 && m.cols == s.cols && w.lastA == [3]int64{a[0], i - 1, a[2]} {
		w.done = t.p0
	}
	w.lastA = a
	bb := [3]int64{w.bi, w.idx[dataflow.N], w.idx[dataflow.K]}
	w.newB = bb != w.lastB
	w.lastB = bb
}

// Next fills s with the next step; false at the end.
func (w *Walker) Next(st *Step) bool {
	if w.own != nil {
		return w.own.Next(st)
	}
	st.Loads, st.Stores = st.Loads[:0], st.Stores[:0]
	if w.end {
		return false
	}
	switch {
	case w.p.attn != nil:
		return w.nextAttention(st)
	case !w.p.Matrix:
		return w.nextPart(st)
	}
	p := w.p
	s, h, c := p.s, p.h, &p.sol.c
	const M, N, K = dataflow.M, dataflow.N, dataflow.K
	var n [3]int64
	for x := range n {
		n[x] = min(p.piece[x], w.len[x]-w.at[x])
	}
	x := w.tile
	x.x0, x.n0, x.k0 = w.at[M], w.tile.n0+w.at[N], w.tile.k0+w.at[K]
	x.x1, x.n1, x.k1 = x.x0+n[M], x.n0+n[N], x.k0+n[K]

	firstK, lastK := w.at[K] == 0, w.at[K]+n[K] == w.len[K]
	if w.newB && w.at[M] == 0 {
		from := len(st.Loads)
		st.Loads = p.casts[1].cut(s.loadB(st.Loads, &p.at, &x, &w.tile), from)
	}
	if w.newA && w.at[N] == 0 {
		from := len(st.Loads)
		st.Loads = p.casts[0].cut(s.loadA(st.Loads, &p.at, &x, w.done), from)
	}
	if firstK && w.idx[K] > 0 && p.spills {
		st.Loads = s.psum(st.Loads, &x, &w.tile, w.m0, w.len[M])
	}
	if firstK && w.idx[K] == 0 && w.idx[M] == 0 && w.at[M] == 0 && s.hasBias() {
		st.Loads = s.loadBias(st.Loads, &p.at, &x)
	}
	products := x.b1 - x.b0
	st.MACs = products * n[M] * n[N] * n[K]
	st.Cycles = w.cycles(n, products)
	if lastK {
		if w.idx[K] == c.k.trips-1 {
			st.Stores = p.sum.cut(s.storeC(st.Stores, &p.at, &x), 0)
			from := len(st.Loads)
			st.Loads = p.sum.cut(s.loadSides(st.Loads, &p.at, &x, w.at[N] == 0), from)
			st.Cycles = max(st.Cycles, w.vectorCycles(uint64(products*n[M]*n[N])))
		} else if p.spills {
			st.Stores = s.psum(st.Stores, &x, &w.tile, w.m0, w.len[M])
		}
	}
	w.advance(n)
	if w.end {
		st.Cycles += h.timing.End - max(0, h.timing.Min-w.stream(p.sol.cost.last(products)))
	}
	if w.first {
		st.Cycles += h.timing.Start
		w.first = false
	}
	return true
}

// stream is how long the current fold of so many products streams in all.
func (w *Walker) stream(products int64) int64 {
	x := &w.p.sol.cost
	length := x.runTime
	if !x.run {
		length = w.p.h.words(w.p.h.time, w.len[w.p.h.time])
	}
	return length * x.streams(products)
}

// cycles is how long the array works on a piece of the given lengths.
func (w *Walker) cycles(n [3]int64, products int64) int64 {
	h, x := w.p.h, &w.p.sol.cost
	t := h.time
	folds := ceil(h.words(h.rowAxis, n[h.rowAxis]), h.rows) * ceil(h.words(h.colAxis, n[h.colAxis]), h.cols)
	words := h.words(t, w.at[t]+n[t]) - h.words(t, w.at[t])
	begins := w.at[t] == 0 && (!x.run || w.idx[t] == 0)
	ends := w.at[t]+n[t] == w.len[t] && (!x.run || w.idx[t] == w.p.sol.c.cut(t).trips-1)
	fold := func(products int64) int64 {
		each := words * x.streams(products)
		if begins {
			each += h.timing.Lead
		}
		if ends {
			each += h.timing.Tail + max(0, h.timing.Min-w.stream(products))
		}
		return each
	}
	sum := products / x.pack * fold(x.pack)
	if rest := products % x.pack; rest > 0 {
		sum += fold(rest)
	}
	return folds * sum
}

// vectorCycles is how long the vector unit works on so many more results: its
// operations are spread evenly over all of them.
func (w *Walker) vectorCycles(results uint64) int64 {
	p := w.p
	if p.Vector == 0 {
		return 0
	}
	w.out += results
	hi, lo := bits.Mul64(uint64(p.Vector), w.out)
	done, _ := bits.Div64(hi, lo, uint64(p.s.batch*p.s.m()*p.s.n))
	ops := done - w.vector
	w.vector = done
	return ceil(int64(ops), p.lanes)
}

// advance goes to the next piece: time runs fastest, then the folds; then to
// the next tile in the order of the memory loops; then to the next products.
func (w *Walker) advance(n [3]int64) {
	outer, inner := w.p.h.nest()
	for _, x := range [3]dataflow.Axis{w.p.h.time, inner, outer} {
		if w.at[x] += n[x]; w.at[x] < w.len[x] {
			return
		}
		w.at[x] = 0
	}
	c := &w.p.sol.c
	o := &orders[c.order]
	for i := 2; i >= 0; i-- {
		x := o.axes[i]
		if w.idx[x]++; w.idx[x] < c.cut(x).trips {
			w.enter()
			return
		}
		w.idx[x] = 0
	}
	if w.bi++; w.bi*c.bt >= w.p.s.batch {
		w.end = true
		return
	}
	w.enter()
}
