package fabric

import (
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/network"
)

// wrap notes that the count of flits sent out of a port has begun anew. The count is
// short, so that a port fills one line of a processor's cache and not two.
func (p *part) wrap(port int) {
	if p.wraps == nil {
		p.wraps = map[int]uint64{}
	}
	p.wraps[port]++
}

// Carried is the number of flits sent out of a port of a router.
func (n *Network) Carried(router, port int) uint64 {
	o := router*n.p + port
	c := n.owner(o).wraps[o]<<32 + uint64(n.ports[o].carried)
	if n.total != nil {
		c += n.total[o] - n.last[o]
	}
	return c
}

// noted brings total up to date, to which a run that repeats what happened adds.
func (n *Network) noted() {
	if n.total == nil {
		n.total, n.last = make([]uint64, len(n.ports)), make([]uint64, len(n.ports))
	}
	for o := range n.ports {
		c := n.owner(o).wraps[o]<<32 + uint64(n.ports[o].carried)
		n.total[o], n.last[o] = n.total[o]+c-n.last[o], c
	}
}

// Busy is the largest number of cycles that a channel between routers was or is
// going to be busy, the sum over all of them, and how many there are, each direction
// one.
func (n *Network) Busy() (most, sum float64, channels int) {
	for i := range n.ports {
		p := &n.ports[i]
		if p.terminal || p.peer == none {
			continue
		}
		b := float64(n.Carried(i/n.p, i%n.p)) * float64(p.interval) / setting.Tick
		most, sum = max(most, b), sum+b
		channels++
	}
	return most, sum, channels
}

// CountStalls makes the network count, per channel, the cycles in which a flit that
// holds a virtual channel of it did not leave. Routers of queueing input_output do not
// count them.
func (n *Network) CountStalls() {
	if n.ioq == nil && n.stalls == nil {
		n.stalls = make([]uint64, len(n.ports))
	}
}

// EachChannel implements network.Channeled.
func (n *Network) EachChannel(f func(router, port int, use network.Use)) {
	for i := range n.ports {
		p := &n.ports[i]
		if p.peer == none {
			continue
		}
		u := network.Use{Flits: n.Carried(i/n.p, i%n.p), Stalls: -1}
		u.Busy = float64(u.Flits) * float64(p.interval) / setting.Tick
		if n.stalls != nil {
			u.Stalls = float64(n.stalls[i])
		}
		f(i/n.p, i%n.p, u)
	}
}
