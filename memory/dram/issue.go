package dram

import "github.com/causeway-sim/causeway/memory/dram/standard"

// issue carries out the choice.
func (c *Controller) issue() {
	ch := &c.best // it stays: choose is not called meanwhile
	if c.stops && ch.cmd.IsColumn() {
		if r := &c.ranks[c.banks[ch.bank].rank]; ch.at > r.synced {
			c.sync(ch, r)
			return
		}
		c.pledged = false
	}
	c.chosen = false
	if ch.class == 2 {
		c.writing = c.turning
	} else {
		c.settle(ch.at)
	}
	c.turns = ch.at + 1
	c.Count.Commands[ch.cmd]++
	c.book(ch)
	i := int(ch.bank)
	b := &c.banks[i]
	r := &c.ranks[b.rank]
	if c.rest != nil {
		c.rest.Note(ch.cmd, int(b.rank), ch.at)
	}
	if c.timing.Wide(ch.cmd) {
		c.issueWide(ch, i, r)
		return
	}
	var e *entry
	if ch.entry != none {
		e = &c.entries[ch.entry]
		col := e.col
		if ch.cmd < standard.RD {
			col = 0
		}
		c.trace(ch, e.row, col)
	} else {
		if ch.cmd == standard.ACT {
			b.row = c.refreshRow(i)
		}
		c.trace(ch, b.row, 0)
	}
	c.timing.Issue(ch.cmd, i, ch.at)
	switch ch.cmd {
	case standard.ACT:
		c.openRow(ch, e, b)
	case standard.PRE:
		if e != nil {
			c.begin(e, &c.Count.Conflicts, metConflict, ch.at)
		}
		c.close(i, ch.at)
	case standard.REFB:
		c.ledger.fresh = c.timing.Ready(standard.ACT, i)
		c.refreshed(r)
	default:
		c.transfer(ch, e, b)
	}
}

// issueWide carries out a command that is about more than the row of a bank.
func (c *Controller) issueWide(ch *choice, i int, r *rank) {
	switch {
	case ch.cmd.IsState():
		c.changeState(ch)
		return
	case ch.cmd.IsRFM():
		c.trace(ch, 0, 0)
		c.timing.IssueAll(ch.cmd, c.guard.banks[i], ch.at)
		c.ledger.fresh = c.timing.ReadyAll(standard.ACT, c.guard.banks[i])
		c.manage(i)
		return
	}
	c.trace(ch, 0, 0)
	set := r.set
	if set == 0 { // before it rests
		set = r.banks
	}
	c.timing.IssueAll(ch.cmd, set, ch.at)
	switch ch.cmd {
	case standard.PREA, standard.PRES:
		for m := r.open & set; m != 0; m &= m - 1 {
			c.close(lowest(m), ch.at)
		}
	default:
		c.ledger.fresh = c.timing.ReadyAll(standard.ACT, r.set)
		c.refreshed(r)
	}
}

// openRow carries out an activation, for an entry, or without one to refresh the row.
func (c *Controller) openRow(ch *choice, e *entry, b *bank) {
	i, r := int(ch.bank), &c.ranks[b.rank]
	b.open, b.accesses, b.active, b.since = true, 0, ch.entry, ch.at
	if r.open == 0 {
		r.since = ch.at
	}
	r.open |= 1 << i
	if e == nil {
		c.sort(i)
		return
	}
	c.begin(e, &c.Count.Misses, metMiss, ch.at)
	c.remove(ch.entry)
	b.row = e.row
	c.promise(i, e)
	c.sort(i)
	c.made(ch.at)
	if c.guard != nil {
		c.noteRow(i, e, ch.at)
	}
}

// promise notes the entry for which the row of a bank was opened.
func (c *Controller) promise(i int, e *entry) {
	c.active |= 1 << i
	c.activeWrites |= uint64(e.kind) << i
	c.promises[i] = e.seq
}

// transfer carries out a column command.
func (c *Controller) transfer(ch *choice, e *entry, b *bank) {
	c.begin(e, &c.Count.Hits, metHit, ch.at)
	if b.active == ch.entry {
		b.active = none
		c.active &^= 1 << ch.bank
		c.activeWrites &^= 1 << ch.bank
	} else {
		c.remove(ch.entry)
	}
	done := ch.at + [2]int64{read: c.latency, write: c.writeLatency}[e.kind]
	c.moves(done)
	if c.tell != nil && !isOwn(e.tag) {
		c.tell(e, ch.at, done)
	}
	if e.kind == read {
		if c.checks == nil || !c.checked(e, ch.at+c.latency) {
			c.served(e.tag, e.arrived, e.accepted, ch.at+c.latency)
		}
	} else {
		c.writesHeld--
		c.wrote(e.tag, ch.at+c.writeLatency-e.arrived)
		c.sink.Done(e.tag, ch.at+c.writeLatency)
	}
	if c.stops {
		r := &c.ranks[b.rank]
		r.synced = max(r.synced, ch.at+int64(c.cfg.Grade.Hold[e.kind]))
	}
	c.give(ch.entry)
	c.made(ch.at)
	b.accesses++
	switch {
	case ch.cmd == standard.RDA || ch.cmd == standard.WRA:
		c.close(int(ch.bank), ch.at)
	case b.accesses >= c.cap:
		c.closing |= 1 << ch.bank
	}
}

// served notes that a read is done at clock at.
func (c *Controller) served(tag uint32, arrived, accepted, at int64) {
	if isOwn(tag) {
		c.cameFor(tag, at)
		return
	}
	c.FromArrival.Add(at-arrived, c.channels)
	c.FromAccept.Add(at-accepted, c.channels)
	c.sink.Done(tag, at)
}

// wrote notes how long a write took.
func (c *Controller) wrote(tag uint32, clocks int64) {
	if !isOwn(tag) {
		c.Writes.Add(clocks, c.channels)
	}
}

// begin counts a burst by its first command.
func (c *Controller) begin(e *entry, what *[2]uint64, met int, at int64) {
	if !e.begun {
		e.begun, e.met, e.first = true, uint8(met), at
		what[e.kind]++
		c.banks[e.bank].met[met]++
	}
}

// close notes that a bank has no row any more.
func (c *Controller) close(i int, at int64) {
	b := &c.banks[i]
	b.open = false
	c.Count.BankClocks += c.span(b.since, at)
	c.closing &^= 1 << i
	if c.guard != nil {
		c.guard.closedRow(i)
	}
	r := &c.ranks[b.rank]
	r.open &^= 1 << i
	if r.open == 0 {
		c.Count.OpenClocks += c.span(r.since, at)
	}
	c.sort(i)
}

// made records that from the next clock on there may be room for the first arrived burst.
func (c *Controller) made(at int64) {
	if c.front.shut || c.own.shut {
		c.reopen(at)
	}
}

// reopen lets the first arrived bursts try again.
func (c *Controller) reopen(at int64) {
	if c.front.shut && !c.refuses(c.front.head()) {
		c.front.shut = false
		c.Count.Full += uint64(max(0, at-c.front.since))
		c.front.try = max(c.front.try, at+1)
	}
	if c.own.shut {
		c.own.shut = false
		c.own.try = max(c.own.try, at+1)
		c.arrange()
	}
}

func (c *Controller) trace(ch *choice, row, col uint32) {
	if c.Trace != nil {
		c.Trace(ch.at, ch.cmd, int(ch.bank), row, col)
	}
}
