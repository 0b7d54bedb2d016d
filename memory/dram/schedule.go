package dram

import "math"

// A choice is a command and the clock at which it can go.
type choice struct {
	at    int64
	class uint8 // 0: access to a row opened for it; 1: refresh and closing by policy; 2: the rest
	cmd   Command
	bank  int16
	entry int16
	seq   uint64
}

// improve takes o if it goes before c: earlier, or of an earlier class, or
// older.
func (c *choice) improve(o choice) {
	if o.at < c.at || o.at == c.at && (o.class < c.class || o.class == c.class && o.seq < c.seq) {
		*c = o
	}
}

// access is the column command of an entry, given the row policy. A row that
// was opened for another entry stays open for that one.
func (c *Controller) access(i int16, b *bank) Command {
	cmd := RD
	if c.entries[i].kind == write {
		cmd = WR
	}
	if (c.cfg.Policy == ClosedAP || b.accesses >= c.cap) && (b.active == none || b.active == i) {
		cmd += RDA - RD
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

// turn decides whether reads or writes go first: writes from High on or where
// no read waits, until there are no more than Low and a read waits.
func (c *Controller) turn() bool {
	if c.writing {
		return c.waiting[write] > c.cfg.Low || c.waiting[read] == 0
	}
	return c.waiting[write] >= c.cfg.High || c.waiting[read] == 0
}

// choose finds the next command if no burst arrives before it.
func (c *Controller) choose() {
	c.chosen = true
	best := choice{at: Never}
	for m := c.active; m != 0; m &= m - 1 {
		i := lowest(m)
		b := &c.banks[i]
		e := &c.entries[b.active]
		cmd := c.access(b.active, b)
		best.improve(choice{max(c.timing.ready(cmd, i), c.now), 0, cmd, int16(i), b.active, e.seq})
	}
	held := c.maintain(&best)
	for m := c.closing &^ (c.active | held); m != 0; m &= m - 1 {
		i := lowest(m)
		best.improve(choice{max(c.timing.ready(PRE, i), c.now), 1, PRE, int16(i), none, uint64(i)})
	}
	c.turning = c.writing
	if held == 0 { // else nobody could use the turn
		c.turning = c.turn()
	}
	kind := read
	if c.turning {
		kind = write
	}
	if c.cfg.Scheduler == FCFS {
		c.oldest(kind, held, &best)
	} else {
		c.ready(kind, c.busy[kind]&^held, &best)
	}
	c.best = best
}

// ready is consider for many banks, one command after the other: what ready
// times have in common is looked up once, and there is nothing to guess wrong.
func (c *Controller) ready(kind int, banks uint64, best *choice) {
	switch {
	case banks == 0:
		return
	case banks&(banks-1) == 0 || c.cfg.Policy != Open: // accesses are of two kinds
		for m := banks; m != 0; m &= m - 1 {
			c.consider(kind, lowest(m), best)
		}
		return
	}
	t := &c.timing
	l := least{key: math.MaxUint64}
	if m := banks &^ c.opened; m != 0 {
		for f := max(c.now, t.floor(ACT)); m != 0; m &= m - 1 {
			i := lowest(m)
			l.take(c, t.above(f, ACT, &t.banks[i]), ACT, i, c.banks[i].queue[kind].head)
		}
	}
	if m := banks & c.hits[kind]; m != 0 {
		cmd := access[kind]
		for f := max(c.now, t.floor(cmd)); m != 0; m &= m - 1 {
			i := lowest(m)
			l.take(c, t.above(f, cmd, &t.banks[i]), cmd, i, c.banks[i].queue[kind].hit)
		}
	}
	if m := banks & c.misses[kind] &^ c.active; m != 0 {
		for f := max(c.now, t.floor(PRE)); m != 0; m &= m - 1 {
			i := lowest(m)
			l.take(c, t.above(f, PRE, &t.banks[i]), PRE, i, c.banks[i].queue[kind].miss)
		}
	}
	if l.key < math.MaxUint64 {
		best.improve(choice{c.now + int64(l.key>>32), 2, l.cmd, int16(l.bank), l.entry, c.entries[l.entry].seq})
	}
}

// access is the plain column command, by kind.
var access = [2]Command{read: RD, write: WR}

// least is the command with the least key: clocks from now in the upper half,
// below them how young the entry is.
type least struct {
	key   uint64
	cmd   Command
	bank  int
	entry int16
}

func (l *least) take(c *Controller, at int64, cmd Command, bank int, entry int16) {
	age := min(c.seq-c.entries[entry].seq, math.MaxUint32)
	if key := uint64(at-c.now)<<32 | (math.MaxUint32 - age); key < l.key {
		*l = least{key, cmd, bank, entry}
	}
}

// consider looks at the entries of a bank.
func (c *Controller) consider(kind, i int, best *choice) {
	b := &c.banks[i]
	q := &b.queue[kind]
	if !b.open {
		c.offer(ACT, i, q.head, best)
		return
	}
	if q.hit != none {
		c.offer(c.access(q.hit, b), i, q.hit, best)
	}
	if q.miss != none && b.active == none {
		c.offer(PRE, i, q.miss, best)
	}
}

func (c *Controller) offer(cmd Command, bank int, entry int16, best *choice) {
	at := max(c.timing.ready(cmd, bank), c.now)
	if at <= best.at {
		best.improve(choice{at, 2, cmd, int16(bank), entry, c.entries[entry].seq})
	}
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
		c.offer(ACT, int(e.bank), first, best)
	case e.row == b.row:
		c.offer(c.access(first, b), int(e.bank), first, best)
	case b.active == none:
		c.offer(PRE, int(e.bank), first, best)
	}
}

// newcomer keeps the choice up to date when an entry was accepted, without
// looking at the others where that is possible.
func (c *Controller) newcomer(i int16, now int64) {
	if !c.chosen {
		return
	}
	c.settle(now)
	c.turns = now
	if c.turn() != c.turning || c.cfg.Scheduler == FCFS {
		c.chosen = false
		return
	}
	e := &c.entries[i]
	kind := read
	if c.turning {
		kind = write
	}
	if int(e.kind) != kind || c.ranks[c.banks[e.bank].rank].set>>e.bank&1 != 0 {
		return
	}
	c.now = max(c.now, now)
	q := &c.banks[e.bank].queue[kind]
	if q.head == i || q.hit == i || q.miss == i {
		c.consider(kind, int(e.bank), &c.best)
	}
}
