package dram

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A hold is what keeps the next command of a channel back while bursts are in it. Each clock
// has one: that of the command that is issued next.
type hold uint8

const (
	transfer   hold = iota // column commands follow each other as fast as the data pins take them
	activating             // an access waits for its row to open
	precharge              // an activation waits for the row before to be closed
	keeping                // a row that is in the way may not be closed yet
	spacing                // activations of a rank are too close
	turning                // reads follow writes, or writes reads
	refreshing             // a refresh, or what it keeps back
	commanding             // nothing but the order of commands
	waking                 // a rank leaves power-down or self-refresh
	returning              // all commands are issued, and the last data are on their way
	holds
)

var holdNames = [holds][2]string{
	transfer:   {"transfer", "moving data (tCCD, the data bus)"},
	activating: {"row_activation", "waiting for rows to open (tRCD)"},
	precharge:  {"precharge", "waiting for rows to close (tRP, tRC)"},
	keeping:    {"row_open", "keeping rows open that are in the way (tRAS, tRTP, tWR)"},
	spacing:    {"activation_rate", "spacing activations (tRRD, tFAW)"},
	turning:    {"turnaround", "turning the bus between reads and writes (tWTR, tRTW)"},
	refreshing: {"refresh", "refreshing (tRFC)"},
	commanding: {"commands", "issuing commands"},
	waking:     {"waking", "waking ranks from power-down and self-refresh (tXP, tXS)"},
	returning:  {"latency", "with the last data on their way (CL, tBL)"},
}

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
			ready := min(ch.at, c.timing.ready(ch.cmd, int(ch.bank)))
			n = uint64(max(0, ready-l.upto))
			c.Count.Holds[commanding] += uint64(ch.at-l.upto) - n
		}
		c.Count.Holds[h] += n
		c.Count.Limits[k&(maxLimits-1)] += n
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
		c.Count.Holds[returning] += uint64(end - l.upto)
		l.upto = end
	}
}

// held finds what held a command back, and the limit that it was by, 0 where it was by none.
func (c *Controller) held(ch *choice) (hold, uint8) {
	t, l := &c.timing, &c.ledger
	i := int(ch.bank)
	if ch.cmd.IsState() {
		return waking, 0
	}
	k := t.by(ch.cmd, i)
	h := t.names[k].hold
	switch {
	case t.scope[ch.cmd] != standard.OneBank, ch.cmd == standard.REFB, ch.cmd == standard.RFMB, c.guard != nil && c.holds()>>i&1 != 0, c.ranks[c.banks[i].rank].set>>i&1 != 0, // it is closed for one
		ch.cmd == standard.ACT && t.ready(standard.ACT, i) == l.fresh && l.fresh > l.upto:
		switch h {
		case waking: // before the refresh
			return h, k
		case refreshing:
			return h, k
		}
		return refreshing, 0
	case k == 0 || t.ready(ch.cmd, i) <= l.upto:
		return commanding, 0
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
	for h, name := range holdNames {
		to := t
		if h == int(activating) || h == int(precharge) || h == int(keeping) {
			to = rows
		}
		p := to.Add(name[0], name[1], c.clock.Nanoseconds(n.Holds[h]))
		c.limits(p, hold(h), n)
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
func (c *Comp) limits(t *cause.Tree, h hold, n *Counters) {
	left := n.Holds[h]
	for k, l := range c.gangs[0].timing.names {
		if k == 0 || l.hold != h || n.Limits[k] == 0 {
			continue
		}
		words := "for " + l.name
		if l.name == dataBus {
			words = "for the data bus"
		}
		t.Add(strings.ReplaceAll(strings.ToLower(l.name), " + ", "_"), words, c.clock.Nanoseconds(n.Limits[k]))
		left -= n.Limits[k]
	}
	if len(t.Parts) > 0 {
		t.Add("order", "for commands before it and for bursts to come", c.clock.Nanoseconds(left))
	}
}
