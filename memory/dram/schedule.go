package dram

import "github.com/causeway-sim/causeway/memory/dram/standard"

// A choice is a command and the clock at which it can go.
type choice struct {
	at    int64
	class uint8 // 0: access to a row opened for it; 1: refresh and closing by policy; 2: bursts; 3: going to rest
	cmd   standard.Command
	bank  int16
	entry int16
	seq   uint64
}

// improve takes another choice if it goes before c: earlier, or of an earlier class, or
// older.
func (c *choice) improve(at int64, class uint8, cmd standard.Command, bank, entry int16, seq uint64) {
	if at < c.at || at == c.at && (class < c.class || class == c.class && seq < c.seq) {
		c.set(at, class, cmd, bank, entry, seq)
	}
}

// set writes field by field: a copy in one piece waits for fields that were just written.
func (c *choice) set(at int64, class uint8, cmd standard.Command, bank, entry int16, seq uint64) {
	c.at, c.class, c.cmd, c.bank, c.entry, c.seq = at, class, cmd, bank, entry, seq
}

// access is the column command of an entry, given the row policy. A row that
// was opened for another entry stays open for that one.
func (c *Controller) access(i int16, b *bank) standard.Command {
	cmd := standard.RD
	if c.entries[i].kind == write {
		cmd = standard.WR
	}
	if (c.cfg.Policy == ClosedAP || b.accesses >= c.cap) && (b.active == none || b.active == i) {
		cmd += standard.RDA - standard.RD
	}
	return cmd
}

// settle makes the turn that choose found real: it is decided anew in every
// clock from c.turns on, so a burst that is accepted in that clock or before may
// still change it.
func (c *Controller) settle(now int64) {
	if c.turns < now {
		c.writing = c.turning
	}
}

// turn decides whether reads or writes have priority: writes from High on or if no read waits,
// until at most Low are left and a read waits.
func (c *Controller) turn() bool {
	if c.writing {
		return c.waiting[write] > c.cfg.Low || c.waiting[read] == 0
	}
	return c.waiting[write] >= c.cfg.High || c.waiting[read] == 0
}

// choose finds the next command if no burst arrives before it.
func (c *Controller) choose() {
	c.chosen = true
	if c.pledged {
		return
	}
	best := &c.best
	best.set(Never, 0, 0, 0, 0, 0)
	if c.active != 0 {
		c.promised(best)
	}
	held := uint64(0)
	if c.refreshing > 0 {
		held = c.maintain(best)
	}
	if g := c.guard; g != nil && g.asked|g.rfm != 0 {
		held |= c.prevent(held, best)
	}
	for m := c.closing &^ (c.active | held); m != 0; m &= m - 1 {
		i := lowest(m)
		best.improve(max(c.timing.Ready(standard.PRE, i), c.now), 1, standard.PRE, int16(i), none, uint64(i))
	}
	c.turning = c.writing
	if held == 0 { // else no burst could use the turn
		c.turning = c.turn()
	}
	kind := read
	if c.turning {
		kind = write
	}
	if c.special {
		c.chooseAround(kind, held, best)
		return
	}
	switch {
	case best.at <= c.timing.Soonest(c.now):
		// nothing of a later class can go before it
	case c.cfg.Scheduler == FCFS:
		c.oldest(kind, held, best)
	default:
		c.ready(kind, c.busy[kind]&^held, best)
	}
}

// chooseAround ends choose where ranks may rest or rows may be delayed.
func (c *Controller) chooseAround(kind int, held uint64, best *choice) {
	if c.rest != nil {
		held |= c.wake(best)
	}
	switch {
	case best.at <= c.timing.Soonest(c.now):
		// nothing of a later class can go before it
	case c.cfg.Scheduler == FCFS:
		c.oldest(kind, held, best)
	case c.guard != nil && c.guard.delays(c.now) != 0:
		c.safe(kind, c.busy[kind]&^held, best)
	default:
		c.ready(kind, c.busy[kind]&^held, best)
	}
	if c.rest != nil {
		c.settleDown(best)
	}
}

func (c *Controller) offer(cmd standard.Command, bank int, entry int16, best *choice) {
	at := max(c.timing.Ready(cmd, bank), c.now)
	if c.adjusts {
		at = c.adjust(cmd, bank, entry, at)
	}
	if at <= best.at {
		best.improve(at, 2, cmd, int16(bank), entry, c.entries[entry].seq)
	}
}

// adjust is the clock of a command that timings allow at one: a defence may delay it, and an access may need a CAS.
func (c *Controller) adjust(cmd standard.Command, bank int, entry int16, at int64) int64 {
	switch {
	case c.stops && cmd.IsColumn():
		return c.start(&c.ranks[c.banks[bank].rank], at)
	case c.guard != nil && !cmd.IsColumn():
		return c.guard.until(cmd, bank, c.entries[entry].row, at)
	}
	return at
}

// oldest looks at the oldest entry only.
func (c *Controller) oldest(kind int, held uint64, best *choice) {
	first := int16(none)
	for m := c.busy[kind]; m != 0; m &= m - 1 {
		if h := c.banks[lowest(m)].queue[kind].head; first == none || c.entries[h].seq < c.entries[first].seq {
			first = h
		}
	}
	if first == none {
		return
	}
	e := &c.entries[first]
	b := &c.banks[e.bank]
	switch {
	case held>>e.bank&1 != 0:
	case !b.open:
		c.offer(standard.ACT, int(e.bank), first, best)
	case e.row == b.row:
		c.offer(c.access(first, b), int(e.bank), first, best)
	case b.active == none:
		c.offer(standard.PRE, int(e.bank), first, best)
	}
}

// consider looks at the entries of a bank.
func (c *Controller) consider(kind, i int, best *choice) {
	b := &c.banks[i]
	q := &b.queue[kind]
	if !b.open {
		c.offer(standard.ACT, i, q.head, best)
		return
	}
	if q.hit != none {
		c.offer(c.access(q.hit, b), i, q.hit, best)
	}
	if q.miss != none && b.active == none {
		c.offer(standard.PRE, i, q.miss, best)
	}
}

// compareArrival keeps the choice up to date when an entry was accepted, without
// looking at the others where that is possible.
func (c *Controller) compareArrival(i int16, now int64) {
	if !c.chosen || c.pledged {
		return
	}
	c.settle(now)
	c.turns = now
	if c.turn() != c.turning || c.cfg.Scheduler == FCFS || c.rest != nil {
		c.chosen = false
		return
	}
	e := &c.entries[i]
	kind := read
	if c.turning {
		kind = write
	}
	if int(e.kind) != kind || c.ranks[c.banks[e.bank].rank].set>>e.bank&1 != 0 || c.guard != nil && c.holds()>>e.bank&1 != 0 {
		return
	}
	c.now = max(c.now, now)
	if c.guard != nil && c.guard.delays(c.now)>>e.bank&1 != 0 {
		c.chosen = false
		return
	}
	q := &c.banks[e.bank].queue[kind]
	if q.head == i || q.hit == i || q.miss == i {
		c.consider(kind, int(e.bank), &c.best)
	}
}
