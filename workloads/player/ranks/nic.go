package ranks

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/memory"
)

// A nic is the network interface of a rank: it passes one message after the other, each
// way on its own.
type nic struct {
	NIC
	overhead uint64 // in cycles
	tx, rx   memory.Serializer
	sent     uint64            // cycle in which it has sent all so far
	taken    uint64            // and taken all so far
	out      ring.Of[*Message] // what the link has no room for
	bytes    uint64            // sent
	messages uint64            // sent
	lanes    []lane            // none without nic.interfaces
	stream   stream
}

func newNIC(n NIC, c clock.Clock) nic {
	out := nic{NIC: n, overhead: n.Overhead.In(c), tx: n.Serializer(c), rx: n.Serializer(c), lanes: make([]lane, n.Interfaces)}
	for i := range out.lanes {
		out.lanes[i].tx, out.lanes[i].rx = n.Serializer(c), n.Serializer(c)
	}
	return out
}

// send is the cycle in which a message given to it now has passed.
func (n *nic) send(now, bytes uint64) uint64 {
	n.sent = n.tx.Transfer(max(n.sent, now)+n.overhead, bytes)
	return n.sent
}

// take is the cycle in which a message that arrives now has passed.
func (n *nic) take(now, bytes uint64) uint64 {
	n.taken = n.rx.Transfer(max(n.taken, now)+n.overhead, bytes)
	return n.taken
}
