package tile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
)

// A Choice is what a rule fixes of one shape's mapping; zero fields are searched.
type Choice struct {
	Tile     dma.Tile
	Order    string
	Resident string
}

// A Solution is the mapping that was found for a shape.
type Solution struct {
	C       Mapping
	Cost    Cost
	Traffic dma.Traffic
	Tiles   int64
	Time    int64 // estimated
	rank    int64 // what that objective compares: time and a little of the memory's effort
	whole   bool  // tiles are fed whole, not in pieces; the same
}

// A Goal is what a search minimises.
type Goal uint8

const (
	leastTraffic Goal = iota
	LeastCycles
	LeastTime
	quick // LeastTime by the coarse grid alone, not beginning with that of least traffic
)

var Goals = map[string]Goal{"": leastTraffic, "traffic": leastTraffic, "cycles": LeastCycles, "time": LeastTime}

// better reports whether a comes before b. Equal costs are settled by the number of tiles,
// the order of the loops and the tile sizes, so that the winner does not depend on the
// sequence of the search.
func (g Goal) better(a, b *Solution) bool {
	if a.rank != b.rank {
		return a.rank < b.rank
	}
	x := cmp.Compare(a.Traffic.Total(), b.Traffic.Total())
	y := cmp.Compare(a.Cost.Cycles, b.Cost.Cycles)
	if g == LeastCycles {
		x, y = y, x
	}
	if x != 0 || y != 0 {
		return cmp.Or(x, y) < 0
	}
	return cmp.Or(
		cmp.Compare(a.Tiles, b.Tiles),
		cmp.Compare(a.C.Order, b.C.Order),
		cmp.Compare(b.C.BT, a.C.BT),
		cmp.Compare(b.C.M.Size, a.C.M.Size),
		cmp.Compare(b.C.N.Size, a.C.N.Size),
		cmp.Compare(b.C.K.Size, a.C.K.Size)) < 0
}

// Search finds the best mapping of s on one machine; for least time others follow, the
// best of other orders of the loops. The candidates are all combinations of
// the sizes of the three axes, of products per tile and of loop orders; neither
// capacity nor speed changes the set, capacity only rules out what does not
// fit. For the objective traffic what is skipped is known to cost more: fewer
// tiles along an axis never move more bytes, so that for each m and n the
// largest k that fits is enough.
func Search(s *product.Shape, h *machine.Machine, w Choice, by Goal, known Cuts) ([]Solution, error) {
	ms, ns, ks, bts, os, err := candidatesOf(s, h, w, known)
	if err != nil {
		return nil, err
	}
	f := finder{s: s, h: h, goal: by}
	if by == quick {
		f.fastest(ms, ns, ks, bts, os)
		if !f.found {
			return nil, errNothing
		}
		return append([]Solution{f.best}, f.others()...), nil
	}
	if by == LeastTime {
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
		return nil, overflowError(s, h, bts[len(bts)-1], &ms[len(ms)-1], ns[len(ns)-1].Size, ks[len(ks)-1].Size, w)
	}
	if by != LeastTime {
		f.best.Time, _ = f.best.timeOn(s, h, piecesOf(s, h, &f.best.C, f.best.Tiles))
	} else {
		f.goal = by
		f.best.estimate(s, h)
		f.fastest(ms, ns, ks, bts, os)
	}
	return append([]Solution{f.best}, f.others()...), nil
}

// errNothing says that no tile of the coarse grid fits.
var errNothing = errors.New("no tile fits")

