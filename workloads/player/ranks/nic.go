package ranks

import (
	"math"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// A nic is the network interface of a rank, each way on its own.
type nic struct {
	NIC
	clock    clock.Clock
	wire     units.Bandwidth // of the link: of the network's terminal, or 0
	overhead uint64          // in cycles
	tx, rx   memory.Serializer
	sent     uint64            // cycle in which it has sent all so far
	taken    uint64            // and taken all so far
	out      ring.Of[*Message] // what the link has no room for
	bytes    uint64            // sent
	messages uint64            // sent
	// overheads and transfers are the cycles of what it was given to send
	overheads, transfers uint64
	lanes                []lane // none without nic.interfaces
	stream               stream
}

func newNIC(n NIC, c clock.Clock) nic {
	out := nic{NIC: n, clock: c, overhead: n.Overhead.In(c), tx: n.Serializer(c), rx: n.Serializer(c), lanes: make([]lane, n.Interfaces)}
	for i := range out.lanes {
		out.lanes[i].tx, out.lanes[i].rx = n.Serializer(c), n.Serializer(c)
	}
	return out
}

// slower reports whether the link is faster than the interface, which then counts bytes
// itself: it is without a network, or others share the terminal.
func (n *nic) slower() bool { return n.Bandwidth > 0 && (n.wire == 0 || n.wire > n.Bandwidth) }

// time is the cycles that bytes take at a rate; 0 is without limit.
func (n *nic) time(rate units.Bandwidth, bytes uint64) uint64 {
	if rate == 0 {
		return 0
	}
	return n.clock.Cycles(8*min(bytes, math.MaxUint64/8), uint64(rate))
}

// send is the cycle in which the link gets a message that is given to the interface now.
//
// With cut-through a link that is no faster than the interface gets it with its first byte,
// an overhead after the one before, and deals with several as if there were no interface. A
// faster one, which the interface could not slow down, gets it so late that the last byte
// leaves both at once.
func (n *nic) send(now, bytes uint64) uint64 {
	begin := max(n.sent, now) + n.overhead
	n.sent = begin
	switch {
	case n.Switching == seat.StoreAndForward:
		n.sent = n.tx.Transfer(begin, bytes)
		return n.sent
	case n.slower():
		left := n.tx.Transfer(begin, bytes)
		return left - min(left-begin, n.time(n.wire, bytes))
	}
	return begin
}

// take is the cycle in which a message of another interface has passed whose last byte
// arrives now. With cut-through its bytes have passed while they came; where the link is
// faster than the interface they take their turn at the interface's rate besides.
func (n *nic) take(from *nic, now, bytes uint64) uint64 {
	if n.Switching == seat.StoreAndForward {
		n.taken = n.rx.Transfer(max(n.taken, now)+n.overhead, bytes)
		return n.taken
	}
	through := now
	if n.slower() {
		coming := max(n.time(n.wire, bytes), n.time(from.Bandwidth, bytes))
		through = max(now, n.rx.Transfer(now-min(now, coming), bytes))
	}
	n.taken = max(n.taken, through) + n.overhead
	return n.taken
}
