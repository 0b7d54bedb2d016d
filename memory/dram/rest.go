package dram

import (
	"errors"

	"github.com/causeway-sim/causeway/memory/dram/power"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// newRest makes the low-power states of a channel; nil without the key power_down.
func newRest(cfg *Config) (*power.Ranks, error) {
	if !cfg.Rest.On() {
		return nil, nil
	}
	if cfg.Rest.SelfRefresh > 0 && cfg.Refresh == NoRefresh {
		return nil, errors.New("self_refresh goes with refreshes (want a mode of refresh other than none)")
	}
	return power.New(cfg.Grade, cfg.Rest, cfg.Grade.Organisation.Ranks)
}

// work reports whether bursts, refreshes or a defence need a rank.
func (c *Controller) work(r *rank) bool {
	return (c.busy[read]|c.busy[write]|c.active|c.closing|r.set)&r.banks != 0 || c.guard != nil && c.holds()&r.banks != 0
}

// wake considers the commands by which ranks wake. It returns the banks of ranks that rest.
func (c *Controller) wake(best *choice) (asleep uint64) {
	for i := range c.ranks {
		r := &c.ranks[i]
		if !c.rest.Asleep(i) {
			continue
		}
		asleep |= r.banks
		if cmd, at, ok := c.rest.Next(i, c.work(r), r.open != 0, c.now); ok {
			best.improve(max(at, c.now, c.timing.BusFree(cmd)), 1, cmd, int16(lowest(r.banks)), none, uint64(i))
		}
	}
	return asleep
}

// settleDown considers the commands by which ranks without work go to rest, after all others.
func (c *Controller) settleDown(best *choice) {
	for i := range c.ranks {
		r := &c.ranks[i]
		if c.rest.Asleep(i) || c.work(r) {
			continue
		}
		cmd, at, ok := c.rest.Next(i, false, r.open != 0, c.now)
		if cmd == standard.PREA {
			at = max(at, c.timing.ReadyAll(cmd, r.banks))
		}
		if ok {
			best.improve(max(at, c.now, c.timing.BusFree(cmd)), 3, cmd, int16(lowest(r.banks)), none, uint64(i))
		}
	}
}

// changeState carries out a command by which a rank goes to rest or wakes.
func (c *Controller) changeState(ch *choice) {
	i := int(c.banks[ch.bank].rank)
	r := &c.ranks[i]
	c.trace(ch, 0, 0)
	c.timing.IssueAll(ch.cmd, r.banks, ch.at)
	if ch.cmd == standard.PDE || ch.cmd == standard.SRE {
		c.countOpen(i, c.rest.Rest(ch.cmd, i, ch.at, r.open != 0))
	} else {
		from := c.countRest(i, ch.at)
		c.rest.Wake(i)
		r.since = from
		for m := r.open; m != 0; m &= m - 1 {
			c.banks[lowest(m)].since = from
		}
	}
	switch ch.cmd {
	case standard.SRE:
		r.due = Never
	case standard.SRX:
		r.due = ch.at + c.interval()
		c.want(r)
	default:
		return
	}
	c.falls = Never
	if c.checks != nil {
		c.falls = c.checks.Due
	}
	for i := range c.ranks {
		c.falls = min(c.falls, c.ranks[i].due)
	}
	c.arrange()
}

// countRest counts the state of a rank that rests up to a clock, and returns the clock from which it is
// uncounted.
func (c *Controller) countRest(i int, at int64) int64 {
	s, from, next := c.rest.Until(i, at)
	c.Count.Resting[s] += c.span(from, at)
	return next
}

// countOpen counts rows of a rank that are open up to a clock.
func (c *Controller) countOpen(rank int, at int64) {
	r := &c.ranks[rank]
	if r.open == 0 {
		return
	}
	c.Count.OpenClocks += c.span(r.since, at)
	r.since = at
	for m := r.open; m != 0; m &= m - 1 {
		b := &c.banks[lowest(m)]
		c.Count.BankClocks += c.span(b.since, at)
		b.since = at
	}
}
