package ranks

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Placements of ranks on the linked ports, which is to say the terminals of a
// network.
const (
	Linear = "linear" // rank i at the i-th terminal
	Random = "random" // at any
	Router = "router" // routers in random order, each with consecutive ranks
	Group  = "group"  // groups of routers in random order, each with consecutive ranks
	Spread = "spread" // consecutive ranks in consecutive groups
)

// PlacementNames lists the placements.
func PlacementNames() []string { return []string{Linear, Random, Router, Group, Spread} }

// A place is where a port is.
type place struct {
	linked   bool
	terminal int               // of the network, -1 if it is none
	network  topology.Topology // nil without
}

// SetPeers implements system.Neighbour: it tells which terminal a port is at.
func (c *Comp) SetPeers(port string, peers []system.Peer) error {
	var i int
	if _, err := fmt.Sscanf(port, "nic[%d]", &i); err != nil || i >= len(c.list) {
		return fmt.Errorf("no port %q", port)
	}
	for len(c.places) < len(c.list) {
		c.places = append(c.places, place{terminal: -1})
	}
	c.places[i] = placeOf(peers)
	if c.program != nil && c.seated() {
		return c.settle()
	}
	return nil
}

// placeOf is where a port with these peers is.
func placeOf(peers []system.Peer) place {
	s := place{linked: true, terminal: -1}
	for _, p := range peers {
		n, ok := p.Node.(topology.Holder)
		if !ok || p.Hops > 0 {
			continue
		}
		if _, err := fmt.Sscanf(p.Local, "terminal[%d]", &s.terminal); err == nil {
			s.network = topology.Intact(n.Topology())
		}
	}
	return s
}

// seated reports whether all ports are linked and known.
func (c *Comp) seated() bool {
	for _, s := range c.places {
		if !s.linked {
			return false
		}
	}
	return len(c.places) > 0
}

// settle gives each rank its port.
func (c *Comp) settle() error {
	var list []int32
	if c.places == nil { // outside of a system all ports are taken as they are
		for i := range c.list {
			list = append(list, int32(i))
		}
	}
	for i, s := range c.places {
		if s.linked {
			list = append(list, int32(i))
		}
	}
	if len(list) < len(c.ranks) {
		return c.fail("there are %d ranks and %d ports linked to terminals", len(c.ranks), len(list))
	}
	list, err := c.arrange(list)
	if err != nil {
		return err
	}
	c.port = list[:len(c.ranks)]
	c.rankAt = make([]int32, len(c.list))
	for i := range c.rankAt {
		c.rankAt[i] = -1
	}
	for rank, p := range c.port {
		c.rankAt[p] = int32(rank)
	}
	return c.sit()
}

// arrange puts ports into the order that ranks take them.
func (c *Comp) arrange(list []int32) ([]int32, error) {
	rng := rand.New(rand.NewPCG(0, 0))
	if c.random != nil {
		rng = c.random()
	}
	switch c.spec.Placement {
	case Random:
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list, nil
	case Router, Group, Spread:
	default:
		return list, nil
	}
	where := func(p int32) (int, error) {
		if int(p) >= len(c.places) || c.places[p].network == nil {
			return 0, c.fail("placement %s needs a network; port nic[%d] is linked to none", c.spec.Placement, p)
		}
		s := c.places[p]
		r, _ := s.network.Home(s.terminal)
		if c.spec.Placement == Router {
			return r, nil
		}
		g, ok := s.network.(topology.Grouped)
		if !ok {
			return 0, c.fail("placement %s needs a network with groups of routers (want one of: linear, random, router)", c.spec.Placement)
		}
		return g.Group(r), nil
	}
	var parts [][]int32
	at := map[int]int{}
	for _, p := range list {
		k, err := where(p)
		if err != nil {
			return nil, err
		}
		i, ok := at[k]
		if !ok {
			i = len(parts)
			at[k] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], p)
	}
	if c.spec.Placement == Spread {
		out := list[:0:0]
		for i := 0; len(out) < len(list); i++ {
			for _, part := range parts {
				if i < len(part) {
					out = append(out, part[i])
				}
			}
		}
		return out, nil
	}
	rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return slices.Concat(parts...), nil
}
