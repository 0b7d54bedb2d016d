package memlink

import "github.com/causeway-sim/causeway/components/ring"

// The two directions of a link.
const (
	away = iota // from the requester to the far end
	home        // back
)

// A linkPacket waits to go on the link: to the far end it is a packet of operation index, from there
// packet index.
type linkPacket struct {
	index       int32
	size        uint64 // on the link
	addr, bytes uint64 // of the data that it brings or asks for, to the far end
	since       uint64 // when it was ready
}

// A gate holds packets back until the receiver has room for them, in order.
type gate struct {
	limited bool
	free    int
	queue   ring.Of[linkPacket]
	held    uint64 // packets that waited
	wait    uint64 // ps, of all of them
}

func newGate(credits int) gate { return gate{limited: credits > 0, free: credits} }

// offer sends a packet, or has it wait for a credit.
func (c *Comp) offer(way int, x linkPacket, t uint64) {
	g := &c.gates[way]
	if g.limited {
		if g.free == 0 {
			g.queue.Push(x)
			return
		}
		g.free--
	}
	c.send(way, x, t)
}

// repay returns credits of a direction, for n packets that have left the buffer of its receiver.
func (c *Comp) repay(way, n int, t uint64) {
	if !c.gates[way].limited {
		return
	}
	for range n {
		c.events.Add(t+c.delay.flight, event{int32(way), evCredit})
	}
}

// pass takes a credit that is back.
func (c *Comp) pass(way int, t uint64) {
	g := &c.gates[way]
	if g.queue.Len() == 0 {
		g.free++
		return
	}
	x := g.queue.Pop()
	g.held++
	g.wait += t - x.since
	c.send(way, x, t)
}

// starved is true while a packet waits for a credit.
func (c *Comp) starved() bool { return c.gates[away].queue.Len()+c.gates[home].queue.Len() > 0 }
