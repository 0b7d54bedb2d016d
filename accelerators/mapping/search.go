package mapping

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
)

// A fixedChoice is what a rule fixes of one shape's mapping; zero fields are searched.
type fixedChoice struct {
	tile     Tile
	order    string
	resident string
}

// A solution is the mapping that was found for a shape.
type solution struct {
	c       candidate
	cost    cost
	traffic Traffic
	tiles   int64
	time    int64 // estimated
	rank    int64 // what that objective compares: time and a little of the memory's effort
	whole   bool  // tiles are fed whole, not in pieces; the same
}

// A goal is what a search minimises.
type goal uint8

const (
	leastTraffic goal = iota
	leastCycles
	leastTime
	quick // leastTime by the coarse grid alone, not beginning with that of least traffic
)

var goals = map[string]goal{"": leastTraffic, "traffic": leastTraffic, "cycles": leastCycles, "time": leastTime}

// better reports whether a comes before b. Equal costs are settled by the number of tiles,
// the order of the loops and the tile sizes, so that the winner does not depend on the
// sequence of the search.
func (g goal) better(a, b *solution) bool {
	if a.rank != b.rank {
		return a.rank < b.rank
	}
	x := cmp.Compare(a.traffic.Total(), b.traffic.Total())
	y := cmp.Compare(a.cost.cycles, b.cost.cycles)
	if g == leastCycles {
		x, y = y, x
	}
	if x != 0 || y != 0 {
		return cmp.Or(x, y) < 0
	}
	return cmp.Or(
		cmp.Compare(a.tiles, b.tiles),
		cmp.Compare(a.c.order, b.c.order),
		cmp.Compare(b.c.bt, a.c.bt),
		cmp.Compare(b.c.m.size, a.c.m.size),
		cmp.Compare(b.c.n.size, a.c.n.size),
		cmp.Compare(b.c.k.size, a.c.k.size)) < 0
}

// searchTiles finds the best mapping of s on one machine; for least time others follow, the
// best of other orders of the loops. The candidates are all combinations of
// the sizes of the three axes, of products per tile and of loop orders; neither
// capacity nor speed changes the set, capacity only rules out what does not
// fit. For the objective traffic what is skipped is known to cost more: fewer
// tiles along an axis never move more bytes, so that for each m and n the
// largest k that fits is enough.
func searchTiles(s *shape, h *machine, w fixedChoice, by goal, known cuts) ([]solution, error) {
	ms, ns, ks, bts, os, err := s.candidates(h, w, known)
	if err != nil {
		return nil, err
	}
	f := finder{s: s, h: h, goal: by}
	if by == quick {
		f.fastest(ms, ns, ks, bts, os)
		if !f.found {
			return nil, errNothing
		}
		return append([]solution{f.best}, f.others()...), nil
	}
	if by == leastTime {
		f.goal = leastTraffic // to begin with
	}
	f.begin(w, known, func() {
		for _, bt := range bts {
			for i := range ms {
				f.tile(bt, &ms[i], ns, ks, os)
			}
		}
	})
	if !f.found {
		return nil, s.overflowError(h, bts[len(bts)-1], &ms[len(ms)-1], ns[len(ns)-1].size, ks[len(ks)-1].size, w)
	}
	if by != leastTime {
		f.best.time, _ = s.time(h, &f.best, s.pieces(h, &f.best.c, f.best.tiles))
	} else {
		f.goal = by
		s.estimate(h, &f.best)
		f.fastest(ms, ns, ks, bts, os)
	}
	return append([]solution{f.best}, f.others()...), nil
}

// errNothing says that no tile of the coarse grid fits.
var errNothing = errors.New("no tile fits")

