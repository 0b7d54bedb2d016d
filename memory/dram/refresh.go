package dram

import (
	"github.com/causeway-sim/causeway/memory/dram/hammer"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// Refresh is the value of the key refresh.
type Refresh = hammer.Refresh

// DefaultRefresh refreshes all banks of a rank at once, and does not count rows.
func DefaultRefresh() Refresh { return hammer.DefaultRefresh() }

// A rank is what is known about all banks of a rank.
type rank struct {
	banks   uint64 // all of them
	open    uint64 // with an open row
	since   int64  // clock of the first row that was opened
	due     int64  // of the next refresh
	set     uint64 // banks that are to be refreshed, 0 if none
	next    int    // bank of each group that is next with SameBank, of the rank with PerBank
	synced  int64  // last clock in which the data clock runs; used with OnAccess
	delayed int    // refreshes that came due while one was waiting
}

func (c *Controller) initRefresh() {
	o := c.cfg.Grade.Organisation
	n := o.Groups * o.Banks
	c.falls = Never
	for r := range o.Ranks {
		x := rank{banks: (1<<n - 1) << (r * n), due: Never, synced: -1}
		if c.cfg.Refresh != NoRefresh {
			// ranks take turns; clocks count from 0, so an interval ends with the
			// clock before its length
			x.due = c.interval()*int64(r+1)/int64(o.Ranks) - 1
		}
		c.ranks = append(c.ranks, x)
		c.falls = min(c.falls, x.due)
	}
}

// interval is the clocks from one refresh of a rank to the next.
func (c *Controller) interval() int64 {
	return int64(c.cfg.Grade.Actions[c.cfg.Refresh.command()].Every.Clocks)
}

// demand makes ranks want a refresh that is due now.
func (c *Controller) demand(now int64) {
	c.falls = Never
	for i := range c.ranks {
		r := &c.ranks[i]
		if r.due <= now {
			r.due += c.interval()
			switch {
			case r.set != 0:
				r.delayed++
			case c.rest != nil && c.rest.Due(i, now) && !c.work(r): // it refreshes itself soon
			default:
				c.want(r)
			}
		}
		c.falls = min(c.falls, r.due)
	}
	if k := c.checks; k != nil && k.Every > 0 {
		if k.Due <= now {
			c.scrub(now)
		}
		c.falls = min(c.falls, k.Due)
	}
	c.arrange()
	c.chosen = false
}

// want returns the banks to refresh next.
func (c *Controller) want(r *rank) {
	c.refreshing++
	o := c.cfg.Grade.Organisation
	switch c.cfg.Refresh {
	case PerBank:
		r.set = 1 << (lowest(r.banks) + r.next)
		r.next = (r.next + 1) % (o.Groups * o.Banks)
		return
	case AllBank, NoRefresh:
		r.set = r.banks
		return
	case SameBank:
	}
	r.set = 0
	for g := range o.Groups {
		r.set |= 1 << (lowest(r.banks) + g*o.Banks + r.next)
	}
	r.next = (r.next + 1) % o.Banks
}

// refreshed notes that a rank got what it wanted.
func (c *Controller) refreshed(r *rank) {
	if c.guard != nil {
		c.guard.noteRefresh(r.set)
	}
	r.set = 0
	c.refreshing--
	if r.delayed > 0 {
		r.delayed--
		c.want(r)
	}
}

// maintain considers the commands of refreshes that ranks want, and returns the
// banks that are kept from requests because of them.
func (c *Controller) maintain(best *choice) (held uint64) {
	for i := range c.ranks {
		r := &c.ranks[i]
		if r.set == 0 {
			continue
		}
		held |= r.set
		if c.active&r.set != 0 || c.rest != nil && c.rest.Asleep(i) {
			continue // rows that were opened are used first
		}
		cmd := standard.REF
		switch {
		case c.cfg.Refresh == SameBank && r.open&r.set != 0:
			cmd = standard.PRES
		case c.cfg.Refresh == SameBank:
			cmd = standard.REFS
		case c.cfg.Refresh == PerBank && r.open&r.set != 0:
			cmd = standard.PRE
		case c.cfg.Refresh == PerBank:
			cmd = standard.REFB
		case r.open != 0:
			cmd = standard.PREA
		}
		best.improve(max(c.timing.ReadyAll(cmd, r.set), c.now), 1, cmd, int16(lowest(r.set)), none, uint64(i))
	}
	return held
}
