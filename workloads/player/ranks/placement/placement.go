// Package placement assigns ports of a player to ranks: in order, at random, or by the router or
// group of the network to which the ports are linked.
//
// # Left out
//
// Which node a rank runs on (workloads/player/seat), and the cost of the network.
package placement

import (
	"fmt"
	"math/rand/v2"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Placements of ranks on the linked ports, which are terminals of a network.
const (
	Linear = topology.InOrder
	Random = topology.AtRandom
	Router = topology.ByRouter
	Group  = topology.ByGroup
	Spread = topology.Spread
)

// Names lists the placements.
func Names() []string { return topology.Placements() }

// A Port describes the other end of a player's port. The zero value is an unlinked port.
type Port struct {
	Linked   bool
	Terminal int               // of the network, -1 if it is none
	network  topology.Topology // nil without
	Reducer  topology.Reducer  // nil if the network never adds up
	Sprayer  topology.Sprayer  // nil if the network never spreads packets
	Channel  system.Limiter    // the network, nil if it has channels of another kind
	Folder   network.Folder    // nil if the network simulates each terminal
}

// Limit lowers the rate of the network's channel at the terminal to that of the interface, unless
// the terminal is shared. It returns the rate of the channel; 0 is no limit.
func (p *Port) Limit(b units.Bandwidth) units.Bandwidth {
	if p.Channel == nil {
		return 0
	}
	return p.Channel.Limit(p.Terminal, b)
}

// Of returns the Port with these peers.
func Of(peers []system.Peer) Port {
	s := Port{Linked: true}
	s.Terminal, s.network = seat.TerminalOf(peers)
	for _, p := range peers {
		if _, ok := p.Node.(topology.Provider); ok && p.Hops == 0 {
			s.Reducer, _ = p.Node.(topology.Reducer)
			s.Sprayer, _ = p.Node.(topology.Sprayer)
			s.Channel, _ = p.Node.(system.Limiter)
			s.Folder, _ = p.Node.(network.Folder)
		}
	}
	return s
}

// Arrange returns the ports of list in the order in which ranks take them. It is an error if the
// placement needs a network and a port is linked to none, or if there is no such placement.
func Arrange(placement string, list []int32, places []Port, rng *rand.Rand) ([]int32, error) {
	return topology.Arrange(placement, list, func(p int32) (int, error) {
		if int(p) >= len(places) || places[p].network == nil {
			return 0, fmt.Errorf("placement %s needs a network; port nic[%d] is linked to none", placement, p)
		}
		return topology.PartOf(places[p].network, placement, places[p].Terminal)
	}, rng)
}
