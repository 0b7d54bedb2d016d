package dram

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/address"
)

func lowest(m uint64) int { return bits.TrailingZeros64(m) }

// none is the index of no entry.
const none = -1

// An entry is a burst in the controller.
type entry struct {
	seq      uint64 // order of acceptance
	row, col uint32
	tag      uint32
	arrived  int64
	accepted int64
	next     int16 // in its bank's list, or in the list of free entries
	prev     int16 // in its bank's list
	bank     int16
	kind     uint8 // read or write
	begun    bool  // a command was issued for it
	met      uint8 // what it met, once begun
	check    int32 // read of check bits that it waits for; of channels with ECC
	first    int64 // clock of that command
}

const (
	read  = 0
	write = 1
)

// waiting is the list of a bank's reads or writes, oldest first, with the
// oldest that hits the open row and the oldest that does not.
type waiting struct{ head, tail, hit, miss int16 }

// A bank is one bank of the channel.
type bank struct {
	open     bool
	row      uint32
	accesses int32 // to the row since it was opened
	since    int64 // clock at which it was opened
	active   int16 // the entry for which the row was opened, until its access is issued
	rank     int16
	queue    [2]waiting
	met      [mets]uint64 // bursts, by what they met
}

// bankOf is the index of the bank at a place.
func (c *Controller) bankOf(a *address.Coord) int {
	o := &c.cfg.Grade.Organisation
	return (int(a[address.Rank])*o.Groups+int(a[address.BankGroup]))*o.Banks + int(a[address.Bank])
}

// append puts an entry at the end of its bank's list.
func (c *Controller) append(i int16) {
	e := &c.entries[i]
	b := &c.banks[e.bank]
	q := &b.queue[e.kind]
	e.next, e.prev = none, q.tail
	if q.tail == none {
		q.head = i
		c.busy[e.kind] |= 1 << e.bank
	} else {
		c.entries[q.tail].next = i
	}
	q.tail = i
	c.waiting[e.kind]++
	a := &c.ages[e.kind]
	if q.head == i {
		a.head[e.bank] = e.seq
	}
	switch {
	case !b.open:
	case e.row == b.row && q.hit == none:
		q.hit = i
		c.hits[e.kind] |= 1 << e.bank
		a.hit[e.bank] = e.seq
	case e.row != b.row && q.miss == none:
		q.miss = i
		c.misses[e.kind] |= 1 << e.bank
		a.miss[e.bank] = e.seq
	}
}

// mark keeps the sets of banks with hits and misses up to date, and the ages.
func (c *Controller) mark(bank int16, kind uint8) {
	q, a := &c.banks[bank].queue[kind], &c.ages[kind]
	bit := uint64(1) << bank
	c.hits[kind] &^= bit
	c.misses[kind] &^= bit
	if q.head != none {
		a.head[bank] = c.entries[q.head].seq
	}
	if q.hit != none {
		c.hits[kind] |= bit
		a.hit[bank] = c.entries[q.hit].seq
	}
	if q.miss != none {
		c.misses[kind] |= bit
		a.miss[bank] = c.entries[q.miss].seq
	}
}

// remove takes an entry out of its bank's list.
func (c *Controller) remove(i int16) {
	e := &c.entries[i]
	b := &c.banks[e.bank]
	q := &b.queue[e.kind]
	a, bit := &c.ages[e.kind], uint64(1)<<e.bank
	switch {
	case q.head != i:
		c.entries[e.prev].next = e.next
	case e.next == none:
		q.head = none
		c.busy[e.kind] &^= bit
	default:
		q.head = e.next
		a.head[e.bank] = c.entries[e.next].seq
	}
	if q.tail == i {
		q.tail = e.prev
	} else {
		c.entries[e.next].prev = e.prev
	}
	switch i {
	case q.hit:
		if q.hit = c.find(e.next, b.row, true); q.hit == none {
			c.hits[e.kind] &^= bit
		} else {
			a.hit[e.bank] = c.entries[q.hit].seq
		}
	case q.miss:
		if q.miss = c.find(e.next, b.row, false); q.miss == none {
			c.misses[e.kind] &^= bit
		} else {
			a.miss[e.bank] = c.entries[q.miss].seq
		}
	}
	c.waiting[e.kind]--
}

// find is the first entry from i on that is for the row, or for another.
func (c *Controller) find(i int16, row uint32, same bool) int16 {
	for i != none && (c.entries[i].row == row) != same {
		i = c.entries[i].next
	}
	return i
}

// sort finds hits and misses anew, after the bank's row has changed.
func (c *Controller) sort(i int) {
	b := &c.banks[i]
	c.opened &^= 1 << i
	if b.open {
		c.opened |= 1 << i
	}
	for k := range b.queue {
		q := &b.queue[k]
		q.hit, q.miss = none, none
		if q.head == none {
			c.hits[k] &^= 1 << i
			c.misses[k] &^= 1 << i
			continue
		}
		if b.open {
			q.hit = c.find(q.head, b.row, true)
			q.miss = c.find(q.head, b.row, false)
		}
		c.mark(int16(i), uint8(k))
	}
}

// pending reports whether a burst of the kind waits for the place.
func (c *Controller) pending(kind uint8, bank int, row, col uint32) bool {
	if (c.busy[kind]|c.active)>>bank&1 == 0 {
		return false
	}
	b := &c.banks[bank]
	if a := b.active; a != none && c.entries[a].kind == kind && c.entries[a].row == row && c.entries[a].col == col {
		return true
	}
	for i := b.queue[kind].head; i != none; i = c.entries[i].next {
		if c.entries[i].row == row && c.entries[i].col == col {
			return true
		}
	}
	return false
}

// take gets a free entry; there is always one, because the queues are bounded.
func (c *Controller) take() int16 {
	i := c.free
	c.free = c.entries[i].next
	return i
}

func (c *Controller) give(i int16) {
	c.entries[i].next = c.free
	c.free = i
}
