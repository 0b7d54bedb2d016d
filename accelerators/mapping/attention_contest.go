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

	tried map[attentionWay]bool
}

// An attentionWay is a machine and in how many parts the query heads that share keys are.
type attentionWay struct {
	h     machine
	parts int64
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
		x.enter(h, 1, 0)
	} else {
		ways := machines(x.core, h, a.Rows, a.Cols)
		for i := range ways {
			x.enter(&ways[i], 1, 0)
		}
		x.divisions(ways)
		x.parts(h)
		x.divisions(x.leaders())
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

// enter has the best loops on a machine take part, with the query heads that share keys in so many
// parts.
func (x *attentionContest) enter(h *machine, parts int64, class int) {
	way := attentionWay{*h, parts}
	if x.tried[way] {
		return
	}
	if x.tried == nil {
		x.tried = map[attentionWay]bool{}
	}
	x.tried[way] = true
	bar := int64(overflow)
	if len(x.all) > 0 {
		b := &x.best().loop
		if bar = b.rank; b.steps <= walkedSteps {
			bar += bar / closeBy
		}
	}
	k, a := x.key, x.key.a.divided(parts)
	loops, err := searchAttention(&a, h, k.lanes, k.tile, k.goal, bar)
	if err != nil && x.err == nil {
		x.err = err
	}
	for i := range loops {
		x.all = append(x.all, attentionEntry{*h, loops[i], class})
	}
}

// divisions have parts of the query heads that share keys take part on machines: more positions of
// fewer heads in a block read the keys less often, and may fill the array better.
func (x *attentionContest) divisions(ways []machine) {
	group := x.key.a.group
	for parts := int64(2); parts <= group; parts++ {
		for i := range ways {
			if group%parts == 0 && (len(x.all) == 0 || !x.enough(x.best(), &ways[i])) {
				x.enter(&ways[i], parts, 1)
			}
		}
	}
}

// fewMachines is how many machines of a short attention are tried with parts of its heads.
const fewMachines = 12

// leaders are the machines of the best loops so far: of a short attention several, else one.
func (x *attentionContest) leaders() (out []machine) {
	all := slices.Clone(x.all)
	slices.SortStableFunc(all, func(a, b attentionEntry) int { return cmp.Compare(a.loop.rank, b.loop.rank) })
	for i := range all {
		if len(out) > 0 && (len(out) == fewMachines || all[0].loop.estimate >= 4*short) {
			break
		}
		if !slices.Contains(out, all[i].h) {
			out = append(out, all[i].h)
		}
	}
	return out
}

// enough reports whether a loop takes little more than the memory for the least bytes, or a machine
// for all products without an idle element.
func (x *attentionContest) enough(b *attentionEntry, h *machine) bool {
	return b.loop.estimate <= x.least(h)*(4*slack+1)/(4*slack)
}

// least is a time that no loop on a machine falls below.
func (x *attentionContest) least(h *machine) int64 {
	a := &x.key.a
	rows := a.heads * a.group * (a.q1 - a.q0)
	from, to := a.span(a.q0, a.q1)
	bytes := size(rows*a.size, a.qWide) + size(rows*a.value, a.oWide) + a.heads*a.entryBytes(to-from)
	work := a.heads * a.group * a.mask.Pairs(a.q0, a.q1, a.queries, a.keys) * (a.size + a.value) * h.rate.Den / h.rate.Num
	return 2*h.mem.Latency + max(h.mem.time(bytes, 0), work/(h.rows*h.cols))
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

// parts has parts of the array take part: they fill and drain in less time, and fewer rows and
// columns of them may be idle. Of a short attention all do, else those on which the best loop so far
// takes no more time, unless neither the memory nor the array may need as long as that takes.
func (x *attentionContest) parts(h *machine) {
	if x.core.Gemv < 1 || len(x.all) == 0 {
		return
	}
	a, array := &x.key.a, &x.core.Array
	side := max(a.size, a.value, a.group*(a.q1-a.q0), a.keys)
	for _, r := range parts(array.Rows, side) {
		for _, c := range parts(array.Cols, side) {
			if r == array.Rows && c == array.Cols {
				continue
			}
			for _, g := range machines(x.core, h, r, c) {
				b := *x.best()
				few := b.loop.estimate < 4*short
				if x.least(&g) > b.loop.estimate*3/2 || !few && (x.enough(&b, &g) || x.probe(&b, &g) > b.loop.rank) {
					continue
				}
				x.enter(&g, 1, 1)
				x.enter(&g, b.loop.parts, 1)
			}
		}
	}
}

// probe is the rank of a loop on another machine.
func (x *attentionContest) probe(b *attentionEntry, h *machine) int64 {
	a := x.key.a.divided(b.loop.parts)
	l := a.loop(h, b.loop.br, b.loop.bc, b.loop.resident, x.key.lanes)
	return l.rank
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
