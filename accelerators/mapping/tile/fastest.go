package tile

import (
	"math/bits"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
)

// fastest looks for the solution of least time (Solution.timeOn), beginning with that of
// least traffic. It goes through a coarse grid: of each axis the sizes about 1.4
// times apart, those that fill the array's side first, and for tiles of m x n the
// two largest k that fit, and that of one fold. Then it moves one size at a time, on the full lists, while
// that helps. What neither the array nor the memory alone could do in time is passed
// by. So the result depends on the sequence of the search, which is fixed.
func (f *finder) fastest(ms []mcut, ns, ks []cut, bts []int64, os []int) {
	h := f.h
	m := grid(len(ms), func(i int) int64 { return ms[i].Size }, h.Along(dataflow.M))
	n := grid(len(ns), func(i int) int64 { return ns[i].Size }, h.Along(dataflow.N))
	k := grid(len(ks), func(i int) int64 { return ks[i].Size }, h.Along(dataflow.K))
	for _, bt := range bts {
		for _, i := range m {
			for _, j := range n {
				tried := 0
				for _, l := range k {
					fold := ks[l].Size == h.Along(dataflow.K)
					if tried >= 2 && !fold || !f.fits(bt, &ms[i], ns[j].Size, ks[l].Size) {
						continue
					}
					f.orders(Mapping{BT: bt, M: &ms[i], N: &ns[j], K: &ks[l]}, os)
					tried++
				}
			}
		}
	}
	if f.found {
		f.climb(ms, ns, ks, os)
	}
}

// climb moves from the best solution to neighbours in the lists while that helps.
func (f *finder) climb(ms []mcut, ns, ks []cut, os []int) {
	at := [3]int{indexM(ms, f.best.C.M), index(ns, f.best.C.N.Size), index(ks, f.best.C.K.Size)}
	for range polish {
		moved := false
		for axis, length := range [3]int{len(ms), len(ns), len(ks)} {
			for _, d := range [4]int{-1, 1, -2, 2} {
				to := at
				if to[axis] += d; to[axis] < 0 || to[axis] >= length {
					continue
				}
				c := Mapping{BT: f.best.C.BT, M: &ms[to[0]], N: &ns[to[1]], K: &ks[to[2]]}
				if !f.fits(c.BT, c.M, c.N.Size, c.K.Size) {
					continue
				}
				if f.orders(c, os) {
					at, moved = to, true
				}
			}
		}
		if !moved {
			return
		}
	}
}

// polish bounds the rounds of small moves.
const polish = 8

// index is the place of a size in a list, or of the next smaller one.
func index(list []cut, size int64) int {
	for i := range list {
		if list[i].Size <= size {
			return i
		}
	}
	return 0
}

// fits reports whether a tile fits into half of each buffer.
func (f *finder) fits(bt int64, m *mcut, n, k int64) bool {
	a, b, c := FootprintOf(f.s, bt, m, n, k)
	return a <= f.h.Ifmap && b <= f.h.Filter && c <= f.h.Ofmap
}

// orders tries a tile in every order of the loops; true if one is the best so far.
func (f *finder) orders(c Mapping, os []int) (better bool) {
	s, h := f.s, f.h
	var costs [2]Cost // by runs; of pack 0 if not known
	for _, o := range os {
		c.Order = o
		if !c.legal(s) {
			continue
		}
		run := c.runs(s, h)
		cost := &costs[0]
		if run {
			cost = &costs[1]
		}
		if cost.Pack == 0 {
			*cost = c.costBy(s, h, run)
		}
		if f.found && cost.Cycles > f.best.rank {
			continue
		}
		t := c.traffic(s)
		if f.found && h.Mem.Busy(fetchedBytes(s, h, &t), 0) > f.best.rank {
			continue
		}
		x := Solution{C: c, Cost: *cost, Traffic: t}
		x.Tiles = integer.Ceil(s.Batch, c.BT) * c.M.trips * c.N.trips * c.K.trips
		x.estimate(s, h)
		if y := &f.byOrder[o]; y.Tiles == 0 || f.goal.better(&x, y) {
			*y = x
		}
		if !f.found || f.goal.better(&x, &f.best) {
			f.found, f.best, better = true, x, true
		}
	}
	return better
}

// fetchedBytes is the bytes of a mapping that the core itself moves.
func fetchedBytes(s *product.Shape, h *machine.Machine, t *dma.Traffic) int64 {
	m := *t
	s.Kept.Leave(&m)
	return m.Total() - m.Ifmap - m.Filter + m.Ifmap/max(h.SharedA, 1) + m.Filter/max(h.SharedB, 1)
}

// grid picks, of a list of sizes from the largest down, about two of each octave, one
// that fills the array's side where there is one. Of sizes below the side there is one of each
// octave.
func grid(n int, size func(int) int64, side int64) (out []int) {
	bucket := func(x int64) int { // two per octave
		b := bits.Len64(uint64(x))
		half := 0
		if b > 1 && x>>(b-2)&1 == 1 {
			half = 1
		}
		return 2*b + half
	}
	last, full := -1, false
	for i := range n {
		x := size(i)
		if x < side && len(out) > 0 && 2*x > size(out[len(out)-1]) {
			continue
		}
		fills := side > 0 && x%side == 0
		switch b := bucket(x); {
		case i == 0:
			out, last, full = append(out, i), b, true // the whole axis
		case b != last:
			out, last, full = append(out, i), b, fills
		case fills && !full:
			out[len(out)-1], full = i, true
		}
	}
	return out
}
