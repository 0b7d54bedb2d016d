package dram

import (
	"math"

	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/dram/timing"
)

// ages is the order of acceptance of the entries that a bank may serve next, by bank:
// what a scan compares lies together.
type ages struct {
	head, hit, miss [timing.MaxBanks]uint64
}

// promised finds the access that goes first to a row that was opened for it.
func (c *Controller) promised(best *choice) {
	if c.active&(c.active-1) == 0 {
		i := lowest(c.active) & (timing.MaxBanks - 1)
		b := &c.banks[i]
		cmd := c.access(b.active, b)
		at := max(c.timing.Ready(cmd, i), c.now)
		if c.stops {
			at = c.start(&c.ranks[b.rank], at)
		}
		best.set(at, 0, cmd, int16(i), b.active, c.promises[i])
		return
	}
	l := least{key: math.MaxUint64}
	auto, reads := c.auto(), c.active&^c.activeWrites
	c.scan(standard.RD, reads&^auto, &c.promises, &l)
	if auto &= reads; auto != 0 {
		c.scan(standard.RDA, auto, &c.promises, &l)
	}
	if writes := c.activeWrites; writes != 0 {
		auto := c.auto()
		c.scan(standard.WR, writes&^auto, &c.promises, &l)
		c.scan(standard.WRA, writes&auto, &c.promises, &l)
	}
	entry := c.banks[l.bank].active
	best.set(c.now+int64(l.key>>32), 0, l.cmd, int16(l.bank), entry, c.entries[entry].seq)
}

// ready finds the oldest of the entries whose next command goes first, by consider's
// rules: one command after the other, since what keeps all banks from a command is
// looked up once.
func (c *Controller) ready(kind int, banks uint64, best *choice) {
	if banks&(banks-1) == 0 {
		if banks != 0 {
			c.consider(kind, lowest(banks), best)
		}
		return
	}
	l := least{key: math.MaxUint64, bank: none}
	if d := best.at - c.now; d < math.MaxUint32 { // it goes first at its own clock
		l.key = uint64(d) << 32
	}
	a := &c.ages[kind]
	hits := banks & c.hits[kind]
	auto := hits & c.auto() &^ c.active
	if plain := hits &^ auto; plain != 0 {
		c.scan(access[kind], plain, &a.hit, &l)
	}
	if auto != 0 {
		c.scan(access[kind]+standard.RDA-standard.RD, auto, &a.hit, &l)
	}
	if closed := banks &^ c.opened; closed != 0 {
		c.scan(standard.ACT, closed, &a.head, &l)
	}
	if misses := banks & c.misses[kind] &^ c.active; misses != 0 {
		c.scan(standard.PRE, misses, &a.miss, &l)
	}
	if l.bank == none {
		return
	}
	q := &c.banks[l.bank].queue[kind]
	entry := q.hit
	switch l.cmd {
	case standard.ACT:
		entry = q.head
	case standard.PRE:
		entry = q.miss
	}
	best.set(c.now+int64(l.key>>32), 2, l.cmd, int16(l.bank), entry, c.entries[entry].seq)
}

// access is the plain column command, by kind.
var access = [2]standard.Command{read: standard.RD, write: standard.WR}

// auto is the banks whose next access closes the row, unless the row was opened for another
// burst.
func (c *Controller) auto() uint64 {
	if c.cfg.Policy == ClosedAP {
		return ^uint64(0)
	}
	return c.closing
}

// least is the command with the least key: clocks from now in the upper half,
// below them how young the entry is.
type least struct {
	key  uint64
	cmd  standard.Command
	bank int
}

// scan looks at one command for a set of banks, given the order of the entries that it
// would be for.
func (c *Controller) scan(cmd standard.Command, set uint64, seqs *[timing.MaxBanks]uint64, l *least) {
	if set == 0 {
		return
	}
	t := &c.timing
	groups, banks := t.Rows(cmd)
	if c.stops && cmd.IsColumn() {
		c.scanStarts(cmd, set, seqs, l)
		return
	}
	key, bank := l.key, -1
	for r := range c.ranks {
		m := set & c.ranks[r].banks
		if m == 0 {
			continue
		}
		f := max(c.now, t.Floor(cmd, uint8(r)))
		if uint64(f-c.now)<<32 >= key {
			continue // none of them can go as early as what there is
		}
		for ; m != 0; m &= m - 1 {
			i := lowest(m) & (timing.MaxBanks - 1)
			at := max(f, groups[t.Group(i)], banks[i])
			age := min(c.seq-seqs[i], math.MaxUint32)
			if k := uint64(at-c.now)<<32 | (math.MaxUint32 - age); k < key {
				key, bank = k, i
			}
		}
	}
	if bank >= 0 {
		*l = least{key, cmd, bank}
	}
}
