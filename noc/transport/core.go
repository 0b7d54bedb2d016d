package transport

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/network"
)

// Depth is the messages that a terminal has not sent whole; more wait on the link.
//
// assumption: an interface has a queue for each of its connections.
const Depth = 1 << 16

// A Core is a Network as the core of a network node.
type Core struct {
	Network *Network
	shell   *network.Comp
	arrived func(Arrival)
}

var _ network.Core = (*Core)(nil)

// lastCycle is the last one in which an event may be: what it adds ends within 64 bits of ticks.
const lastCycle = 1 << (62 - tickBits)

// NewCore joins a network and a shell of the same topology.
func NewCore(n *Network, shell *network.Comp) *Core {
	k := &Core{Network: n, shell: shell}
	k.arrived = func(a Arrival) { k.shell.Arrive(a.ID, a.Injected, a.Hops) }
	return k
}

// Room implements network.Core.
func (k *Core) Room(terminal int) bool { return k.Network.Waiting(terminal) < Depth }

// Take implements network.Core.
func (k *Core) Take(cycle uint64, m network.Message) {
	k.Network.Send(m.ID, m.Src, m.Dst, int64(m.Bytes), cycle)
}

// Advance implements network.Core.
func (k *Core) Advance(cycle uint64) (uint64, error) {
	if cycle > lastCycle {
		return 0, fmt.Errorf("simulated time goes beyond %.3g s, which is as far as the ticks of a network with congestion count (want a slower clock or faster channels)", lastCycle*k.Network.cfg.Period/1e9)
	}
	return k.Network.Advance(cycle, k.arrived), nil
}

// Hold implements network.Core: an interface takes what comes, and messages wait there.
func (k *Core) Hold(int, bool) {}

// Limit implements network.Core. A timeout that no key says is for the slowest interface.
func (k *Core) Limit(terminal int, rate float64) bool {
	n := k.Network
	rate = max(rate, channel.LeastRate)
	n.timeout = max(n.timeout, n.ticks(n.cfg.timeoutAt(rate/n.cfg.Period)))
	r, p := n.cfg.Topology.Home(terminal)
	for _, l := range []int32{n.base[r] + int32(p), n.first + int32(terminal)} {
		n.links[l].perByte = tick / rate
	}
	return true
}

// Nominal implements network.Core.
func (k *Core) Nominal() uint64 { return k.Network.Nominal() }

// Waiting implements network.Core.
func (k *Core) Waiting() (out []engine.Wait) {
	n := k.Network
	for i := range n.links {
		x := &n.links[i]
		if !x.paused || x.data.first == 0 {
			continue
		}
		out = append(out, engine.Wait{Who: k.shell.Name(), For: fmt.Sprintf("%s.router[%d]", k.shell.Name(), x.to), Why: fmt.Sprintf("%d B of data at router %d are paused", x.data.bytes, x.router)})
	}
	for i := range n.flows {
		if f := &n.flows[i]; f.acked != f.top {
			out = append(out, engine.Wait{Who: k.shell.Name(), For: fmt.Sprintf("%s.terminal[%d]", k.shell.Name(), f.dst), Why: fmt.Sprintf("%d packets of terminal %d are not acknowledged", f.top-f.acked, f.src)})
		}
	}
	return out
}

// Check implements network.Core. A run may end before the last acknowledgements.
func (k *Core) Check() error {
	c := &k.Network.count
	if c.messages != c.arrived {
		return fmt.Errorf("transport: %d messages sent, %d arrived", c.messages, c.arrived)
	}
	if k.Network.events.Len() > 0 {
		return nil
	}
	if done := c.completion.Count(); done != c.messages {
		return fmt.Errorf("transport: %d messages sent, %d complete", c.messages, done)
	}
	for i := range k.Network.links {
		if x := &k.Network.links[i]; x.held != 0 || x.data.bytes != 0 || x.control.bytes != 0 {
			return fmt.Errorf("transport: link %d counts %d B held, %d B of data and %d B of control, but nothing is on the way", i, x.held, x.data.bytes, x.control.bytes)
		}
	}
	return nil
}

// EachChannel implements network.Channeled.
func (k *Core) EachChannel(f func(router, port int, use network.Use)) {
	n, t := k.Network, k.Network.cfg.Topology
	for r := range t.Routers() {
		for p := range t.Ports(r) {
			if l := &n.links[n.base[r]+int32(p)]; l.to != none {
				f(r, p, network.Use{Busy: float64(l.busy) / tick, Flits: l.flits, Stalls: float64(l.stalls) / tick})
			}
		}
	}
}

// Spray implements network.Sprayer.
func (c *Comp) Spray(terminal, paths int) error {
	n := c.Network()
	if paths > 1 && n.cfg.InOrder {
		return fmt.Errorf("%s sends again from the first missing packet (retransmission go_back_n), and packets on several paths overtake each other (want retransmission: {name: selective})", c.Name())
	}
	n.Spray(terminal, uint32(paths))
	return nil
}
