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

// arrange puts ports into the order that ranks take them.
func arrange(placement string, list []int32, places []place, rng *rand.Rand) ([]int32, error) {
	switch placement {
	case Random:
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list, nil
	case Router, Group, Spread:
	default:
		return list, nil
	}
	where := func(p int32) (int, error) {
		if int(p) >= len(places) || places[p].network == nil {
			return 0, fmt.Errorf("placement %s needs a network; port nic[%d] is linked to none", placement, p)
		}
		s := places[p]
		r, _ := s.network.Home(s.terminal)
		if placement == Router {
			return r, nil
		}
		g, ok := s.network.(topology.Grouped)
		if !ok {
			return 0, fmt.Errorf("placement %s needs a network with groups of routers (want one of: linear, random, router)", placement)
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
	if placement == Spread {
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
