package ranks

import (
	"fmt"
	"math/rand/v2"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Placements of ranks on the linked ports, which is to say the terminals of a
// network.
const (
	Linear = topology.InOrder
	Random = topology.AtRandom
	Router = topology.ByRouter
	Group  = topology.ByGroup
	Spread = topology.Spread
)

// PlacementNames lists the placements.
func PlacementNames() []string { return topology.Placements() }

// A place is where a port is.
type place struct {
	linked   bool
	terminal int               // of the network, -1 if it is none
	network  topology.Topology // nil without
	reducer  topology.Reducer  // nil if the network never adds up
	channel  system.Limiter    // the network, nil if it has channels of another kind
}

// limit lowers the rate of the network's channel to the terminal to that of its interface,
// where nothing else is at the terminal, and returns the rate that the channel has; 0 is
// without limit.
func (p *place) limit(b units.Bandwidth) units.Bandwidth {
	if p.channel == nil {
		return 0
	}
	return p.channel.Limit(p.terminal, b)
}

// placeOf is where a port with these peers is.
func placeOf(peers []system.Peer) place {
	s := place{linked: true}
	s.terminal, s.network = seat.TerminalOf(peers)
	for _, p := range peers {
		if _, ok := p.Node.(topology.Holder); ok && p.Hops == 0 {
			s.reducer, _ = p.Node.(topology.Reducer)
			s.channel, _ = p.Node.(system.Limiter)
		}
	}
	return s
}

// arrange puts ports into the order that ranks take them.
func arrange(placement string, list []int32, places []place, rng *rand.Rand) ([]int32, error) {
	return topology.Arrange(placement, list, func(p int32) (int, error) {
		if int(p) >= len(places) || places[p].network == nil {
			return 0, fmt.Errorf("placement %s needs a network; port nic[%d] is linked to none", placement, p)
		}
		return topology.PartOf(places[p].network, placement, places[p].terminal)
	}, rng)
}