// candidates lists the cuts of each axis, largest tile first.
func (s *shape) candidates(h *machine, w fixedChoice, known cuts) (ms []mcut, ns, ks []cut, bts []int64, os []int, err error) {
	axis := func(n, unit, fixed int64, x dataflow.Axis, fill func(cut) cut) []cut {
		if fixed == 0 {
			return known.ofNK(s, h, x, n, unit, fill)
		}
		if fixed = min(fixed, n); fixed < n && fixed%(unit*s.even(x)) != 0 {
			err = fmt.Errorf("tile %s is %d (want a multiple of %d)", x, fixed, unit*s.even(x))
		}
		return h.cutsOf(x, n, []int64{fixed}, fill)
	}
	ns = axis(s.n, s.nUnit, w.tile.N, dataflow.N, s.ncut)
	ks = axis(s.k, s.kUnit, w.tile.K, dataflow.K, s.kcut)
	along, least := h.along(dataflow.M), h.least(dataflow.M)
	if w.tile.M > 0 {
		m, e := s.fixedM(w.tile.M, along, least)
		if e != nil {
			err = e
		}
		ms = []mcut{m}
	} else {
		ms = known.ofM(s, along, least)
	}
	bts = h.together(s)
	if w.tile.Batch > 0 {
		bts = []int64{min(w.tile.Batch, s.batch)}
	}
	for i := range orders {
		name := orders[i].String()
		if (w.order == "" || w.order == name) && (w.resident == "" || residents[w.resident] == name[2:]) {
			os = append(os, i)
		}
	}
	if len(os) == 0 && err == nil {
		err = fmt.Errorf("order %q with resident %q is no choice (want order one of: mnk, nmk, nkm, knm, mkn, kmn; resident one of: ifmap with n innermost, filter with m, ofmap with k)", w.order, w.resident)
	}
	return ms, ns, ks, bts, os, err
}

// residents maps an operand to the innermost loop that leaves it in place.
var residents = map[string]string{"ifmap": "n", "filter": "m", "ofmap": "k"}

// fixedM is the cut of the m axis into tiles of the given size.
func (s *shape) fixedM(m, along, least int64) (mcut, error) {
	plane := s.rows * s.cols
	switch {
	case s.form == gemm:
		m = min(m, s.rows)
		if e := s.even(dataflow.M); m < s.rows && m%e != 0 {
			break
		}
		return s.mcut(1, m, 1, along, least), nil
	case m >= plane*s.images:
		return s.mcut(s.images, s.rows, s.cols, along, least), nil
	case m%plane == 0:
		return s.mcut(m/plane, s.rows, s.cols, along, least), nil
	case m < plane && m%s.cols == 0:
		return s.mcut(1, m/s.cols, s.cols, along, least), nil
	case m < s.cols && s.form == conv:
		return s.mcut(1, 1, m, along, least), nil
	}
	return s.mcut(s.images, s.rows, s.cols, along, least),
		fmt.Errorf("tile m is %d (want less than a row of %d, whole rows, or whole planes of %d)", m, s.cols, plane)
}

type finder struct {
	s       *shape
	h       *machine
	goal    goal
	found   bool
	best    solution
	byOrder [len(orders)]solution // of least time by the order of the loops; tiles 0: none
}

// loops is the axes of which there are several tiles, from the outside in.
func (c *candidate) loops() (out [3]int8) {
	n := 0
	for _, x := range orders[c.order].axes {
		if c.cut(x).trips > 1 {
			n++
			out[n-1] = int8(x) + 1
		}
	}
	return out
}

func (c *candidate) tile() Tile { return Tile{c.bt, c.m.size, c.n.size, c.k.size} }

// same reports whether two mappings are the same tiles in the same order.
func (c *candidate) same(d *candidate) bool {
	return c.bt == d.bt && c.m.size == d.m.size && c.n.size == d.n.size && c.k.size == d.k.size && c.loops() == d.loops()
}

// others are the best mappings of other orders of the loops, and not the same tiles.
func (f *finder) others() (out []solution) {
	for o := range f.byOrder {
		x := &f.byOrder[o]
		if x.tiles > 0 && x.rank <= f.best.rank+f.best.rank/closeBy && !slices.ContainsFunc(append(out, f.best), func(y solution) bool { return x.c.same(&y.c) }) {
			out = append(out, *x)
		}
	}
	return out
}

