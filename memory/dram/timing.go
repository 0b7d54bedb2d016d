package dram

import "math"

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
	after [Commands][]delay
	last  [Commands][]window
}

// place is the indices into next of the nodes above a bank.
type place struct{ rank, group, bank int32 }

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
	perNode map[int32]int
}

func newTiming(g *Grade) timing {
	o := g.Organisation
	groups, banks := o.Ranks*o.Groups, o.Ranks*o.Groups*o.Banks
	t := timing{ranks: o.Ranks}
	t.next = make([]int64, (1+o.Ranks+groups+banks)*int(Commands))
	for i := range banks {
		gi := i / o.Banks
		t.banks = append(t.banks, place{
			rank:  int32(1+gi/o.Groups) * int32(Commands),
			group: int32(1+o.Ranks+gi) * int32(Commands),
			bank:  int32(1+o.Ranks+groups+i) * int32(Commands),
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
			if c.Window > 1 {
				w := window{level: c.Level, next: c.Next, clocks: int64(c.Clocks), size: c.Window, perNode: map[int32]int{}}
				for _, b := range t.banks {
					if n := t.node(c.Level, b); w.perNode[n] == 0 {
						w.perNode[n] = len(w.perNode) + 1
					}
				}
				w.oldest = make([]int, len(w.perNode))
				w.times = make([]int64, len(w.perNode)*w.size)
				for i := range w.times {
					w.times[i] = -1 << 40 // long ago
				}
				t.last[p] = append(t.last[p], w)
				continue
			}
			for _, n := range c.Next {
				t.after[p] = append(t.after[p], delay{c.Level, n, int64(c.Clocks)})
			}
		}
	}
	return t
}

func (t *timing) node(l Level, p place) int32 {
	switch l {
	case RankLevel:
		return p.rank
	case GroupLevel:
		return p.group
	case BankLevel:
		return p.bank
	}
	return 0
}

// ready is the first clock at which c may be issued to a bank.
func (t *timing) ready(c Command, bank int) int64 {
	p := &t.banks[bank]
	n := t.next
	return max(t.free[t.bus[c]], n[int(c)], n[p.rank+int32(c)], n[p.group+int32(c)], n[p.bank+int32(c)])
}

// issue notes that c, which is about one bank, goes out at clock at.
func (t *timing) issue(c Command, bank int, at int64) {
	t.free[t.bus[c]] = at + t.slots[c]
	p := t.banks[bank]
	for i := range t.after[c] {
		d := &t.after[c][i]
		t.delay(d.level, d.next, p, at+d.clocks)
	}
	t.windows(c, p, at, ChannelLevel, BankLevel)
}

// issueAll notes that c, which is about several banks of a rank, goes out.
func (t *timing) issueAll(c Command, banks uint64, at int64) {
	t.free[t.bus[c]] = at + t.slots[c]
	first := t.banks[lowest(banks)]
	for _, d := range t.after[c] {
		if d.level <= RankLevel || d.level == OtherRanks {
			t.delay(d.level, d.next, first, at+d.clocks)
			continue
		}
		for m := banks; m != 0; m &= m - 1 {
			t.delay(d.level, d.next, t.banks[lowest(m)], at+d.clocks)
		}
	}
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

func (t *timing) delay(l Level, c Command, p place, at int64) {
	if l == OtherRanks {
		for r := range t.ranks {
			if n := int32(1+r) * int32(Commands); n != p.rank {
				t.next[n+int32(c)] = max(t.next[n+int32(c)], at)
			}
		}
		return
	}
	n := &t.next[t.node(l, p)+int32(c)]
	*n = max(*n, at)
}

func (t *timing) windows(c Command, p place, at int64, from, to Level) {
	for i := range t.last[c] {
		w := &t.last[c][i]
		if w.level < from || w.level > to {
			continue
		}
		n := t.node(w.level, p)
		k := w.perNode[n] - 1
		ring := w.times[k*w.size : (k+1)*w.size]
		ring[w.oldest[k]] = at
		w.oldest[k] = (w.oldest[k] + 1) % w.size
		for _, next := range w.next {
			t.delay(w.level, next, p, ring[w.oldest[k]]+w.clocks)
		}
	}
}
