package dram

import (
	"math"
	"slices"
)

// Never is later than every clock.
const Never = math.MaxInt64

// timing keeps, per node of the tree channel, rank, group, bank and per
// command, the first clock that the constraints allow. It knows nothing of rows.
type timing struct {
	next  []int64 // by node and Command
	banks []place
	ranks int
	free  [2]int64 // first clock at which a command bus is free
	bus   [Commands]uint8
	slots [Commands]int64
	after [Commands][]delay // at the nodes above the bank
	other [Commands][]delay // at other ranks
	last  [Commands][]window
}

// place is the indices into next of the nodes above a bank, by level.
type place [BankLevel + 1]int32

// delay says that Next waits for clocks at a level.
type delay struct {
	level  Level
	next   Command
	clocks int64
}

// window is a delay behind an earlier command than the last, for which the
// times of the last ones are kept in a ring per node.
type window struct {
	level   Level
	next    []Command
	clocks  int64
	size    int
	times   []int64 // by node of the level and position
	oldest  []int   // by node of the level
	perNode []int   // nodes of the level, by node
}

// newTiming makes the state for commands that are used; what only delays others is
// left out.
func newTiming(g *Grade, used [Commands]bool) timing {
	o := g.Organisation
	groups, banks := o.Ranks*o.Groups, o.Ranks*o.Groups*o.Banks
	t := timing{ranks: o.Ranks}
	t.next = make([]int64, (1+o.Ranks+groups+banks)*int(Commands))
	for i := range banks {
		gi := i / o.Banks
		t.banks = append(t.banks, place{
			RankLevel:  int32(1+gi/o.Groups) * int32(Commands),
			GroupLevel: int32(1+o.Ranks+gi) * int32(Commands),
			BankLevel:  int32(1+o.Ranks+groups+i) * int32(Commands),
		})
	}
	for c, n := range g.Slots {
		t.slots[c] = int64(n)
	}
	for _, c := range g.Column {
		t.bus[c] = 1
	}
	for _, c := range g.Constraints {
		for _, p := range c.Prev {
			next := slices.DeleteFunc(slices.Clone(c.Next), func(n Command) bool { return !used[n] })
			if !used[p] || len(next) == 0 {
				continue
			}
			if c.Window > 1 {
				w := window{level: c.Level, next: next, clocks: int64(c.Clocks), size: c.Window, perNode: make([]int, len(t.next)/int(Commands))}
				nodes := 0
				for _, b := range t.banks {
					if n := b[c.Level] / int32(Commands); w.perNode[n] == 0 {
						nodes++
						w.perNode[n] = nodes
					}
				}
				w.oldest = make([]int, nodes)
				w.times = make([]int64, nodes*w.size)
				for i := range w.times {
					w.times[i] = -1 << 40 // long ago
				}
				t.last[p] = append(t.last[p], w)
				continue
			}
			to := &t.after[p]
			if c.Level == OtherRanks {
				to = &t.other[p]
			}
			for _, n := range next {
				*to = append(*to, delay{c.Level, n, int64(c.Clocks)})
			}
		}
	}
	for c := range t.after {
		t.after[c] = prune(t.after[c], o.Ranks)
		if o.Ranks == 1 {
			t.other[c] = nil
		}
	}
	return t
}

// ready is the first clock at which c may be issued to a bank.
func (t *timing) ready(c Command, bank int) int64 {
	p := &t.banks[bank]
	n := t.next
	k := int32(c)
	return max(t.free[t.bus[c]], n[c], n[p[RankLevel]+k], n[p[GroupLevel]+k], n[p[BankLevel]+k])
}

// floor is what ready of c has in common for all banks.
func (t *timing) floor(c Command) int64 {
	return max(t.free[t.bus[c]], t.next[c])
}

// above is ready, given the floor of c.
func (t *timing) above(floor int64, c Command, p *place) int64 {
	n := t.next
	k := int32(c)
	return max(floor, n[p[RankLevel]+k], n[p[GroupLevel]+k], n[p[BankLevel]+k])
}

// issue notes that c, which is about one bank, goes out at clock at.
func (t *timing) issue(c Command, bank int, at int64) {
	t.free[t.bus[c]] = at + t.slots[c]
	p := &t.banks[bank]
	for i := range t.after[c] {
		d := &t.after[c][i]
		t.delay(p[d.level], d.next, at+d.clocks)
	}
	t.others(c, p, at)
	t.windows(c, p, at, ChannelLevel, BankLevel)
}

// issueAll notes that c, which is about several banks of a rank, goes out.
func (t *timing) issueAll(c Command, banks uint64, at int64) {
	t.free[t.bus[c]] = at + t.slots[c]
	first := &t.banks[lowest(banks)]
	for _, d := range t.after[c] {
		if d.level <= RankLevel {
			t.delay(first[d.level], d.next, at+d.clocks)
			continue
		}
		for m := banks; m != 0; m &= m - 1 {
			t.delay(t.banks[lowest(m)][d.level], d.next, at+d.clocks)
		}
	}
	t.others(c, first, at)
	t.windows(c, first, at, ChannelLevel, RankLevel)
}

// readyAll is the first clock at which c may be issued to several banks of a
// rank.
func (t *timing) readyAll(c Command, banks uint64) int64 {
	at := int64(0)
	for m := banks; m != 0; m &= m - 1 {
		at = max(at, t.ready(c, lowest(m)))
	}
	return at
}

// delay keeps c from a node until clock at.
func (t *timing) delay(node int32, c Command, at int64) {
	if n := &t.next[node+int32(c)]; at > *n {
		*n = at
	}
}

// others delays what other ranks do.
func (t *timing) others(c Command, p *place, at int64) {
	for _, d := range t.other[c] {
		for r := range t.ranks {
			if n := int32(1+r) * int32(Commands); n != p[RankLevel] {
				t.delay(n, d.next, at+d.clocks)
			}
		}
	}
}

func (t *timing) windows(c Command, p *place, at int64, from, to Level) {
	for i := range t.last[c] {
		w := &t.last[c][i]
		if w.level < from || w.level > to {
			continue
		}
		n := p[w.level]
		k := w.perNode[n/int32(Commands)] - 1
		ring := w.times[k*w.size : (k+1)*w.size]
		o := w.oldest[k]
		ring[o] = at
		if o++; o == w.size {
			o = 0
		}
		w.oldest[k] = o
		for _, next := range w.next {
			t.delay(n, next, ring[o]+w.clocks)
		}
	}
}
