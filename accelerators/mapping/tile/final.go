package tile

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
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

// WalkedSteps is how many steps a mapping in the final may have: over more of them the
// closed forms hold.
const WalkedSteps = 1024

// CloseBy bounds the plans that take part: their estimated times are at most 1 + 1/CloseBy times
// that of the best.
const CloseBy = 2

// Slack is the part of its time that a mapping may take longer than the least that memory and
// array need, and not be looked at for something better.
const Slack = 128

// For a product of at most so many cycles all parts of the array are tried (short), and the walk
// begins from all that take part and goes to all neighbours (fewCycles): the closed forms are off
// by a factor of four there.
const Short, fewCycles = 4096, 512

// Margin is the part of its time by which a mapping that the search did not rank first has to
// be shorter: below that the walk says nothing about a memory that others use too.
const Margin = 200

// A Finalist is a mapping on the machine that it is for.
type Finalist struct {
	H     machine.Machine
	Sol   Solution
	class int // 0: on the whole array, and the search ranked it first or no other tile is allowed
}

// A contest finds the mapping of least time of a shape.
type contest struct {
	s     *product.Shape
	core  *machine.Core
	w     Choice
	known Cuts
	plan  func(Finalist) *Schedule
	all   []Finalist
	ways  []machine.Machine // on which the core may carry it out
	least int64             // bytes that have to be moved
	bar   int64             // time of the best neighbour
	err   error

	coarse bool // the coarse grid alone
	trial  bool // the whole array alone, and no neighbours of the best
}

// fixed is the mapping of least time with the tile and the order of the loops of another one. What
// takes part in a contest depends on what is fixed, so that a mapping that is given back
// (Spec.Chosen) has to be the outcome of the contest that it makes.
func (x *contest) fixed(h *machine.Machine, of *Mapping) (Finalist, error) {
	choice := Choice{Tile: of.Tile(), Order: Orders[of.Order].String()}
	if x.w == choice {
		return x.run(h)
	}
	y := contest{s: x.s, core: x.core, w: choice, known: x.known, plan: x.plan, coarse: x.coarse}
	return y.run(h)
}

// run finds the mapping of least time on the ways that a core has.
func (x *contest) run(h *machine.Machine) (Finalist, error) {
	a := x.core.Array
	x.ways = machine.Ways(x.core, h, a.Rows, a.Cols)
	for i, m := range x.ways {
		second := i > 0 && !machine.HoldsWeights(x.core.Dataflow) // other objectives have the first way alone
		if (second || x.settled() || x.coarse) && x.enter(&m, quick) < machine.Overflow {
			continue
		}
		x.enter(&m, LeastTime, leastTraffic, LeastCycles)
	}
	if len(x.all) == 0 {
		return Finalist{}, x.err
	}
	if x.core.Gemv > 0 && !x.trial {
		x.parts(h)
	}
	best, walked := final(x.all, x.plan)
	if walked && !x.trial && !x.settled() && best.Sol.Time > x.bound(&best.H)*(Slack+1)/Slack {
		best = x.refine(best)
	}
	return best, nil
}

// settled reports whether only the machine is still open: final has walked all of them.
func (x *contest) settled() bool {
	t := &x.w.Tile
	return x.w.Order != "" && t.Batch > 0 && t.M > 0 && t.N > 0 && t.K > 0
}

// enter has the mappings of the search on a machine take part, by each of the goals, and says the
// least rank of them.
func (x *contest) enter(h *machine.Machine, goals ...Goal) (least int64) {
	least = machine.Overflow
	for _, by := range goals {
		sols, err := Search(x.s, h, x.w, by, x.known)
		if err != nil {
			if x.err == nil || x.err == errNothing {
				x.err = err
			}
			return least
		}
		if by == leastTraffic || by == LeastCycles {
			sols[0].estimate(x.s, h)
		}
		for i, sol := range sols {
			if slices.ContainsFunc(x.all, func(y Finalist) bool { return y.H == *h && y.Sol.C.same(&sol.C) }) {
				continue
			}
			if n := fetchedBytes(x.s, h, &sol.Traffic); x.least == 0 || n < x.least {
				x.least = n
			}
			class := 0
			if x.settled() && x.partial(h) || !x.settled() && (i > 0 || by == quick && x.partial(h)) {
				class = 1
			}
			x.all = append(x.all, Finalist{*h, sol, class})
			least = min(least, sol.rank)
		}
	}
	return least
}

// partial reports whether a machine is a part of the array.
func (x *contest) partial(h *machine.Machine) bool {
	return h.Rows*h.Cols < int64(x.core.Array.Rows)*int64(x.core.Array.Cols)
}

// best is the one of least rank of those that take part.
func (x *contest) best() *Finalist {
	best := &x.all[0]
	for i := range x.all {
		if x.all[i].Sol.rank < best.Sol.rank {
			best = &x.all[i]
		}
	}
	return best
}