// candidatesOf lists the cuts of each axis, largest tile first.
func candidatesOf(s *product.Shape, h *machine.Machine, w Choice, known Cuts) (ms []mcut, ns, ks []cut, bts []int64, os []int, err error) {
	axis := func(n, unit, fixed int64, x dataflow.Axis, fill func(*product.Shape, cut) cut) []cut {
		if fixed == 0 {
			return known.ofNK(s, h, x, n, unit, fill)
		}
		if fixed = min(fixed, n); fixed < n && fixed%(unit*s.Even(x)) != 0 {
			err = fmt.Errorf("tile %s is %d (want a multiple of %d)", x, fixed, unit*s.Even(x))
		}
		return cutsAlong(s, h, x, n, []int64{fixed}, fill)
	}
	ns = axis(s.N, s.NUnit, w.Tile.N, dataflow.N, ncutOf)
	ks = axis(s.K, s.KUnit, w.Tile.K, dataflow.K, kcutOf)
	along, least := h.Along(dataflow.M), h.Least(dataflow.M)
	if w.Tile.M > 0 {
		m, e := fixedM(s, w.Tile.M, along, least)
		if e != nil {
			err = e
		}
		ms = []mcut{m}
	} else {
		ms = known.ofM(s, along, least)
	}
	bts = productsTogether(h, s)
	if w.Tile.Batch > 0 {
		bts = []int64{min(w.Tile.Batch, s.Batch)}
	}
	for i := range Orders {
		name := Orders[i].String()
		if (w.Order == "" || w.Order == name) && (w.Resident == "" || Residents[w.Resident] == name[2:]) {
			os = append(os, i)
		}
	}
	if len(os) == 0 && err == nil {
		err = fmt.Errorf("order %q with resident %q is no choice (want order one of: mnk, nmk, nkm, knm, mkn, kmn; resident one of: ifmap with n innermost, filter with m, ofmap with k)", w.Order, w.Resident)
	}
	return ms, ns, ks, bts, os, err
}

// Residents maps an operand to the innermost loop that leaves it in place.
var Residents = map[string]string{"ifmap": "n", "filter": "m", "ofmap": "k"}

// fixedM is the cut of the m axis into tiles of the given size.
func fixedM(s *product.Shape, m, along, least int64) (mcut, error) {
	plane := s.Rows * s.Cols
	switch {
	case s.Form == product.GEMM:
		m = min(m, s.Rows)
		if e := s.Even(dataflow.M); m < s.Rows && m%e != 0 {
			break
		}
		return mcutOf(s, 1, m, 1, along, least), nil
	case m >= plane*s.Images:
		return mcutOf(s, s.Images, s.Rows, s.Cols, along, least), nil
	case m%plane == 0:
		return mcutOf(s, m/plane, s.Rows, s.Cols, along, least), nil
	case m < plane && m%s.Cols == 0:
		return mcutOf(s, 1, m/s.Cols, s.Cols, along, least), nil
	case m < s.Cols && s.Form == product.Conv:
		return mcutOf(s, 1, 1, m, along, least), nil
	}
	return mcutOf(s, s.Images, s.Rows, s.Cols, along, least),
		fmt.Errorf("tile m is %d (want less than a row of %d, whole rows, or whole planes of %d)", m, s.Cols, plane)
}

type finder struct {
	s       *product.Shape
	h       *machine.Machine
	goal    Goal
	found   bool
	best    Solution
	byOrder [len(Orders)]Solution // of least time by the order of the loops; tiles 0: none
}

// loops is the axes of which there are several tiles, from the outside in.
func (c *Mapping) loops() (out [3]int8) {
	n := 0
	for _, x := range Orders[c.Order].axes {
		if c.Cut(x).trips > 1 {
			n++
			out[n-1] = int8(x) + 1
		}
	}
	return out
}

func (c *Mapping) Tile() dma.Tile {
	return dma.Tile{Batch: c.BT, M: c.M.Size, N: c.N.Size, K: c.K.Size}
}

// same reports whether two mappings are the same tiles in the same order.
func (c *Mapping) same(d *Mapping) bool {
	return c.BT == d.BT && c.M.Size == d.M.Size && c.N.Size == d.N.Size && c.K.Size == d.K.Size && c.loops() == d.loops()
}

// others are the best mappings of other orders of the loops, and not the same tiles.
func (f *finder) others() (out []Solution) {
	for o := range f.byOrder {
		x := &f.byOrder[o]
		if x.Tiles > 0 && x.rank <= f.best.rank+f.best.rank/CloseBy && !slices.ContainsFunc(append(out, f.best), func(y Solution) bool { return x.C.same(&y.C) }) {
			out = append(out, *x)
		}
	}
	return out
}

