package timing

import (
	"math/bits"
	"slices"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A Table keeps, per node of the tree channel, rank, group, bank and per
// command, the first clock that the constraints allow. It knows nothing of rows.
type Table struct {
	next  [rows][MaxBanks]int64 // by row and node of its level
	why   [rows][MaxBanks]uint8 // the limit that next is by
	names []Limit               // by the numbers of limits
	banks [MaxBanks]place
	ranks int
	free  [2]int64 // first clock at which a command bus is free
	buses int
	bus   [standard.Commands]uint8
	slots [standard.Commands]int64
	scope [standard.Commands]standard.Scope
	wide  [standard.Commands]bool    // about several banks, about the state of a rank, or RFM
	after [standard.Commands][]delay // at the nodes above the bank
	other [standard.Commands][]delay // at other ranks
	rings []window
	last  [standard.Commands][]int // the rings of a command

	longest int64 // clocks after a command in which it delays others at most
}

// MaxBanks bounds the banks of a channel: sets of them are words.
const MaxBanks = 64

// A row is the first clocks of one command at the nodes of one level. Commands of power-down and self-refresh, which are
// beyond maxCommands, have none: package power keeps theirs.
const (
	maxCommands = 16
	rows        = 4 * maxCommands // of the channel, ranks, groups and banks
)

func row(l standard.Level, c standard.Command) uint8 {
	return (uint8(l)*maxCommands | uint8(c)&(maxCommands-1)) & (rows - 1)
}

// place is the nodes above a bank, by level: the channel, its rank, its group, itself.
type place [standard.BankLevel + 1]uint8

// delay is a wait of Next for clocks at a level.
type delay struct {
	level  standard.Level
	next   standard.Command
	limit  uint8
	clocks int64
}

// window is a delay after an earlier command than the last, for which the
// times of the last ones are kept in a ring per node.
type window struct {
	level  standard.Level
	next   []standard.Command
	limit  uint8
	clocks int64
	size   int
	times  []int64 // by node of the level and position
	oldest []int   // by node of the level
}

func newWindow(c *standard.Constraint, nodes int, next []standard.Command, limit uint8) window {
	w := window{level: c.Level, next: next, limit: limit, clocks: int64(c.Clocks), size: c.Window}
	w.oldest, w.times = make([]int, nodes), make([]int64, nodes*w.size)
	for i := range w.times {
		w.times[i] = -1 << 40 // long ago
	}
	return w
}

// New makes the state for the commands that are used. It leaves out the times of others.
func New(g *standard.Grade, used [standard.Commands]bool) Table {
	o := g.Organisation
	t := Table{ranks: o.Ranks, buses: 1, names: []Limit{{}}}
	for i := range o.Ranks * o.Groups * o.Banks {
		gi := i / o.Banks
		t.banks[i] = place{standard.RankLevel: uint8(gi / o.Groups), standard.GroupLevel: uint8(gi), standard.BankLevel: uint8(i)}
	}
	nodes := [standard.BankLevel + 1]int{1, o.Ranks, o.Ranks * o.Groups, o.Ranks * o.Groups * o.Banks}
	for c, n := range g.Slots[:standard.Commands] {
		t.slots[c], t.scope[c] = int64(n), g.Actions[c].Scope
		t.wide[c] = t.scope[c] != standard.OneBank || standard.Command(c).IsRFM() || standard.Command(c).IsState()
		t.longest = max(t.longest, int64(n))
	}
	for _, c := range g.Column {
		if c < standard.Commands {
			t.bus[c], t.buses = 1, 2
		}
	}
	for _, c := range g.Scheduled() {
		ring := -1 // which all commands before it share
		for _, p := range c.Prev {
			next := slices.DeleteFunc(slices.Clone(c.Next), func(n standard.Command) bool { return !used[n] || n.IsState() })
			if !used[p] || len(next) == 0 {
				continue
			}
			t.longest = max(t.longest, int64(c.Clocks))
			if c.Window > 1 {
				if ring < 0 {
					ring = len(t.rings)
					t.rings = append(t.rings, newWindow(&c, nodes[c.Level], next, t.limit(&c, p, next[0])))
				}
				t.last[p] = append(t.last[p], ring)
				continue
			}
			to := &t.after[p]
			if c.Level == standard.OtherRanks {
				to = &t.other[p]
			}
			for _, n := range next {
				*to = append(*to, delay{c.Level, n, t.limit(&c, p, n), int64(c.Clocks)})
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

// Ready is the first clock at which c may be issued to a bank.
func (t *Table) Ready(c standard.Command, bank int) int64 {
	p := &t.banks[bank&(MaxBanks-1)]
	return max(t.Floor(c, p[standard.RankLevel]), t.next[row(standard.GroupLevel, c)][p[standard.GroupLevel]&(MaxBanks-1)], t.next[row(standard.BankLevel, c)][p[standard.BankLevel]&(MaxBanks-1)])
}

// Floor is what Ready of c has in common for all banks of a rank.
func (t *Table) Floor(c standard.Command, rank uint8) int64 {
	free := t.free[t.bus[c&(maxCommands-1)]&1]
	return max(free, t.next[row(standard.ChannelLevel, c)][0], t.next[row(standard.RankLevel, c)][rank&(MaxBanks-1)])
}

// Soonest is a clock before which no command can go, at clock now.
func (t *Table) Soonest(now int64) int64 {
	free := t.free[0]
	if t.buses > 1 {
		free = min(free, t.free[1])
	}
	return max(now, free)
}

// Issue notes that c, which is about one bank, goes out at clock at.
func (t *Table) Issue(c standard.Command, bank int, at int64) {
	t.free[t.bus[c]] = at + t.slots[c]
	p := &t.banks[bank]
	after := t.after[c]
	for i := range after {
		d := &after[i]
		r, b := row(d.level, d.next), p[d.level&standard.BankLevel]&(MaxBanks-1)
		if n := &t.next[r][b]; at+d.clocks > *n {
			*n, t.why[r][b] = at+d.clocks, d.limit
		}
	}
	if len(t.other[c]) > 0 {
		t.others(c, p, at)
	}
	if len(t.last[c]) > 0 {
		t.windows(c, p, at, standard.ChannelLevel, standard.BankLevel)
	}
}

// IssueAll notes that c, which is about several banks of a rank, goes out.
func (t *Table) IssueAll(c standard.Command, banks uint64, at int64) {
	t.free[t.bus[c]] = at + t.slots[c]
	first := &t.banks[bits.TrailingZeros64(banks)]
	for _, d := range t.after[c] {
		if d.level <= standard.RankLevel {
			t.delay(d.level, first[d.level], d.next, at+d.clocks, d.limit)
			continue
		}
		for m := banks; m != 0; m &= m - 1 {
			t.delay(d.level, t.banks[bits.TrailingZeros64(m)][d.level], d.next, at+d.clocks, d.limit)
		}
	}
	t.others(c, first, at)
	t.windows(c, first, at, standard.ChannelLevel, standard.RankLevel)
}

// ReadyAll is the first clock at which c may be issued to several banks of a
// rank.
func (t *Table) ReadyAll(c standard.Command, banks uint64) int64 {
	at := int64(0)
	for m := banks; m != 0; m &= m - 1 {
		at = max(at, t.Ready(c, bits.TrailingZeros64(m)))
	}
	return at
}

// delay keeps c from a node until clock at, because of a limit.
func (t *Table) delay(l standard.Level, node uint8, c standard.Command, at int64, limit uint8) {
	r, b := row(l, c), node&(MaxBanks-1)
	if n := &t.next[r][b]; at > *n {
		*n, t.why[r][b] = at, limit
	}
}

// others delays what other ranks do.
func (t *Table) others(c standard.Command, p *place, at int64) {
	for _, d := range t.other[c] {
		for r := range t.ranks {
			if n := uint8(r); n != p[standard.RankLevel] {
				t.delay(standard.RankLevel, n, d.next, at+d.clocks, d.limit)
			}
		}
	}
}

func (t *Table) windows(c standard.Command, p *place, at int64, from, to standard.Level) {
	for i := range t.last[c] {
		w := &t.rings[t.last[c][i]]
		if w.level < from || w.level > to {
			continue
		}
		n := p[w.level]
		ring := w.times[int(n)*w.size : (int(n)+1)*w.size]
		o := w.oldest[n]
		ring[o] = at
		if o++; o == w.size {
			o = 0
		}
		w.oldest[n] = o
		for _, next := range w.next {
			t.delay(w.level, n, next, ring[o]+w.clocks, w.limit)
		}
	}
}

// By is the number of the limit that keeps a command from a bank longest; 0 where it is the
// command bus.
func (t *Table) By(c standard.Command, bank int) (limit uint8) {
	p := &t.banks[bank&(MaxBanks-1)]
	at := t.free[t.bus[c&(maxCommands-1)]&1]
	for l := standard.ChannelLevel; l <= standard.BankLevel; l++ {
		r, n := row(l, c), p[l]&(MaxBanks-1)
		if t.next[r][n] > at {
			at, limit = t.next[r][n], t.why[r][n]
		}
	}
	return limit
}

// Longest is the clocks after a command in which it delays others at most.
func (t *Table) Longest() int64 { return t.longest }

// Wide reports whether a command is about several banks or about the state of a rank, or is RFM.
func (t *Table) Wide(c standard.Command) bool { return t.wide[c] }

// BusFree is the first clock at which the command bus of c is free.
func (t *Table) BusFree(c standard.Command) int64 { return t.free[t.bus[c]] }

// TakeBus keeps the command bus of c until clock at.
func (t *Table) TakeBus(c standard.Command, at int64) { t.free[t.bus[c]] = at }

// Rows are the first clocks of c by bank group and by bank, for a scan over many banks: Ready is the
// latest of these and of Floor.
func (t *Table) Rows(c standard.Command) (groups, banks *[MaxBanks]int64) {
	return &t.next[row(standard.GroupLevel, c)], &t.next[row(standard.BankLevel, c)]
}

// Group is the group of a bank, among those of all ranks.
func (t *Table) Group(bank int) uint8 {
	return t.banks[bank&(MaxBanks-1)][standard.GroupLevel] & (MaxBanks - 1)
}

// Windows are the rings of a Table, which a copy of its struct shares.
type Windows struct{ rings []window }

// Windows returns the rings.
func (t *Table) Windows() Windows { return Windows{t.rings} }

// Own replaces rings that t shares with the Table that it was copied from by copies, in the memory of
// to. These are rings of a Table of the same grade, or the zero value.
func (t *Table) Own(to Windows) {
	from := t.rings
	if t.rings = to.rings; t.rings == nil {
		t.rings = slices.Clone(from)
		for i := range from {
			t.rings[i].times, t.rings[i].oldest = slices.Clone(from[i].times), slices.Clone(from[i].oldest)
		}
	}
	for i := range from {
		copy(t.rings[i].times, from[i].times)
		copy(t.rings[i].oldest, from[i].oldest)
	}
}

// prune leaves out delays of one command that another of its delays implies: of the
// same next command, as long, at a level that contains theirs. With one rank the
// channel is the rank.
func prune(ds []delay, ranks int) []delay {
	implies := func(a, b delay) bool {
		within := a.level <= b.level || ranks == 1 && a.level == standard.RankLevel
		return a.next == b.next && a.clocks >= b.clocks && within
	}
	var out []delay
	for i, d := range ds {
		if !slices.ContainsFunc(ds[:i], func(o delay) bool { return implies(o, d) }) &&
			!slices.ContainsFunc(ds[i+1:], func(o delay) bool { return implies(o, d) && !implies(d, o) }) {
			out = append(out, d)
		}
	}
	return out
}
