package seat

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/noc/topology"
)

// TerminalOf returns the network terminal to which a port with these peers is linked, and the
// topology without failures; -1 and nil if it is linked to no network.
func TerminalOf(peers []system.Peer) (terminal int, t topology.Topology) {
	terminal = -1
	for _, p := range peers {
		n, ok := p.Node.(topology.Provider)
		if !ok || p.Hops > 0 {
			continue
		}
		if _, err := fmt.Sscanf(p.Local, "terminal[%d]", &terminal); err == nil {
			t = topology.Intact(n.Topology())
		}
	}
	return terminal, t
}