// parts has parts of the array take part where they may be faster by more than the slack: they
// fill and drain in less time, and that has to be worth it.
func (x *contest) parts(h *machine.Machine) {
	a := x.core.Array
	k, n, m := h.Rate.Words(x.s.K), x.s.N, x.s.M()
	rows, cols := k, n // of what lies in the array, at most
	if !machine.HoldsWeights(x.core.Dataflow) {
		rows, cols = max(m, k), max(m, n)
	}
	for _, r := range machine.Sides(a.Rows, rows*x.s.Batch) {
		for _, c := range machine.Sides(a.Cols, cols*x.s.Batch) {
			if r < a.Rows || c < a.Cols {
				x.part(h, r, c)
			}
		}
	}
}

// part has a part of the array take part where it may be faster.
func (x *contest) part(h *machine.Machine, r, c int) {
	for _, p := range machine.Ways(x.core, h, r, c) {
		x.ways = append(x.ways, p)
		best := x.best()
		over := best.Sol.Cost.Cycles - best.Sol.Cost.Stream
		spared := over - over*int64(r+c)/(best.H.Rows+best.H.Cols)
		worth := x.settled() || p.Time != best.H.Time || best.Sol.rank < max(Short, spared*Slack)
		if worth && best.Sol.rank > x.bound(&p)*(Slack+1)/Slack {
			x.enter(&p, quick)
		}
	}
}

// bound is a time that hardly any mapping on a machine falls below: that of the memory for the
// least bytes, or of the array for tiles as large as the product.
func (x *contest) bound(h *machine.Machine) int64 { return boundOf(x.s, h, x.least) }

// boundOf is bound for so many bytes that have to be moved.
func boundOf(s *product.Shape, h *machine.Machine, least int64) int64 {
	array := s.MACs() * h.Rate.Den / (h.Rate.Num * h.Rows * h.Cols)
	if s.Batch == 1 {
		r, c := integer.Ceil(h.Words(h.RowAxis, s.Axis(h.RowAxis)), h.Rows), integer.Ceil(h.Words(h.ColAxis, s.Axis(h.ColAxis)), h.Cols)
		t := &h.Timing
		array = t.Start + r*c*t.Fold(h.Words(h.Time, s.Axis(h.Time))) + t.End - t.Min
	}
	return h.Mem.Latency + max(h.Mem.Busy(least, 0), array+h.Mem.Latency)
}

// final is the mapping of least rank: by the walk, or by the closed forms where the best of
// these has too many steps. Those that the search ranked first come first, the others have to be
// shorter by the margin.
func final(all []Finalist, plan func(Finalist) *Schedule) (best Finalist, walked bool) {
	slices.SortStableFunc(all, func(a, b Finalist) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.Sol.rank, b.Sol.rank))
	})
	best = all[0]
	for _, x := range all[1:] {
		if x.Sol.rank < best.Sol.rank-best.Sol.rank/Margin*int64(min(x.class, 1-best.class)) {
			best = x
		}
	}
	if plan(best).Steps > WalkedSteps {
		return best, false
	}
	bound, bar := best.Sol.rank+best.Sol.rank/CloseBy, int64(machine.Overflow)
	for _, x := range all {
		if x.Sol.rank > bound {
			continue
		}
		if x.class > 0 && bar < machine.Overflow {
			bar = min(bar, best.Sol.rank-best.Sol.rank/Margin)
		}
		if y, ok := walkedOf(x, plan, bar); ok && y.Sol.rank < bar {
			best, bar = y, y.Sol.rank
		}
	}
	return best, true
}

// walkedOf is a mapping with the time of its walk, with tiles in pieces or whole; false where it
// has too many steps. A walk may end where it is past a limit.
func walkedOf(x Finalist, plan func(Finalist) *Schedule, limit int64) (best Finalist, ok bool) {
	effort, steps := x.Sol.rank-x.Sol.Time, int64(0)
	for _, whole := range [2]bool{x.Sol.whole, !x.Sol.whole} {
		x.Sol.whole = whole
		p := plan(x)
		if p.Steps == steps {
			break // there are no pieces
		}
		if steps = p.Steps; steps > WalkedSteps {
			continue
		}
		x.Sol.Time, _, _ = p.walk(steps, limit)
		x.Sol.rank = x.Sol.Time + effort
		if !ok || x.Sol.rank < best.Sol.rank {
			best, ok = x, true
		}
		limit = min(limit, best.Sol.rank)
	}
	return best, ok
}

// Enough reports whether a time is hardly above what a machine needs for a shape, whatever moves.
func Enough(s *product.Shape, h *machine.Machine, time int64) bool {
	return time <= boundOf(s, h, 0)*(Slack+1)/Slack
}
