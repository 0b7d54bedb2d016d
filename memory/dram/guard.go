package dram

import (
	"fmt"
	"math/rand/v2"

	"github.com/causeway-sim/causeway/memory/dram/hammer"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/dram/timing"
)

// A guard defends a channel against row hammer: it does what a hammer.Defence asks for. A neighbour
// is refreshed by opening and closing it. Banks for which something is asked serve no requests until
// it is done; a row that was opened for a burst is used first.
type guard struct {
	hammer.Defence                // nil: rows are counted alone
	delayer        hammer.Delayer // nil: the defence delays nothing
	closing        int64          // clocks from a PRE to the next ACT
	exposure       *hammer.Exposure
	rows           uint32
	asked          uint64                     // banks with neighbours to refresh, or whose row was opened for that
	opened         uint64                     // of these: whose row is open
	neighbours     [timing.MaxBanks][2]uint32 // rows to refresh
	left           [timing.MaxBanks]uint8     // how many of them
	managed        [timing.MaxBanks]uint8     // RFM commands that a rank is to get, by its first bank
	banks          [timing.MaxBanks]uint64    // banks of the RFM command, by the bank that asked for it
	rfm            uint64                     // banks that asked for one, of a rank its first
	command        [3]standard.Command        // by hammer.Manage
}

// guard makes the defence of a channel; nil without the key mitigation.
func newGuard(cfg *Config, random *rand.PCG) (*guard, error) {
	if cfg.Hammer.Mitigation == "" {
		return nil, nil
	}
	g, o := cfg.Grade, cfg.Grade.Organisation
	chip := hammer.Chip{Banks: o.Ranks * o.Groups * o.Banks, Rows: max(cfg.Rows, o.Rows), Random: random}
	chip.Refreshes = 8192
	if float64(g.Timing["REFI"])*g.Clock.Nanoseconds(8192) < 20e6 { // 32 ms
		chip.Refreshes *= 2
	}
	chip.Window = chip.Refreshes * g.Timing["REFI"] / g.Timing["RC"]
	chip.Clocks, chip.Cycle, chip.Burst, chip.Columns = int64(chip.Refreshes)*int64(g.Timing["REFI"]), g.Timing["RC"], o.Burst(), o.Columns/o.Beats
	d, err := cfg.Hammer.New(chip)
	if err != nil {
		return nil, err
	}
	x := &guard{Defence: d, exposure: hammer.NewExposure(chip), rows: uint32(chip.Rows)}
	x.delayer, _ = d.(hammer.Delayer)
	x.closing = int64(g.Timing["RP"])
	x.command = rfmCommands(cfg)
	for how, m := range map[string]hammer.Manage{"rfm": hammer.RFMOfBank, "prac": hammer.RFMOfRank} {
		if cfg.Hammer.Mitigation == how && g.Slots[x.command[m]] == 0 {
			return nil, fmt.Errorf("%s has no RFM command, which %s needs", g.Name, how)
		}
	}
	return x, nil
}

// rfmCommands are the RFM commands of a bank and of a rank: of one bank if the standard has it, else
// of the same bank in every group.
func rfmCommands(cfg *Config) (c [3]standard.Command) {
	c[hammer.RFMOfBank], c[hammer.RFMOfRank] = standard.RFMB, standard.RFM
	if cfg.Grade.Slots[standard.RFMB] == 0 {
		c[hammer.RFMOfBank] = standard.RFMS
	}
	return c
}

// holds is the banks that are kept from requests.
func (c *Controller) holds() uint64 {
	g := c.guard
	held := g.asked
	for m := g.rfm; m != 0; m &= m - 1 {
		held |= g.banks[lowest(m)]
	}
	return held
}

// prevent considers the commands that the guard has to send, but for banks in a refresh. It returns
// the banks that are kept from requests.
func (c *Controller) prevent(refreshing uint64, best *choice) uint64 {
	g := c.guard
	for m := g.asked &^ (refreshing | c.active); m != 0; m &= m - 1 {
		i := lowest(m)
		cmd := standard.ACT
		if c.banks[i].open {
			cmd = standard.PRE
		}
		best.improve(max(c.timing.Ready(cmd, i), c.now), 1, cmd, int16(i), none, uint64(i))
	}
	for m := g.rfm; m != 0; m &= m - 1 {
		i := lowest(m)
		set := g.banks[i]
		if set&(refreshing|c.active|g.asked) != 0 {
			continue
		}
		open := set & c.ranks[c.banks[i].rank].open
		for n := open; n != 0; n &= n - 1 {
			k := lowest(n)
			best.improve(max(c.timing.Ready(standard.PRE, k), c.now), 1, standard.PRE, int16(k), none, uint64(k))
		}
		if open == 0 {
			best.improve(max(c.timing.ReadyAll(g.rfmOf(i), set), c.now), 1, g.rfmOf(i), int16(i), none, uint64(i))
		}
	}
	return c.holds()
}

// rfmOf is the command that a bank asked for.
func (g *guard) rfmOf(bank int) standard.Command {
	if g.managed[bank] > 0 {
		return g.command[hammer.RFMOfRank]
	}
	return g.command[hammer.RFMOfBank]
}

