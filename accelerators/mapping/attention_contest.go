package mapping

import (
	"cmp"
	"slices"
)

// An attentionContest finds the loop of an attention of least time on the ways that a core has.
// As in a contest of products, the best loops by the closed form are walked, and the shortest wins.
type attentionContest struct {
	key  *attentionKey
	core *Core
	plan func(*loop, *machine) *Plan
	all  []attentionEntry
	err  error
}

// An attentionEntry is a loop on the machine that it is for.
type attentionEntry struct {
	h     machine
	loop  loop
	class int // 0: on the whole array
}

// run finds the loop.
func (x *attentionContest) run() (loop, machine, error) {
	h, a := &x.key.h, x.core.Array
	if x.key.goal != leastTime {
		x.enter(h, 0)
	} else {
		for _, g := range machines(x.core, h, a.Rows, a.Cols) {
			x.enter(&g, 0)
		}
		x.parts(h)
	}
	if len(x.all) == 0 {
		return loop{}, machine{}, x.err
	}
	if x.key.goal != leastTime {
		return x.all[0].loop, *h, nil
	}
	best := x.final()
	return best.loop, best.h, nil
}

// enter has the best loops on a machine take part.
func (x *attentionContest) enter(h *machine, class int) {
	bar := int64(overflow)
	if len(x.all) > 0 {
		bar = x.best().loop.rank
		bar += bar / closeBy
	}
	k := x.key
	loops, err := searchAttention(&k.a, h, k.lanes, k.tile, k.goal, bar)
	if err != nil && x.err == nil {
		x.err = err
	}
	for i := range loops {
		x.all = append(x.all, attentionEntry{*h, loops[i], class})
	}
}

// best is the one of least rank of those that take part.
func (x *attentionContest) best() *attentionEntry {
	best := &x.all[0]
	for i := range x.all {
		if x.all[i].loop.rank < best.loop.rank {
			best = &x.all[i]
		}
	}
	return best
}

// parts has parts of the array take part where they spare more than the slack: they fill and
// drain in less time, and neither the memory nor the array may need as long as the best takes.
func (x *attentionContest) parts(h *machine) {
	if x.core.Gemv < 1 || len(x.all) == 0 {
		return
	}
	a, array := &x.key.a, x.core.Array
	work := a.heads * a.group * a.mask.Pairs(a.q0, a.q1, a.queries, a.keys) * (a.size + a.value) * h.rate.Den / h.rate.Num
	side := max(a.size, a.value, a.group*(a.q1-a.q0))
	for _, r := range parts(array.Rows, side) {
		for _, c := range parts(array.Cols, side) {
			b := x.best()
			l, busy := &b.loop, h.mem.time(b.loop.traffic.Total(), 0)
			over := l.cycles - l.stream
			spared := over - over*int64(r+c)/(b.h.rows+b.h.cols)
			least := 2*h.mem.Latency + max(busy, work/int64(r*c))
			if r == array.Rows && c == array.Cols || spared*slack < l.estimate || l.estimate <= least*(slack+1)/slack {
				continue
			}
			for _, g := range machines(x.core, h, r, c) {
				x.enter(&g, 1)
			}
		}
	}
}

// final is the entry of least rank by the walk; where the best by the closed form has too many
// steps for a walk, that one. Parts of the array have to be shorter by the margin.
func (x *attentionContest) final() attentionEntry {
	slices.SortStableFunc(x.all, func(a, b attentionEntry) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.loop.rank, b.loop.rank))
	})
	best := x.all[0]
	for _, y := range x.all[1:] {
		if y.loop.rank < best.loop.rank-best.loop.rank/margin*int64(y.class) {
			best = y
		}
	}
	if best.loop.steps > walkedSteps {
		return best
	}
	most, bar := best.loop.rank+best.loop.rank/closeBy, int64(overflow)
	for _, y := range x.all {
		if y.loop.steps > walkedSteps || y.loop.rank > most {
			continue
		}
		limit := bar
		if y.class > 0 && bar < overflow {
			limit -= bar / margin
		}
		effort := y.loop.rank - y.loop.estimate
		y.loop.estimate, _, _ = x.plan(&y.loop, &y.h).walk(y.loop.steps, limit)
		if y.loop.rank = y.loop.estimate + effort; y.loop.rank < limit {
			best, bar = y, y.loop.rank
		}
	}
	return best
}
