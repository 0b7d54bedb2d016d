package dram

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/dram/timing"
)

// A ledger is up to when the clocks of a channel are booked.
type ledger struct {
	upto  int64 // clock
	data  int64 // clock of the last beat of data on the way
	fresh int64 // clock up to which the last refresh keeps activations back
}

// book gives the clocks up to the command that is about to be issued to what held it back.
func (c *Controller) book(ch *choice) {
	l := &c.ledger
	if c.empty() { // a refresh
		c.rested(ch.at)
		return
	}
	if ch.at > l.upto {
		h, k := c.held(ch)
		n := uint64(ch.at - l.upto)
		if k != 0 { // and from then on nothing did but the order of commands
			ready := min(ch.at, c.timing.Ready(ch.cmd, int(ch.bank)))
			n = uint64(max(0, ready-l.upto))
			c.Count.Holds[timing.Commanding] += uint64(ch.at-l.upto) - n
		}
		c.Count.Holds[h] += n
		c.Count.Limits[k&(timing.MaxLimits-1)] += n
		l.upto = ch.at
	}
	if ch.cmd.IsColumn() {
		e := &c.entries[ch.entry]
		end := ch.at + c.latency
		if e.kind == write {
			end = ch.at + c.writeLatency
		}
		l.data = max(l.data, end)
	}
}

// empty reports whether no burst waits for a command.
func (c *Controller) empty() bool {
	return uint64(c.waiting[read]|c.waiting[write])|c.active == 0
}

// rested books clocks in which the channel was empty: none held a command back.
func (c *Controller) rested(until int64) {
	c.tail(until)
	c.ledger.upto = max(c.ledger.upto, until)
}

// tail books data that are on the way while no burst is in the channel, up to a clock.
func (c *Controller) tail(until int64) {
	l := &c.ledger
	if end := min(l.data, until); end > l.upto {
		c.Count.Holds[timing.Returning] += uint64(end - l.upto)
		l.upto = end
	}
}

// held finds what held a command back, and the limit that it was by, 0 where it was by none.
func (c *Controller) held(ch *choice) (timing.Hold, uint8) {
	t, l := &c.timing, &c.ledger
	i := int(ch.bank)
	if ch.cmd.IsState() {
		return timing.Waking, 0
	}
	k := t.By(ch.cmd, i)
	h := t.Limits()[k].Hold
	switch {
	case c.cfg.Grade.Actions[ch.cmd].Scope != standard.OneBank, ch.cmd == standard.REFB, ch.cmd == standard.RFMB, c.guard != nil && c.holds()>>i&1 != 0, c.ranks[c.banks[i].rank].set>>i&1 != 0, // it is closed for one
		ch.cmd == standard.ACT && t.Ready(standard.ACT, i) == l.fresh && l.fresh > l.upto:
		switch h {
		case timing.Waking: // before the refresh
			return h, k
		case timing.Refreshing:
			return h, k
		}
		return timing.Refreshing, 0
	case k == 0 || t.Ready(ch.cmd, i) <= l.upto:
		return timing.Commanding, 0
	}
	return h, k
}

// Causes implements system.Causal: the time of all channels.
func (c *Comp) Causes() *cause.Tree {
	end := c.count.last
	for _, g := range c.gangs {
		end = max(end, g.acted)
	}
	n := c.total()
	t := cause.New(c.Name(), cause.Memory)
	t.Nodes = len(c.accounts)
	t.Until(c.clock.Nanoseconds(uint64(end)))
	if len(c.accounts) > 1 {
		t.Of("channels of " + cause.Base(c.Name()))
	}
	rows := &cause.Tree{Name: "rows", Words: "waiting for rows"}
	for h, name := range timing.Names {
		to := t
		if h == int(timing.Activating) || h == int(timing.Precharge) || h == int(timing.Keeping) {
			to = rows
		}
		p := to.Add(name[0], name[1], c.clock.Nanoseconds(n.Holds[h]))
		c.limits(p, timing.Hold(h), n)
	}
	if rows.Time = rows.Used(); rows.Time > 0 {
		t.Parts = append(t.Parts, rows)
	}
	span := float64(end) * float64(t.Nodes)
	var also []string
	if many, ok := c.bankBalance(); ok && many >= toldBanks && rows.Time >= toldFull*t.Used() {
		also = append(also, fmt.Sprintf("the busiest of its banks takes %.3g times the bursts of the mean bank", many))
	}
	if float64(n.Full) >= toldFull*span && span > 0 {
		also = append(also, fmt.Sprintf("for %.1f %% of the time a burst finds the queues of its channel full", 100*float64(n.Full)/span))
	}
	if len(also) > 0 {
		t.Remark("%s", strings.Join(also, "; "))
	}
	return t
}

// toldFull is the share of the time from which on full queues, and waits for rows of few banks, are
// remarked; toldBanks is how many times the mean the bursts of the busiest of these are.
const toldFull, toldBanks = 0.1, 4

// limits divides a hold by the timings that keep commands back.
func (c *Comp) limits(t *cause.Tree, h timing.Hold, n *Counters) {
	left := n.Holds[h]
	for k, l := range c.gangs[0].timing.Limits() {
		if k == 0 || l.Hold != h || n.Limits[k] == 0 {
			continue
		}
		words := "for " + l.Name
		if l.Name == timing.DataBus {
			words = "for the data bus"
		}
		t.Add(strings.ReplaceAll(strings.ToLower(l.Name), " + ", "_"), words, c.clock.Nanoseconds(n.Limits[k]))
		left -= n.Limits[k]
	}
	if len(t.Parts) > 0 {
		t.Add("order", "for commands before it and for bursts to come", c.clock.Nanoseconds(left))
	}
}