// begin finds the best by traffic or cycles, which neither the memory nor the vector unit
// has a part in: points that differ in their speed alone find what another has found.
func (f *finder) begin(w Choice, known Cuts, find func()) {
	key := Key{S: f.s.Bare(), H: *f.h, W: w, Goal: f.goal}
	key.H.Mem, key.H.Lanes, key.H.SharedA, key.H.SharedB = machine.Memory{}, 0, 0, 0
	best, ok := known.First[key]
	if ok {
		f.found, f.best = best.C.M != nil, best
		return
	}
	find()
	known.First[key] = f.best
}

// tile tries all n, k and orders for bt products and the cut m.
func (f *finder) tile(bt int64, m *mcut, ns, ks []cut, os []int) {
	s, h := f.s, f.h
	within := func(n, k int64) (a, b, c bool) {
		x, y, z := FootprintOf(s, bt, m, n, k)
		return x <= h.Ifmap, y <= h.Filter, z <= h.Ofmap
	}
	ka := 0 // the largest k that the ifmap buffer allows
	for ; ka < len(ks); ka++ {
		if a, _, _ := within(1, ks[ka].Size); a {
			break
		}
	}
	if ka == len(ks) {
		return
	}
	var done [len(Orders)]bool
	for i := range ns {
		n := &ns[i]
		if _, _, c := within(n.Size, ks[ka].Size); !c {
			continue
		}
		k := ka
		for ; k < len(ks); k++ { // smaller n only allow larger k: rescan from ka
			if _, b, _ := within(n.Size, ks[k].Size); b {
				break
			}
		}
		live := false
		for _, o := range os {
			if done[o] {
				continue
			}
			c := Mapping{BT: bt, M: m, N: n, K: &ks[ka], Order: o}
			if f.found && f.goal != LeastCycles && c.traffic(s).Total() > f.best.Traffic.Total() {
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
func (f *finder) try(c Mapping, ks []cut, k int) {
	trips, along := ks[k].trips, f.h.Along(dataflow.K)
	aligned := false
	for ; k < len(ks); k++ {
		full := along > 0 && ks[k].Size%along == 0
		if ks[k].trips != trips && (f.goal != LeastCycles || aligned || along == 0) {
			return
		}
		if ks[k].trips == trips || full {
			c.K = &ks[k]
			f.one(c)
		}
		aligned = aligned || full
	}
}

func (f *finder) one(c Mapping) {
	s := f.s
	if !c.legal(s) {
		return
	}
	t := c.traffic(s)
	if f.found && f.goal != LeastCycles && t.Total() > f.best.Traffic.Total() {
		return
	}
	x := Solution{C: c, Traffic: t, Cost: c.costOn(s, f.h)}
	x.Tiles = integer.Ceil(s.Batch, c.BT) * c.M.trips * c.N.trips * c.K.trips
	if !f.found || f.goal.better(&x, &f.best) {
		f.found, f.best = true, x
	}
}

// overflowError says which buffer the smallest tile does not fit into.
func overflowError(s *product.Shape, h *machine.Machine, bt int64, m *mcut, n, k int64, w Choice) error {
	a, b, c := FootprintOf(s, bt, m, n, k)
	var what []string
	for _, x := range []struct {
		b          dma.Buffer
		need, have int64
	}{{dma.Ifmap, a, h.Ifmap}, {dma.Filter, b, h.Filter}, {dma.Ofmap, c, h.Ofmap}} {
		if x.need > x.have {
			what = append(what, fmt.Sprintf("%s needs %d B, %d B more than the %d B of half the buffer", x.b, x.need, x.need-x.have, x.have))
		}
	}
	if what == nil {
		return fmt.Errorf("no loop order keeps the overlapping sums of a transposed convolution on the chip with these tiles and buffers (order %q)", w.Order)
	}
	kind := "smallest tile"
	if w.Tile != (dma.Tile{}) {
		kind = "tile"
	}
	slices.Sort(what)
	return fmt.Errorf("%s %d x (%d x %d by %d x %d): %s", kind, bt, m.Size, k, k, n, strings.Join(what, "; "))
}
