package ranks

import "math"

// A deed is the activity of a rank at an instant: the first of the list that applies.
type activity uint8

const (
	computing activity = iota
	summing            // sums, copies, loads and stores in its own memory, and begins of collectives
	injecting          // its interface takes bytes and overheads of what it sends
	fetching           // its memory reads or writes what it sends, receives or adds up
	lacking            // it waits for a rank that has not begun the collective or the send
	awaiting           // it waits for messages of ranks that have
	asleep             // it is a straggler that has not begun
	resting            // it is an agent that has nothing to do
	deeds
)

// A book has the cycles of a rank by deed. An interval of waiting is divided when a message
// ends it: only then it is known when the sender began.
type book struct {
	cycles  [deeds]uint64
	upto    uint64 // cycle up to which they are booked
	units   int32  // that compute
	sums    int32  // under way
	pieces  int32  // that its memory reads or writes
	ops     int32  // of an agent, that it was asked for and has not ended
	rests   bool   // it is an agent without any
	through uint64 // cycle up to which the interface takes what was sent so far
}

// book gives a rank's cycles up to now to what it did. What it waited for cannot have come
// sooner than from cycle since on; 0 where that is not known.
func (c *Comp) book(rank int32, since uint64) {
	b := &c.ranks[rank].book
	at := b.upto
	if at >= c.now {
		return
	}
	b.upto = c.now
	switch {
	case b.rests:
		b.cycles[resting] += c.now - at
		return
	case b.units > 0:
		b.cycles[computing] += c.now - at
		return
	case b.sums > 0:
		b.cycles[summing] += c.now - at
		return
	}
	if to := min(b.through, c.now); to > at {
		b.cycles[injecting] += to - at
		at = to
	}
	if b.pieces > 0 {
		b.cycles[fetching] += c.now - at
		return
	}
	if to := min(since, c.now); to > at {
		b.cycles[lacking] += to - at
		at = to
	}
	b.cycles[awaiting] += c.now - at
}

// inject records that the interface of a rank takes a number of bytes.
func (c *Comp) inject(rank int32, bytes uint64) {
	c.book(rank, 0)
	b, n := &c.ranks[rank].book, &c.ranks[rank].nic
	overhead, transfer := n.costs(bytes)
	b.through = max(b.through, c.now) + overhead + transfer
	n.overheads += overhead
	n.transfers += transfer
}

// costs is the number of cycles that the interface spends on sending a message, over its lanes.
func (n *nic) costs(bytes uint64) (overhead, transfer uint64) {
	rate, side := n.wire, uint64(max(1, len(n.lanes)))
	if n.slower() {
		rate = n.Bandwidth
	}
	return n.overhead / side, n.time(rate, bytes) / side
}

// sum books that something begins (1) or ends (-1) in the memory of a rank.
func (c *Comp) sum(rank, more int32) {
	c.book(rank, 0)
	c.ranks[rank].book.sums += more
}

// wakes books the cycles of a straggler before it begins.
func (c *Comp) wakes(rank int32) {
	b := &c.ranks[rank].book
	b.cycles[asleep] += c.now - b.upto
	b.upto = c.now
}

// fetch books that a memory begins (1) or ends (-1) to move a piece for a rank.
func (c *Comp) fetch(rank, more int32) {
	c.book(rank, 0)
	c.ranks[rank].book.pieces += more
}

// asks records that an operation of an agent is issued, or that one has ended (-1).
func (c *Comp) asks(rank int32, more int) {
	c.book(rank, 0)
	b := &c.ranks[rank].book
	b.ops += int32(more)
	b.rests = b.ops == 0
}

// gathered is the cycle in which the last member entered a collective; the largest where some
// are missing.
func (c *Comp) gathered(inst int32) uint64 {
	if int(inst) >= len(c.entries) {
		return math.MaxUint64
	}
	return c.entries[inst]
}

// enters records that a member has entered a collective with a number of missing members.
func (c *Comp) enters(inst int32, missing int) {
	for int(inst) >= len(c.entries) {
		c.entries = append(c.entries, 0)
	}
	c.entries[inst] = c.now
	if missing > 0 {
		c.entries[inst] = math.MaxUint64
	}
}
