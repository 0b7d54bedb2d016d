package transport

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/congestion"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/routing/deadlock"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Comp is a network node with a Core of this package.
type Comp struct {
	*network.Comp
	core *Core
}

// Network returns the simulated network.
func (c *Comp) Network() *Network { return c.core.Network }

// NewComp makes a node. The name must be valid for Akita. payload and header are the bytes of a
// full packet.
func NewComp(name string, e sim.Engine, s channel.Spec, t Settings, payload, header int, seed uint64) (*Comp, error) {
	top, route, err := s.Plan()
	if err != nil {
		return nil, err
	}
	a, err := t.Congestion.make()
	if err != nil {
		return nil, err
	}
	for _, class := range []topology.Class{topology.Terminal, topology.Local, topology.Global} {
		if l := s.Link(class); l.Rate > 0 && l.Rate < channel.LeastRate {
			return nil, fmt.Errorf("%s rate is %g B/cycle (want 0 or at least %g)", class, l.Rate, channel.LeastRate)
		}
	}
	if u, ok := route.(routing.ViewUser); ok {
		if _, rate := u.ViewUse(); rate {
			return nil, fmt.Errorf("the routing reads the load of channels, which networks with congestion do not count (want another routing)")
		}
	}
	if t.Queue.PFC.Pause > 0 {
		if err := pausable(top, route); err != nil {
			return nil, err
		}
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails, see hash.Hash
	k := s.Clock.Clock
	cfg := Config{
		Topology: top, Routing: route, Algorithm: a,
		Terminal: s.Link(topology.Terminal), Local: s.Link(topology.Local), Global: s.Link(topology.Global),
		Router: int(s.Router.Latency.In(k)), Width: int(s.Width), Store: s.Switching == channel.StoreAndForward,
		Period: k.Nanoseconds(1), Seed: seed ^ h.Sum64(),
		Packet: payload, Header: header, Ack: int(t.Acks.Size), Every: int(t.Acks.Every), Mixed: !t.Acks.Priority, InOrder: t.inOrder(a),
		Trim: int(t.Queue.Trim), Mark: t.Queue.ECN, Pause: int(t.Queue.PFC.Pause), Resume: int(t.Queue.PFC.Resume),
	}
	cfg.complete(&t, a)
	c := &Comp{Comp: network.New(name, e, s.Spec, top)}
	c.core = NewCore(New(cfg), c.Comp)
	c.Use(c.core, c.core.Network.declare)
	for _, text := range cfg.assumptions(&t, a) {
		c.Assume(name + ": " + text)
	}
	return c, nil
}

// budget bounds the decisions that are followed before a run, some seconds' worth.
const budget = 10_000_000

// pausable returns an error if channels that pause each other may wait in a cycle.
func pausable(t topology.Topology, a routing.Algorithm) error {
	if n := a.Classes(); n > 1 {
		return fmt.Errorf("queue.pfc pauses all data of a channel, and the routing needs %d classes of virtual channels to be free of deadlock (want a routing with one, or no pfc)", n)
	}
	proof, err := deadlock.Check(t, a, budget)
	if err == nil && proof.Cycle != nil {
		err = fmt.Errorf("channels that pause each other (queue.pfc) may wait forever: %s", proof)
	}
	return err
}

// complete fills in what the keys leave open.
func (c *Config) complete(s *Settings, a congestion.Algorithm) {
	probe := New(*c)
	trip := probe.farthest()
	product := trip * probe.rate(probe.first)
	switch {
	case s.Queue.Size != nil:
		c.Size = int(*s.Queue.Size)
	case c.Pause > 0:
	case c.Trim > 0:
		c.Size = c.packets(product)
	default:
		c.Size = c.packets(5 * product)
	}
	if s.Queue.ECN == (ECN{}) {
		c.Mark.Share = 1
	}
	if e := &c.Mark; a.Needs().Marks && e.Max == 0 {
		if e.Max = units.Bytes(c.packets(0.8 * product)); e.Min == 0 {
			e.Min = units.Bytes(c.packets(0.2 * product))
		}
		e.Max = max(e.Max, e.Min)
	}
	if c.Pause > 0 && c.Resume == 0 {
		c.Resume = max(c.Pause*4/5, 1)
	}
	c.Reorder = 3 // RFC 5681: three duplicate acknowledgements
	if s.Retransmission.Reorder != nil {
		c.Reorder = *s.Retransmission.Reorder
	}
	c.Timeout, c.Trip = float64(s.Retransmission.Timeout)/float64(units.Nanosecond), trip
}

// packets rounds bytes up to full packets.
func (c *Config) packets(bytes float64) int {
	return c.full() * int(math.Ceil(bytes/float64(c.full())))
}

// assumptions are sentences on what the keys left open.
func (c *Config) assumptions(s *Settings, a congestion.Algorithm) (out []string) {
	if s.Queue.Size == nil && c.Size > 0 {
		out = append(out, fmt.Sprintf("queues hold %s, by the bandwidth-delay product (queue.size)", units.Bytes(c.Size)))
	}
	if s.Queue.ECN.Max == 0 && a.Needs().Marks {
		out = append(out, fmt.Sprintf("packets are marked from %s to %s waiting, by the bandwidth-delay product (queue.ecn)", c.Mark.Min, c.Mark.Max))
	}
	return out
}
