package mapping

import (
	"iter"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/search"
)

// rounds bounds how often the neighbours of the best are walked, and starts how many of the
// others, of other machines, are begun from too.
const rounds, starts = 6, 3

// refine walks the neighbours of the best mappings: other orders of the loops, sizes of tiles
// about half and twice as large, and those next to it.
func (x *contest) refine(best finalist) finalist {
	from, most := []finalist{best}, starts
	if best.sol.time < fewCycles {
		most = len(x.all)
	}
	for _, y := range x.all {
		if len(from) > most {
			break
		}
		if !slices.ContainsFunc(from, func(z finalist) bool { return z.h == y.h && (most == starts || z.sol.c.same(&y.sol.c)) }) && y.sol.rank <= best.sol.rank+best.sol.rank/nearBy {
			from = append(from, y)
		}
	}
	least := best
	for i, y := range from {
		if i > 0 {
			var ok bool
			if y, ok = walkedOf(y, x.plan, overflow); !ok {
				continue
			}
		}
		if y = x.descend(y); y.sol.rank < least.sol.rank {
			least = y
		}
	}
	if least.sol.rank < best.sol.rank-best.sol.rank/margin {
		return least
	}
	return best
}

// nearBy: a neighbour that is estimated to take longer than the best by this part of its time
// is not walked, but for products of few cycles.
const nearBy = 4

// descend walks downhill from a mapping whose time is known by its walk.
func (x *contest) descend(from finalist) finalist {
	x.bar = from.sol.rank
	return search.Descend(from, x.bar, x.near, func(z *finalist) (int64, bool) {
		if z.sol.rank > x.bar+x.bar/nearBy && x.bar >= fewCycles {
			return 0, false
		}
		w, ok := walkedOf(*z, x.plan, x.bar)
		if *z = w; ok {
			x.bar = min(x.bar, w.sol.rank)
		}
		return w.sol.rank, ok
	}, rounds)
}

// near yields the neighbours of a mapping, estimated: the same tiles on other ways of the core, and
// its moves.
func (x *contest) near(at finalist) iter.Seq[finalist] {
	return func(yield func(finalist) bool) {
		l, err := x.lists(&at.h)
		if err != nil {
			return
		}
		for i := range x.ways {
			if z, ok := x.on(&x.ways[i], &at); ok && !yield(z) {
				return
			}
		}
		f := finder{s: x.s, h: &at.h}
		for _, c := range x.moves(&f, &l, at.sol.c) {
			if !x.s.legal(&c) || !f.fits(c.bt, c.m, c.n.size, c.k.size) {
				continue
			}
			if z, ok := x.of(&at.h, c); ok && !yield(z) {
				return
			}
		}
	}
}

// moves are what may be changed of a mapping: the order of the loops, one size of its tiles, and
// with rows or columns also the other one of both, to as much as the buffers then hold.
func (x *contest) moves(f *finder, l *lists, c candidate) (out []candidate) {
	for _, o := range l.os {
		d := c
		if d.order = o; d.loops() != c.loops() {
			out = append(out, d)
		}
	}
	far := x.bar < short
	for _, i := range steps(len(l.ns), index(l.ns, c.n.size), far, func(i int) int64 { return l.ns[i].size }) {
		d := c
		d.n = &l.ns[i]
		out = append(out, d)
		if j := slices.IndexFunc(l.ms, func(m mcut) bool { return f.fits(d.bt, &m, d.n.size, d.k.size) }); j >= 0 && l.ms[j].size != c.m.size {
			d.m = &l.ms[j]
			out = append(out, d)
		}
	}
	for _, i := range steps(len(l.ms), indexM(l.ms, c.m), far, func(i int) int64 { return l.ms[i].size }) {
		d := c
		d.m = &l.ms[i]
		out = append(out, d)
		if j := slices.IndexFunc(l.ns, func(n cut) bool { return f.fits(d.bt, d.m, n.size, d.k.size) }); j >= 0 && l.ns[j].size != c.n.size {
			d.n = &l.ns[j]
			out = append(out, d)
		}
	}
	for _, i := range steps(len(l.ks), index(l.ks, c.k.size), far, func(i int) int64 { return l.ks[i].size }) {
		d := c
		d.k = &l.ks[i]
		out = append(out, d)
	}
	for _, bt := range [3]int64{min(2*c.bt, x.s.batch), ceil(c.bt, 2), l.bts[0]} {
		d := c
		if d.bt = bt; bt != c.bt && x.w.tile.Batch == 0 {
			out = append(out, d)
		}
	}
	return out
}

// on is a mapping on another way of the core, as large a part of the array or one next to it in
// size; false where there is none.
func (x *contest) on(h *machine, at *finalist) (finalist, bool) {
	next := func(a, b int64) bool { return a <= 2*b && b <= 2*a }
	if *h == at.h || !next(h.rows, at.h.rows) || !next(h.cols, at.h.cols) {
		return finalist{}, false
	}
	c := &at.sol.c
	ms, ns, ks, bts, os, err := x.s.candidates(h, fixedChoice{tile: c.tile(), order: orders[c.order].String()}, x.known)
	if err != nil {
		return finalist{}, false
	}
	return x.of(h, candidate{bt: bts[0], m: &ms[0], n: &ns[0], k: &ks[0], order: os[0]})
}

// A lists is the candidates of a machine.
type lists struct {
	ms     []mcut
	ns, ks []cut
	bts    []int64
	os     []int
}

func (x *contest) lists(h *machine) (l lists, err error) {
	l.ms, l.ns, l.ks, l.bts, l.os, err = x.s.candidates(h, x.w, x.known)
	return l, err
}

// of is a candidate as a finalist, estimated; false where array or memory alone take longer than
// the best neighbour.
func (x *contest) of(h *machine, c candidate) (finalist, bool) {
	s := x.s
	sol := solution{c: c, cost: s.cost(h, &c)}
	if sol.cost.cycles >= x.bar {
		return finalist{}, false
	}
	if sol.traffic = s.traffic(&c); h.mem.time(s.fetches(h, &sol.traffic), 0) >= x.bar {
		return finalist{}, false
	}
	sol.tiles = ceil(s.batch, c.bt) * c.m.trips * c.n.trips * c.k.trips
	s.estimate(h, &sol)
	return finalist{*h, sol, 1}, true
}

// steps are places in a list of sizes, from the largest down, near one of them: the next ones,
// and about half and twice as large, and so on where far is set.
func steps(n, here int, far bool, size func(int) int64) (out []int) {
	if here > 0 {
		out = append(out, here-1)
	}
	if here+1 < n {
		out = append(out, here+1)
	}
	last := size(here)
	for i := here + 2; i < n; i++ {
		if 2*size(i) <= last+1 || far && i == n-1 {
			if out, last = append(out, i), size(i); !far {
				break
			}
		}
	}
	last = size(here)
	for i := here - 2; i >= 0; i-- {
		if size(i) >= 2*last || i == 0 {
			if out, last = append(out, i), size(i); !far {
				break
			}
		}
	}
	return out
}

// indexM is the place of a tile in a list, or of the next smaller one.
func indexM(list []mcut, m *mcut) int {
	for i := range list {
		if list[i].images <= m.images && list[i].rows <= m.rows && list[i].cols <= m.cols {
			return i
		}
	}
	return 0
}
