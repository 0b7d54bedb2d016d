package dram

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// plainly makes the choice by looking at every burst in the controller, with nothing
// remembered but the states of banks and the clocks that constraints allow: access to a
// row that was opened for it; refresh and rows that the policy closes; the rest, the
// oldest first.
func plainly(c *Controller) choice {
	best := choice{at: Never}
	offer := func(class uint8, cmd standard.Command, bank int, entry int16, seq uint64) {
		o := choice{max(c.timing.Ready(cmd, bank), c.now), class, cmd, int16(bank), entry, seq}
		if o.at < best.at || o.at == best.at && (o.class < best.class || o.class == best.class && o.seq < best.seq) {
			best = o
		}
	}
	column := func(i int16) standard.Command {
		e, b := &c.entries[i], &c.banks[c.entries[i].bank]
		closes := c.cfg.Policy == ClosedAP || c.cfg.Policy == Closed && b.accesses >= 1 || c.cfg.Policy == Capped && int(b.accesses) >= c.cfg.Cap
		closes = closes && (b.active == none || b.active == i)
		return map[bool][2]standard.Command{false: {standard.RD, standard.WR}, true: {standard.RDA, standard.WRA}}[closes][e.kind]
	}
	held := map[int]bool{}
	for i := range c.banks {
		b := &c.banks[i]
		if b.active != none {
			offer(0, column(b.active), i, b.active, c.entries[b.active].seq)
		}
		held[i] = c.ranks[b.rank].set>>i&1 != 0
	}
	c.maintain(&best)
	for i := range c.banks {
		b := &c.banks[i]
		closes := c.cfg.Policy == Closed && b.accesses >= 1 || c.cfg.Policy == Capped && int(b.accesses) >= c.cfg.Cap
		if b.open && b.active == none && closes && !held[i] {
			offer(1, standard.PRE, i, none, uint64(i))
		}
	}
	kind := uint8(read)
	if c.turning {
		kind = write
	}
	var waiting []int16 // by age
	for i := range c.banks {
		for e := c.banks[i].queue[kind].head; e != none; e = c.entries[e].next {
			waiting = append(waiting, e)
		}
	}
	oldest := func(same func(a, b *entry) bool, x int16) bool {
		for _, o := range waiting {
			if same(&c.entries[o], &c.entries[x]) && c.entries[o].seq < c.entries[x].seq {
				return false
			}
		}
		return true
	}
	for _, x := range waiting {
		e := &c.entries[x]
		b := &c.banks[e.bank]
		hits := func(e *entry) bool { return c.banks[e.bank].open && c.banks[e.bank].row == e.row }
		first := oldest(func(a, b *entry) bool { return a.bank == b.bank && hits(a) == hits(b) }, x)
		if c.cfg.Scheduler == FCFS {
			first = oldest(func(a, b *entry) bool { return true }, x)
		}
		switch {
		case held[int(e.bank)] || !first:
		case !b.open:
			offer(2, standard.ACT, int(e.bank), x, e.seq)
		case hits(e):
			offer(2, column(x), int(e.bank), x, e.seq)
		case b.active == none:
			offer(2, standard.PRE, int(e.bank), x, e.seq)
		}
	}
	return best
}

// quiet is a sink that does nothing.
type quiet struct{}

func (quiet) Accepted(uint32, int64) {}
func (quiet) Done(uint32, int64)     {}

// Every command is the one that the plain rule names, for all grades, policies, refreshes
// and schedulers, under traffic that comes and goes: few rows and many, reads and writes.
func TestChoiceIsThePlainOne(t *testing.T) {
	commands := 0
	for g, name := range standard.Grades() {
		grade, _ := standard.Find(name)
		for policy := Open; policy <= Capped; policy++ {
			for refresh := AllBank; refresh <= NoRefresh; refresh++ {
				cfg := DefaultConfig(grade)
				cfg.Policy, cfg.Refresh, cfg.Cap = policy, refresh, 2+g%3
				cfg.Scheduler = Scheduler((g + int(policy) + int(refresh)) % 4 / 3) // one in four is FCFS
				if cfg.Check() != nil {
					continue // the standard has no such refresh
				}
				rng := rand.New(rand.NewPCG(uint64(g), uint64(policy)<<8|uint64(refresh)))
				commands += followChoices(t, cfg, rng)
			}
		}
	}
	require.Greater(t, commands, 50000)
}

// followChoices brings bursts and compares every choice; it returns how many there were.
func followChoices(t *testing.T, cfg Config, rng *rand.Rand) (n int) {
	if rng.IntN(2) == 0 {
		g := *cfg.Grade
		g.Organisation.Ranks = min(2*g.Organisation.Ranks, 64/(g.Organisation.Groups*g.Organisation.Banks))
		cfg.Grade = &g
	}
	c, err := New(cfg, quiet{})
	require.NoError(t, err)
	o := cfg.Grade.Organisation
	at := int64(0)
	rows, writes, gap := 1, 0, 1
	for k := range 300 {
		if k%50 == 0 { // another phase
			rows, writes, gap = 1+rng.IntN(4), rng.IntN(3)*4, 1+rng.IntN(30)*rng.IntN(2)
		}
		at += int64(rng.IntN(gap + 1))
		if k%100 == 99 {
			at += int64(cfg.Grade.Timing["REFI"])
		}
		for c.next() <= at {
			due := c.next()
			if c.best != plainly(c) {
				require.Equal(t, plainly(c), c.best, "%s, %s, refresh %s, %s, burst %d: %s", cfg.Grade.Name, cfg.Policy, cfg.Refresh, schedulerNames[cfg.Scheduler], k, c)
			}
			n++
			c.step(due)
		}
		c.Run(at)
		place := address.Coord{address.Rank: uint32(rng.IntN(o.Ranks)), address.BankGroup: uint32(rng.IntN(o.Groups)),
			address.Bank: uint32(rng.IntN(o.Banks)), address.Row: uint32(rng.IntN(rows)), address.Column: uint32(rng.IntN(8))}
		c.Push(at, uint32(k), place, rng.IntN(10) < writes)
	}
	return n
}
