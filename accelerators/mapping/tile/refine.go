package tile

import (
	"iter"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/search"
	"github.com/causeway-sim/causeway/components/integer"
)

// rounds bounds how often the neighbours of the best are walked, and starts how many of the
// others, of other machines, are begun from too.
const rounds, starts = 6, 3

// refine walks the neighbours of the best mappings: other orders of the loops, sizes of tiles
// about half and twice as large, and those next to it.
func (x *contest) refine(best Finalist) Finalist {
	from, most := []Finalist{best}, starts
	if best.Sol.Time < fewCycles {
		most = len(x.all)
	}
	for _, y := range x.all {
		if len(from) > most {
			break
		}
		if !slices.ContainsFunc(from, func(z Finalist) bool { return z.H == y.H && (most == starts || z.Sol.C.same(&y.Sol.C)) }) && y.Sol.rank <= best.Sol.rank+best.Sol.rank/nearBy {
			from = append(from, y)
		}
	}
	least := best
	for i, y := range from {
		if i > 0 {
			var ok bool
			if y, ok = walkedOf(y, x.plan, machine.Overflow); !ok {
				continue
			}
		}
		if y = x.descend(y); y.Sol.rank < least.Sol.rank {
			least = y
		}
	}
	if least.Sol.rank < best.Sol.rank-best.Sol.rank/Margin {
		return least
	}
	return best
}

// nearBy: a neighbour that is estimated to take longer than the best by this part of its time
// is not walked, but for products of few cycles.
const nearBy = 4

// descend walks downhill from a mapping whose time is known by its walk.
func (x *contest) descend(from Finalist) Finalist {
	x.bar = from.Sol.rank
	return search.Descend(from, x.bar, x.near, func(z *Finalist) (int64, bool) {
		if z.Sol.rank > x.bar+x.bar/nearBy && x.bar >= fewCycles {
			return 0, false
		}
		w, ok := walkedOf(*z, x.plan, x.bar)
		if *z = w; ok {
			x.bar = min(x.bar, w.Sol.rank)
		}
		return w.Sol.rank, ok
	}, rounds)
}

// near yields the neighbours of a mapping, estimated: the same tiles on other ways of the core, and
// its moves.
func (x *contest) near(at Finalist) iter.Seq[Finalist] {
	return func(yield func(Finalist) bool) {
		l, err := x.lists(&at.H)
		if err != nil {
			return
		}
		for i := range x.ways {
			if z, ok := x.on(&x.ways[i], &at); ok && !yield(z) {
				return
			}
		}
		f := finder{s: x.s, h: &at.H}
		for _, c := range x.moves(&f, &l, at.Sol.C) {
			if !c.legal(x.s) || !f.fits(c.BT, c.M, c.N.Size, c.K.Size) {
				continue
			}
			if z, ok := x.of(&at.H, c); ok && !yield(z) {
				return
			}
		}
	}
}

// moves are what may be changed of a mapping: the order of the loops, one size of its tiles, and
// with rows or columns also the other one of both, to as much as the buffers then hold.
func (x *contest) moves(f *finder, l *lists, c Mapping) (out []Mapping) {
	for _, o := range l.os {
		d := c
		if d.Order = o; d.loops() != c.loops() {
			out = append(out, d)
		}
	}
	far := x.bar < Short
	for _, i := range steps(len(l.ns), index(l.ns, c.N.Size), far, func(i int) int64 { return l.ns[i].Size }) {
		d := c
		d.N = &l.ns[i]
		out = append(out, d)
		if j := slices.IndexFunc(l.ms, func(m mcut) bool { return f.fits(d.BT, &m, d.N.Size, d.K.Size) }); j >= 0 && l.ms[j].Size != c.M.Size {
			d.M = &l.ms[j]
			out = append(out, d)
		}
	}
	for _, i := range steps(len(l.ms), indexM(l.ms, c.M), far, func(i int) int64 { return l.ms[i].Size }) {
		d := c
		d.M = &l.ms[i]
		out = append(out, d)
		if j := slices.IndexFunc(l.ns, func(n cut) bool { return f.fits(d.BT, d.M, n.Size, d.K.Size) }); j >= 0 && l.ns[j].Size != c.N.Size {
			d.N = &l.ns[j]
			out = append(out, d)
		}
	}
	for _, i := range steps(len(l.ks), index(l.ks, c.K.Size), far, func(i int) int64 { return l.ks[i].Size }) {
		d := c
		d.K = &l.ks[i]
		out = append(out, d)
	}
	for _, bt := range [3]int64{min(2*c.BT, x.s.Batch), integer.Ceil(c.BT, 2), l.bts[0]} {
		d := c
		if d.BT = bt; bt != c.BT && x.w.Tile.Batch == 0 {
			out = append(out, d)
		}
	}
	return out
}

// on is a mapping on another way of the core, as large a part of the array or one next to it in
// size; false where there is none.
func (x *contest) on(h *machine.Machine, at *Finalist) (Finalist, bool) {
	next := func(a, b int64) bool { return a <= 2*b && b <= 2*a }
	if *h == at.H || !next(h.Rows, at.H.Rows) || !next(h.Cols, at.H.Cols) {
		return Finalist{}, false
	}
	c := &at.Sol.C
	ms, ns, ks, bts, os, err := candidatesOf(x.s, h, Choice{Tile: c.Tile(), Order: Orders[c.Order].String()}, x.known)
	if err != nil {
		return Finalist{}, false
	}
	return x.of(h, Mapping{BT: bts[0], M: &ms[0], N: &ns[0], K: &ks[0], Order: os[0]})
}

// A lists is the candidates of a machine.
type lists struct {
	ms     []mcut
	ns, ks []cut
	bts    []int64
	os     []int
}

func (x *contest) lists(h *machine.Machine) (l lists, err error) {
	l.ms, l.ns, l.ks, l.bts, l.os, err = candidatesOf(x.s, h, x.w, x.known)
	return l, err
}

// of is a candidate as a finalist, estimated; false where array or memory alone take longer than
// the best neighbour.
func (x *contest) of(h *machine.Machine, c Mapping) (Finalist, bool) {
	s := x.s
	sol := Solution{C: c, Cost: c.costOn(s, h)}
	if sol.Cost.Cycles >= x.bar {
		return Finalist{}, false
	}
	if sol.Traffic = c.traffic(s); h.Mem.Busy(fetchedBytes(s, h, &sol.Traffic), 0) >= x.bar {
		return Finalist{}, false
	}
	sol.Tiles = integer.Ceil(s.Batch, c.BT) * c.M.trips * c.N.trips * c.K.trips
	sol.estimate(s, h)
	return Finalist{*h, sol, 1}, true
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
