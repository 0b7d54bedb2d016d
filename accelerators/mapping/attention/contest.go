package attention

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
)

// An contest finds the loop of an attention of least time on the ways that a core has.
// As in a contest of products, the best loops by the closed form are walked, and the shortest wins.
type contest struct {
	key  *Key
	core *machine.Core
	plan func(*Loop, *machine.Machine) *Schedule
	all  []entry
	err  error

	tried map[variant]bool
}

// An variant is a machine and in how many parts the query heads that share keys are.
type variant struct {
	h     machine.Machine
	parts int64
}

// An entry is a loop on the machine that it is for.
type entry struct {
	h     machine.Machine
	loop  Loop
	class int // 0: on the whole array
}

// run finds the loop.
func (x *contest) run() (Loop, machine.Machine, error) {
	h, a := &x.key.H, x.core.Array
	if x.key.Goal != tile.LeastTime {
		x.enter(h, 1, 0)
	} else {
		ways := machine.Ways(x.core, h, a.Rows, a.Cols)
		for i := range ways {
			x.enter(&ways[i], 1, 0)
		}
		x.divisions(ways)
		x.parts(h)
		x.divisions(x.leaders())
	}
	if len(x.all) == 0 {
		return Loop{}, machine.Machine{}, x.err
	}
	if x.key.Goal != tile.LeastTime {
		return x.all[0].loop, *h, nil
	}
	best := x.final()
	return best.loop, best.h, nil
}

// enter has the best loops on a machine take part, with the query heads that share keys in so many
// parts.
func (x *contest) enter(h *machine.Machine, parts int64, class int) {
	way := variant{*h, parts}
	if x.tried[way] {
		return
	}
	if x.tried == nil {
		x.tried = map[variant]bool{}
	}
	x.tried[way] = true
	bar := int64(machine.Overflow)
	if len(x.all) > 0 {
		b := &x.best().loop
		if bar = b.rank; b.Steps <= tile.WalkedSteps {
			bar += bar / tile.CloseBy
		}
	}
	k, a := x.key, x.key.A.Divided(parts)
	loops, err := searchAttention(&a, h, k.Lanes, k.Tile, k.Goal, bar)
	if err != nil && x.err == nil {
		x.err = err
	}
	for i := range loops {
		x.all = append(x.all, entry{*h, loops[i], class})
	}
}

// divisions have parts of the query heads that share keys take part on machines: more positions of
// fewer heads in a block read the keys less often, and may fill the array better.
func (x *contest) divisions(ways []machine.Machine) {
	group := x.key.A.Group
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
func (x *contest) leaders() (out []machine.Machine) {
	all := slices.Clone(x.all)
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.loop.rank, b.loop.rank) })
	for i := range all {
		if len(out) > 0 && (len(out) == fewMachines || all[0].loop.Estimate >= 4*tile.Short) {
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
func (x *contest) enough(b *entry, h *machine.Machine) bool {
	return b.loop.Estimate <= x.least(h)*(4*tile.Slack+1)/(4*tile.Slack)
}

// least is a time that no loop on a machine falls below.
func (x *contest) least(h *machine.Machine) int64 {
	a := &x.key.A
	rows := a.Heads * a.Group * (a.Q1 - a.Q0)
	from, to := a.Span(a.Q0, a.Q1)
	bytes := a.QWide.Size(rows*a.Size) + a.OWide.Size(rows*a.Value) + a.Heads*a.entryBytes(to-from)
	work := a.Heads * a.Group * a.Mask.Pairs(a.Q0, a.Q1, a.Queries, a.Keys) * (a.Size + a.Value) * h.Rate.Den / h.Rate.Num
	return 2*h.Mem.Latency + max(h.Mem.Busy(bytes, 0), work/(h.Rows*h.Cols))
}

// best is the one of least rank of those that take part.
func (x *contest) best() *entry {
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
func (x *contest) parts(h *machine.Machine) {
	if x.core.Gemv < 1 || len(x.all) == 0 {
		return
	}
	a, array := &x.key.A, &x.core.Array
	side := max(a.Size, a.Value, a.Group*(a.Q1-a.Q0), a.Keys)
	for _, r := range machine.Sides(array.Rows, side) {
		for _, c := range machine.Sides(array.Cols, side) {
			if r == array.Rows && c == array.Cols {
				continue
			}
			for _, g := range machine.Ways(x.core, h, r, c) {
				b := *x.best()
				few := b.loop.Estimate < 4*tile.Short
				if x.least(&g) > b.loop.Estimate*3/2 || !few && (x.enough(&b, &g) || x.probe(&b, &g) > b.loop.rank) {
					continue
				}
				x.enter(&g, 1, 1)
				x.enter(&g, b.loop.parts, 1)
			}
		}
	}
}

// probe is the rank of a loop on another machine.
func (x *contest) probe(b *entry, h *machine.Machine) int64 {
	a := x.key.A.Divided(b.loop.parts)
	l := a.Loop(h, b.loop.BR, b.loop.BC, b.loop.Resident, x.key.Lanes)
	return l.rank
}

// final is the entry of least rank by the walk; where the best by the closed form has too many
// steps for a walk, that one. Parts of the array have to be shorter by the margin.
func (x *contest) final() entry {
	slices.SortStableFunc(x.all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.loop.rank, b.loop.rank))
	})
	best := x.all[0]
	for _, y := range x.all[1:] {
		if y.loop.rank < best.loop.rank-best.loop.rank/tile.Margin*int64(y.class) {
			best = y
		}
	}
	if best.loop.Steps > tile.WalkedSteps {
		return best
	}
	most, bar := best.loop.rank+best.loop.rank/tile.CloseBy, int64(machine.Overflow)
	for _, y := range x.all {
		if y.loop.Steps > tile.WalkedSteps || y.loop.rank > most {
			continue
		}
		limit := bar
		if y.class > 0 && bar < machine.Overflow {
			limit -= bar / tile.Margin
		}
		effort := y.loop.rank - y.loop.Estimate
		y.loop.Estimate, _, _ = x.plan(&y.loop, &y.h).walk(y.loop.Steps, limit)
		if y.loop.rank = y.loop.Estimate + effort; y.loop.rank < limit {
			best, bar = y, y.loop.rank
		}
	}
	return best
}
