package mapping

import (
	"cmp"
	"slices"
)

// All that a product may do competes by the time that it takes: the core's own dataflow and the
// second way of weights, the whole array and parts of it, packings, tiles, loops, tiles in pieces
// and whole.
//
// The search compares mappings by closed forms (time.go) that take tiles as equally long.
// That is right on average over many steps, and up to a third off over few. So the best
// mappings of the search meet in a final: their steps are walked one after the other, as
// accelerators/systolic carries them out, and the shortest wins. The mappings of least
// traffic and of fewest cycles take part, so that the objective time is no slower than the
// others. Where the winner may still be far from what the memory or the array need, its
// neighbours are walked too.

// walkedSteps is how many steps a mapping in the final may have: over more of them the
// closed forms hold.
const walkedSteps = 1024

// closeBy bounds the plans that take part: their estimated times are at most 1 + 1/closeBy times
// that of the best.
const closeBy = 2

// slack is the part of its time that a mapping may take longer than the least that memory and
// array need, and not be looked at for something better.
const slack = 128

// For a product of at most so many cycles all parts of the array are tried (short), and the walk
// begins from all that take part and goes to all neighbours (fewCycles): the closed forms are off
// by a factor of four there.
const short, fewCycles = 4096, 512

// margin is the part of its time by which a mapping that the search did not rank first has to
// be shorter: below that the walk says nothing about a memory that others use too.
const margin = 200

// A finalist is a mapping on the machine that it is for.
type finalist struct {
	h     machine
	sol   solution
	class int // 0: on the whole array, and the search ranked it first or no other tile is allowed
}

// A contest finds the mapping of least time of a shape.
type contest struct {
	s     *shape
	core  *Core
	w     fixedChoice
	known cuts
	plan  func(finalist) *Plan
	all   []finalist
	ways  []machine // on which the core may carry it out
	least int64     // bytes that have to be moved
	bar   int64     // time of the best neighbour
	err   error

	coarse bool // the coarse grid alone
	trial  bool // the whole array alone, and no neighbours of the best
}

// fixed is the mapping of least time with the tile and the order of the loops of another one. What
// takes part in a contest depends on what is fixed, so that a mapping that is given back
// (Spec.Chosen) has to be the outcome of the contest that it makes.
func (x *contest) fixed(h *machine, of *candidate) (finalist, error) {
	choice := fixedChoice{tile: of.tile(), order: orders[of.order].String()}
	if x.w == choice {
		return x.run(h)
	}
	y := contest{s: x.s, core: x.core, w: choice, known: x.known, plan: x.plan, coarse: x.coarse}
	return y.run(h)
}

// run finds the mapping of least time on the ways that a core has.
func (x *contest) run(h *machine) (finalist, error) {
	a := x.core.Array
	x.ways = machines(x.core, h, a.Rows, a.Cols)
	for i, m := range x.ways {
		second := i > 0 && !holdsWeights(x.core.Dataflow) // other objectives have the first way alone
		if (second || x.settled() || x.coarse) && x.enter(&m, quick) < overflow {
			continue
		}
		x.enter(&m, leastTime, leastTraffic, leastCycles)
	}
	if len(x.all) == 0 {
		return finalist{}, x.err
	}
	if x.core.Gemv > 0 && !x.trial {
		x.parts(h)
	}
	best, walked := final(x.all, x.plan)
	if walked && !x.trial && !x.settled() && best.sol.time > x.bound(&best.h)*(slack+1)/slack {
		best = x.refine(best)
	}
	return best, nil
}

// settled reports whether only the machine is still open: final has walked all of them.
func (x *contest) settled() bool {
	t := &x.w.tile
	return x.w.order != "" && t.Batch > 0 && t.M > 0 && t.N > 0 && t.K > 0
}

// enter has the mappings of the search on a machine take part, by each of the goals, and says the
// least rank of them.
func (x *contest) enter(h *machine, goals ...goal) (least int64) {
	least = overflow
	for _, by := range goals {
		sols, err := searchTiles(x.s, h, x.w, by, x.known)
		if err != nil {
			if x.err == nil || x.err == errNothing {
				x.err = err
			}
			return least
		}
		if by == leastTraffic || by == leastCycles {
			x.s.estimate(h, &sols[0])
		}
		for i, sol := range sols {
			if slices.ContainsFunc(x.all, func(y finalist) bool { return y.h == *h && y.sol.c.same(&sol.c) }) {
				continue
			}
			if n := x.s.fetches(h, &sol.traffic); x.least == 0 || n < x.least {
				x.least = n
			}
			class := 0
			if x.settled() && x.partial(h) || !x.settled() && (i > 0 || by == quick && x.partial(h)) {
				class = 1
			}
			x.all = append(x.all, finalist{*h, sol, class})
			least = min(least, sol.rank)
		}
	}
	return least
}

