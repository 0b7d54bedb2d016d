package dram

import "github.com/causeway-sim/causeway/memory/address"

// A visitor is a burst that has arrived and is not accepted.
type visitor struct {
	at       int64
	row, col uint32
	tag      uint32
	bank     int16
	kind     uint8
	covered  bool // a read, and a write before it that is not served may be for the same place; or a write of a part of the burst, with ECC
}

// frontQueue is the queue in front of the controller, without limit, in the order of
// arrival. Its ring has a length that is a power of two.
type frontQueue struct {
	ring     []visitor
	first, n int
	writes   int   // among the n
	covered  int   // among the n
	try      int64 // first clock at which the first may be accepted
	shut     bool  // the first found no room: wait until some is made
	since    int64 // clock from which it is
}

// more is a burst more at the end, that arrives at a clock, whose place is as it was left.
func (d *frontQueue) more(at int64) *visitor {
	if d.n == len(d.ring) {
		ring := make([]visitor, max(64, 2*d.n))
		for i := range d.n {
			ring[i] = d.ring[(d.first+i)&(len(d.ring)-1)]
		}
		d.ring, d.first = ring, 0
	}
	if d.n == 0 {
		d.try = max(d.try, at)
	}
	d.n++
	return &d.ring[(d.first+d.n-1)&(len(d.ring)-1)]
}

func (d *frontQueue) head() *visitor { return &d.ring[d.first] }

// next is the first clock at which the first may be accepted; Never if there is none, or it waits for room.
func (d *frontQueue) next() int64 {
	if d.n == 0 || d.shut {
		return Never
	}
	return d.try
}

// pop takes the first away, accepted at clock at: one per clock.
func (d *frontQueue) pop(at int64) {
	d.writes -= int(d.head().kind)
	if d.head().covered {
		d.covered--
	}
	d.first = (d.first + 1) & (len(d.ring) - 1)
	d.n--
	d.try = at + 1
	if d.n > 0 {
		d.try = max(d.try, d.head().at)
	}
}

// Push adds a burst that arrives at clock at, not before that of any earlier Push, Run or answer.
// The controller accepts bursts in the order of Push, at most one per clock.
func (c *Controller) Push(at int64, tag uint32, place address.Coord, isWrite bool) {
	c.arrive(at, tag, &place, isWrite)
}

// arrive is Push without a copy of the place.
func (c *Controller) arrive(at int64, tag uint32, place *address.Coord, isWrite bool) {
	writes := c.front.writes
	v := c.front.more(at)
	v.at, v.row, v.col, v.tag, v.bank = at, place[address.Row], place[address.Column], tag, int16(c.bankOf(place))
	v.kind, v.covered = read, false
	switch {
	case isWrite:
		v.kind = write
		c.front.writes++
	case writes > 0 || c.writesHeld > 0 && c.pending(write, int(v.bank), v.row, v.col):
		v.covered = true
		c.front.covered++
	}
}

// Tags of bursts of the controller itself: ownTag, and before it those of reads of check bits, by their number.
const (
	ownTag   = 1<<32 - 1
	ownFirst = ownTag - 1<<16
)

func isOwn(tag uint32) bool { return tag >= ownFirst }

// What bursts of the controller itself are for, as an index of Counters.Own.
const (
	ownCounterRead = iota // of rows, by a defence against row hammer
	ownCounterWrite
	ownCheckRead // check bits
	ownCheckWrite
	ownScrub
	ownModify // the rest of a burst of which a write brings a part
	owns
)

// ask adds a burst of the controller itself, to be accepted from clock at on, not before that of an
// earlier one. It goes before bursts of requests.
func (c *Controller) ask(at int64, what, bank int, row, col uint32, tag uint32) {
	v := c.own.more(at)
	*v = visitor{at: at, row: row, col: col, tag: tag, bank: int16(bank), kind: read}
	if what == ownCounterWrite || what == ownCheckWrite {
		v.kind = write
		c.own.writes++
	} else { // a write before it may be for the same place
		v.covered = true
		c.own.covered++
	}
	c.Count.Own[what]++
	c.arrange()
}

// part marks the burst that arrived last as a write of a part of it.
func (c *Controller) part() {
	d := &c.front
	d.ring[(d.first+d.n-1)&(len(d.ring)-1)].covered = true
	d.covered++
}

// A sieve keeps bursts of the controller itself from a Sink.
type sieve struct{ Sink }

// Accepted implements Sink.
func (s sieve) Accepted(tag uint32, at int64) {
	if !isOwn(tag) {
		s.Sink.Accepted(tag, at)
	}
}

// Done implements Sink.
func (s sieve) Done(tag uint32, at int64) {
	if !isOwn(tag) {
		s.Sink.Done(tag, at)
	}
}

// Waiting returns the bursts that have arrived and are not accepted.
func (c *Controller) Waiting() int { return c.front.n }

// admit accepts the first of a queue, if there is room for it.
func (c *Controller) admit(d *frontQueue, now int64) {
	v := d.head()
	switch {
	case (v.covered || v.kind == write) && c.writesHeld > 0 && c.pending(write, int(v.bank), v.row, v.col):
		c.absorb(v, now)
	case c.waiting[v.kind] >= c.room[v.kind], v.kind == write && c.pending(read, int(v.bank), v.row, v.col):
		// full, or the old data are still to be read
		d.close(now)
		return
	default:
		if c.checks != nil && v.covered && v.kind == write {
			c.modify(d, now)
			return
		}
		if c.empty() {
			c.rested(now)
		}
		i := c.take()
		e := &c.entries[i] // field by field: a copy in one piece waits for what was just written
		e.seq, e.row, e.col, e.tag, e.arrived, e.accepted = c.seq, v.row, v.col, v.tag, v.at, now
		e.bank, e.kind, e.begun, e.next = v.bank, v.kind, false, 0
		c.seq++
		if c.checks != nil && !isOwn(v.tag) {
			c.protect(e, now)
		}
		c.append(i)
		c.writesHeld += int(v.kind)
		if v.kind == write || !c.unasked {
			c.sink.Accepted(v.tag, now)
		}
		c.compareArrival(i, now)
	}
	d.pop(now)
	if d.shut = false; d.n > 0 && c.refuses(d.head()) {
		d.close(max(now, d.head().at))
	}
}

// absorb serves a burst by a write that waits for the same place.
func (c *Controller) absorb(v *visitor, now int64) {
	if v.kind == read { // the write's data are available
		c.Count.Forwarded++
		c.sink.Accepted(v.tag, now)
		c.served(v.tag, v.at, now, now+1)
		return
	}
	c.Count.Merged++ // the write before is overwritten in the queue
	c.sink.Accepted(v.tag, now)
	c.wrote(v.tag, now+1-v.at)
	c.sink.Done(v.tag, now+1)
}

// close has the first wait until there is room, from a clock on.
func (d *frontQueue) close(at int64) {
	if !d.shut {
		d.shut, d.since = true, at
	}
}

// refuses reports whether a burst surely finds no room.
func (c *Controller) refuses(v *visitor) bool {
	return v.kind == read && !v.covered && c.waiting[read] >= c.room[read]
}
