package dram

import "github.com/causeway-sim/causeway/components/cause"

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
	returning:  {"latency", "with the last data on their way (CL, tBL)"},
}

// A ledger is up to when the clocks of a channel are booked.
type ledger struct {
	upto  int64 // clock
	data  int64 // clock of the last beat of data on the way
	fresh int64 // clock up to which the last refresh keeps activations back
	kind  uint8 // of the last column command: read or write
	last  int64 // its clock
}

// book gives the clocks up to the command that is about to be issued to what held it back.
func (c *Controller) book(ch *choice) {
	l := &c.ledger
	if c.empty() { // a refresh
		c.rested(ch.at)
		return
	}
	if ch.at > l.upto {
		c.Count.Holds[c.held(ch)] += uint64(ch.at - l.upto)
		l.upto = ch.at
	}
	if isColumn(ch.cmd) {
		e := &c.entries[ch.entry]
		end := ch.at + c.latency
		if e.kind == write {
			end = ch.at + c.writeLatency
		}
		l.kind, l.last, l.data = e.kind, ch.at, max(l.data, end)
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

// held finds what held a command back.
func (c *Controller) held(ch *choice) hold {
	t, l := &c.timing, &c.ledger
	if scopes[ch.cmd] != oneBank || ch.cmd == REFB {
		return refreshing
	}
	i := int(ch.bank)
	p := &t.banks[i&(maxBanks-1)]
	shared := max(t.floor(ch.cmd, p[RankLevel]), t.next[row(GroupLevel, ch.cmd)][p[GroupLevel]&(maxBanks-1)])
	own := t.next[row(BankLevel, ch.cmd)][p[BankLevel]&(maxBanks-1)]
	switch {
	case c.ranks[c.banks[i].rank].set>>i&1 != 0:
		return refreshing // it is closed for one
	case isColumn(ch.cmd):
		switch {
		case own > shared && own > l.upto:
			return activating
		case shared <= l.upto:
			return commanding
		case l.last > 0 && ch.at < l.last+t.longest && c.entries[ch.entry].kind != l.kind:
			return turning
		}
		return transfer
	case max(own, shared) <= l.upto:
		return commanding
	case ch.cmd == ACT:
		switch {
		case max(own, shared) == l.fresh:
			return refreshing
		case own > shared:
			return precharge
		}
		return spacing
	}
	return keeping
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
		to.Add(name[0], name[1], c.clock.Nanoseconds(n.Holds[h]))
	}
	if rows.Time = rows.Used(); rows.Time > 0 {
		t.Parts = append(t.Parts, rows)
	}
	return t
}