// partial reports whether a machine is a part of the array.
func (x *contest) partial(h *machine) bool {
	return h.rows*h.cols < int64(x.core.Array.Rows)*int64(x.core.Array.Cols)
}

// best is the one of least rank of those that take part.
func (x *contest) best() *finalist {
	best := &x.all[0]
	for i := range x.all {
		if x.all[i].sol.rank < best.sol.rank {
			best = &x.all[i]
		}
	}
	return best
}

// parts has parts of the array take part where they may be faster by more than the slack: they
// fill and drain in less time, and that has to be worth it.
func (x *contest) parts(h *machine) {
	a := x.core.Array
	k, n, m := h.rate.words(x.s.k), x.s.n, x.s.m()
	rows, cols := k, n // of what lies in the array, at most
	if !holdsWeights(x.core.Dataflow) {
		rows, cols = max(m, k), max(m, n)
	}
	for _, r := range parts(a.Rows, rows*x.s.batch) {
		for _, c := range parts(a.Cols, cols*x.s.batch) {
			if r < a.Rows || c < a.Cols {
				x.part(h, r, c)
			}
		}
	}
}

// part has a part of the array take part where it may be faster.
func (x *contest) part(h *machine, r, c int) {
	for _, p := range machines(x.core, h, r, c) {
		x.ways = append(x.ways, p)
		best := x.best()
		over := best.sol.cost.cycles - best.sol.cost.stream
		spared := over - over*int64(r+c)/(best.h.rows+best.h.cols)
		worth := x.settled() || p.time != best.h.time || best.sol.rank < max(short, spared*slack)
		if worth && best.sol.rank > x.bound(&p)*(slack+1)/slack {
			x.enter(&p, quick)
		}
	}
}

// bound is a time that hardly any mapping on a machine falls below: that of the memory for the
// least bytes, or of the array for tiles as large as the product.
func (x *contest) bound(h *machine) int64 {
	s := x.s
	array := s.macs() * h.rate.Den / (h.rate.Num * h.rows * h.cols)
	if s.batch == 1 {
		r, c := ceil(h.words(h.rowAxis, s.axis(h.rowAxis)), h.rows), ceil(h.words(h.colAxis, s.axis(h.colAxis)), h.cols)
		t := &h.timing
		array = t.Start + r*c*t.Fold(h.words(h.time, s.axis(h.time))) + t.End - t.Min
	}
	return h.mem.Latency + max(h.mem.time(x.least, 0), array+h.mem.Latency)
}

// final is the mapping of least rank: by the walk, or by the closed forms where the best of
// these has too many steps. Those that the search ranked first come first, the others have to be
// shorter by the margin.
func final(all []finalist, plan func(finalist) *Plan) (best finalist, walked bool) {
	slices.SortStableFunc(all, func(a, b finalist) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.sol.rank, b.sol.rank))
	})
	best = all[0]
	for _, x := range all[1:] {
		if x.sol.rank < best.sol.rank-best.sol.rank/margin*int64(min(x.class, 1-best.class)) {
			best = x
		}
	}
	if plan(best).Steps > walkedSteps {
		return best, false
	}
	bound, bar := best.sol.rank+best.sol.rank/closeBy, int64(overflow)
	for _, x := range all {
		if x.sol.rank > bound {
			continue
		}
		if x.class > 0 && bar < overflow {
			bar = min(bar, best.sol.rank-best.sol.rank/margin)
		}
		if y, ok := walkedOf(x, plan, bar); ok && y.sol.rank < bar {
			best, bar = y, y.sol.rank
		}
	}
	return best, true
}

// walkedOf is a mapping with the time of its walk, with tiles in pieces or whole; false where it
// has too many steps. A walk may end where it is past a limit.
func walkedOf(x finalist, plan func(finalist) *Plan, limit int64) (best finalist, ok bool) {
	effort, steps := x.sol.rank-x.sol.time, int64(0)
	for _, whole := range [2]bool{x.sol.whole, !x.sol.whole} {
		x.sol.whole = whole
		p := plan(x)
		if p.Steps == steps {
			break // there are no pieces
		}
		if steps = p.Steps; steps > walkedSteps {
			continue
		}
		x.sol.time, _, _ = p.walk(steps, limit)
		x.sol.rank = x.sol.time + effort
		if !ok || x.sol.rank < best.sol.rank {
			best, ok = x, true
		}
		limit = min(limit, best.sol.rank)
	}
	return best, ok
}