// begin finds the best by traffic or cycles, which neither the memory nor the vector unit
// has a part in: points that differ in their speed alone find what another has found.
func (f *finder) begin(w fixedChoice, known cuts, find func()) {
	key := memoKey{s: f.s.bare(), h: *f.h, w: w, goal: f.goal}
	key.h.mem, key.h.lanes, key.h.sharedA, key.h.sharedB = Memory{}, 0, 0, 0
	best, ok := known.first[key]
	if ok {
		f.found, f.best = best.c.m != nil, best
		return
	}
	find()
	known.first[key] = f.best
}

// tile tries all n, k and orders for bt products and the cut m.
func (f *finder) tile(bt int64, m *mcut, ns, ks []cut, os []int) {
	s, h := f.s, f.h
	within := func(n, k int64) (a, b, c bool) {
		x, y, z := s.footprint(bt, m, n, k)
		return x <= h.ifmap, y <= h.filter, z <= h.ofmap
	}
	ka := 0 // the largest k that the ifmap buffer allows
	for ; ka < len(ks); ka++ {
		if a, _, _ := within(1, ks[ka].size); a {
			break
		}
	}
	if ka == len(ks) {
		return
	}
	var done [len(orders)]bool
	for i := range ns {
		n := &ns[i]
		if _, _, c := within(n.size, ks[ka].size); !c {
			continue
		}
		k := ka
		for ; k < len(ks); k++ { // smaller n only allow larger k: rescan from ka
			if _, b, _ := within(n.size, ks[k].size); b {
				break
			}
		}
		live := false
		for _, o := range os {
			if done[o] {
				continue
			}
			c := candidate{bt: bt, m: m, n: n, k: &ks[ka], order: o}
			if f.found && f.goal != leastCycles && s.traffic(&c).Total() > f.best.traffic.Total() {
				done[o] = true // no smaller n can do better
				continue
			}
			live = true
			if k < len(ks) {
				f.try(c, ks, k)
			}
		}
		if !live {
			return
		}
	}
}

// try tries k and what moves as much: smaller tiles that are as many, and for
// the objective cycles the largest that fills the array.
func (f *finder) try(c candidate, ks []cut, k int) {
	trips, along := ks[k].trips, f.h.along(dataflow.K)
	aligned := false
	for ; k < len(ks); k++ {
		full := along > 0 && ks[k].size%along == 0
		if ks[k].trips != trips && (f.goal != leastCycles || aligned || along == 0) {
			return
		}
		if ks[k].trips == trips || full {
			c.k = &ks[k]
			f.one(c)
		}
		aligned = aligned || full
	}
}

func (f *finder) one(c candidate) {
	s := f.s
	if !s.legal(&c) {
		return
	}
	t := s.traffic(&c)
	if f.found && f.goal != leastCycles && t.Total() > f.best.traffic.Total() {
		return
	}
	x := solution{c: c, traffic: t, cost: s.cost(f.h, &c)}
	x.tiles = ceil(s.batch, c.bt) * c.m.trips * c.n.trips * c.k.trips
	if !f.found || f.goal.better(&x, &f.best) {
		f.found, f.best = true, x
	}
}

// overflowError says which buffer the smallest tile does not fit into.
func (s *shape) overflowError(h *machine, bt int64, m *mcut, n, k int64, w fixedChoice) error {
	a, b, c := s.footprint(bt, m, n, k)
	var what []string
	for _, x := range []struct {
		b          Buffer
		need, have int64
	}{{Ifmap, a, h.ifmap}, {Filter, b, h.filter}, {Ofmap, c, h.ofmap}} {
		if x.need > x.have {
			what = append(what, fmt.Sprintf("%s needs %d B, %d B more than the %d B of half the buffer", x.b, x.need, x.need-x.have, x.have))
		}
	}
	if what == nil {
		return fmt.Errorf("no loop order keeps the overlapping sums of a transposed convolution on the chip with these tiles and buffers (order %q)", w.order)
	}
	kind := "smallest tile"
	if w.tile != (Tile{}) {
		kind = "tile"
	}
	slices.Sort(what)
	return fmt.Errorf("%s %d x (%d x %d by %d x %d): %s", kind, bt, m.size, k, k, n, strings.Join(what, "; "))
}