// delays is the banks with rows that may be delayed.
func (g *guard) delays(now int64) uint64 {
	if g.delayer == nil {
		return 0
	}
	return g.delayer.Delays(now)
}

// until is the first clock from at on at which a bank may be opened, or closed (PRE), for a row.
func (g *guard) until(cmd standard.Command, bank int, row uint32, at int64) int64 {
	switch {
	case g.delayer == nil:
		return at
	case cmd == standard.PRE:
		return g.delayer.Until(bank, row, at+g.closing) - g.closing
	}
	return g.delayer.Until(bank, row, at)
}

// safe is ready where rows may be delayed: another entry of a bank may go before the oldest.
func (c *Controller) safe(kind int, banks uint64, best *choice) {
	delayed := c.guard.delays(c.now)
	for m := banks; m != 0; m &= m - 1 {
		i := lowest(m)
		b := &c.banks[i]
		q := &b.queue[kind]
		if delayed>>i&1 == 0 || b.open && q.miss == none {
			c.consider(kind, i, best)
			continue
		}
		if b.open && q.hit != none {
			c.offer(c.access(q.hit, b), i, q.hit, best)
		}
		for k := q.head; k != none; k = c.entries[k].next {
			switch {
			case !b.open:
				c.offer(standard.ACT, i, k, best)
			case c.entries[k].row != b.row && b.active == none:
				c.offer(standard.PRE, i, k, best)
			}
		}
	}
}

// noteRow notes that a row was opened for an entry.
func (c *Controller) noteRow(bank int, e *entry, at int64) {
	g, row := c.guard, e.row
	g.exposure.Activate(bank, row)
	if g.Defence == nil {
		return
	}
	if g.until(standard.ACT, bank, row, e.accepted) > e.accepted {
		c.Count.Delayed++
	}
	ask := g.Activated(bank, row, at)
	for _, a := range ask.Accesses {
		what := ownCounterRead
		if a.Write {
			what = ownCounterWrite
		}
		c.ask(at+1, what, a.Bank, a.Row, a.Col, ownTag)
	}
	if ask.Low && row > 0 {
		g.neighbour(bank, row-1)
	}
	if ask.High && row+1 < g.rows {
		g.neighbour(bank, row+1)
	}
	o := &c.cfg.Grade.Organisation
	first := lowest(c.ranks[c.banks[bank].rank].banks)
	switch {
	case ask.Manage == hammer.RFMOfRank:
		c.Count.Alerts++
		g.managed[first] = max(g.managed[first], uint8(ask.Times))
		g.banks[first] = c.ranks[c.banks[bank].rank].banks
		g.rfm |= 1 << first
	case ask.Manage == hammer.RFMOfBank && g.command[hammer.RFMOfBank] == standard.RFMB:
		g.banks[bank] = 1 << bank
		g.rfm |= 1 << bank
	case ask.Manage == hammer.RFMOfBank:
		bank = first + (bank-first)%o.Banks
		g.banks[bank] = 0
		for k := range o.Groups {
			g.banks[bank] |= 1 << (bank + k*o.Banks)
		}
		g.rfm |= 1 << bank
	}
}

// neighbour asks for the refresh of a row.
func (g *guard) neighbour(bank int, row uint32) {
	g.neighbours[bank][g.left[bank]] = row
	g.left[bank]++
	g.asked |= 1 << bank
}

// refreshRow opens the next row that is to be refreshed in a bank, and returns it.
func (c *Controller) refreshRow(bank int) uint32 {
	g := c.guard
	g.left[bank]--
	row := g.neighbours[bank][g.left[bank]]
	g.opened |= 1 << bank
	g.exposure.Activate(bank, row)
	c.Count.Preventive++
	return row
}

// closedRow notes that a bank has no row any more.
func (g *guard) closedRow(bank int) {
	g.opened &^= 1 << bank
	if g.left[bank] == 0 {
		g.asked &^= 1 << bank
	}
}

// manage notes that the RFM command that a bank asked for goes out: in each bank the chip refreshes
// the neighbours of a row.
func (c *Controller) manage(bank int) {
	g := c.guard
	for m := g.banks[bank]; m != 0; m &= m - 1 {
		i := lowest(m)
		if row, ok := g.Managed(i); ok {
			for _, r := range [2]int64{int64(row) - 1, int64(row) + 1} {
				if r >= 0 && r < int64(g.rows) {
					g.exposure.Inside(i, uint32(r))
					c.Count.Preventive++
				}
			}
		}
	}
	if g.managed[bank] > 1 {
		g.managed[bank]--
		return
	}
	g.managed[bank] = 0
	g.rfm &^= 1 << bank
}

// noteRefresh notes a regular refresh of banks.
func (g *guard) noteRefresh(banks uint64) {
	for m := banks; m != 0; m &= m - 1 {
		g.exposure.Refreshed(lowest(m))
		if g.Defence != nil {
			g.Defence.Refreshed(lowest(m))
		}
	}
}
