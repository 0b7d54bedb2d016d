package channel

import (
	"fmt"

	"github.com/causeway-sim/causeway/noc/network"
)

// Hops returns the channels between routers that packets have entered.
func (n *Network) Hops() uint64 { return n.hops }

// Packets returns the packets that have arrived.
func (n *Network) Packets() uint64 { return n.moved }

// Bytes returns the bytes sent through a port of a router, or queued there.
func (n *Network) Bytes(router, port int) uint64 {
	return n.use(n.base[router] + int32(port)).bytes
}

// Bounded reports whether buffers are bounded, so that packets wait for room.
func (n *Network) Bounded() bool { return n.lanes != nil }

// Busy returns the most busy cycles of a channel between routers, past and scheduled, and the sum
// over all of them.
func (n *Network) Busy() (most, sum float64) {
	for i := range n.first {
		if l := n.use(i); l.to != none && !l.in {
			b := float64(l.busy) / Tick
			most, sum = max(most, b), sum+b
		}
	}
	return most, sum
}

// Channels returns the number of channels between routers, by direction.
func (n *Network) Channels() int {
	k := 0
	for i := range n.links[:n.first] {
		if n.links[i].to != none && !n.links[i].in {
			k++
		}
	}
	return k
}

// Check returns an error if a message or a credit was lost. It is for a network in which all
// messages have arrived.
func (n *Network) Check() error {
	if n.sent != n.arrived {
		return fmt.Errorf("channel: %d messages sent, %d arrived", n.sent, n.arrived)
	}
	n.settle()
	for i := range n.links {
		if p := n.links[i].pending; p != 0 {
			return fmt.Errorf("channel: link %d counts %d flits, but nothing is on the way", i, p)
		}
	}
	for i := range n.lanes {
		if u := n.lanes[i].used; u != 0 {
			return fmt.Errorf("channel: link %d class %d: room for %d flits is not free again", i/n.classes, i%n.classes, u)
		}
	}
	for i, p := range n.perClass {
		if p != 0 {
			return fmt.Errorf("channel: link %d counts %d flits of class %d, but nothing is on the way", i/n.classes, p, i%n.classes)
		}
	}
	return nil
}

// EachChannel implements network.Channeled.
func (k *Core) EachChannel(f func(router, port int, use network.Use)) { k.Network.eachChannel(f) }

func (n *Network) eachChannel(f func(router, port int, use network.Use)) {
	t := n.cfg.Topology
	for r := range t.Routers() {
		for p := range t.Ports(r) {
			if l := n.use(n.base[r] + int32(p)); l.to != none {
				f(r, p, network.Use{Busy: float64(l.busy) / Tick, Flits: l.flits, Stalls: float64(l.stalls) / Tick})
			}
		}
	}
}

// Resent returns the packets that a router sent again because a channel failed.
func (n *Network) Resent() uint64 { return n.out.resent }
