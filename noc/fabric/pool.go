package fabric

import "github.com/causeway-sim/causeway/noc/allocator"

// Virtual channels of an input port have room of their own, Depth, and may use
// Shared flits of the port beyond that, first come first served. A sender knows
// what it has sent and not been credited for, by virtual channel: what exceeds
// Depth is in the shared part, or on the way there. A virtual channel that finds
// the shared part full still has its own room, so sharing closes no cycle.

// fits reports whether flits more find room in a virtual channel that so many were
// sent to, where pool of its port are in the shared part.
func (n *Network) fits(used, pool, flits int32) bool {
	return used+flits <= n.depth || pool+max(0, used+flits-n.depth)-max(0, used-n.depth) <= n.most-n.depth
}

// charge counts a flit that is sent.
func (n *Network) charge(used, pool *int32) {
	if *used++; *used > n.depth {
		*pool++
	}
}

// refund counts a credit.
func (n *Network) refund(used, pool *int32) {
	if *used > n.depth {
		*pool--
	}
	*used--
}

// claim holds room for whole packets, which virtual cut-through promises: without
// it others could take the shared part meanwhile. Grants that find no room any more
// are dropped.
func (n *Network) claim(r int, granted []allocator.Request) []allocator.Request {
	keep := granted[:0]
	for _, g := range granted {
		at := r*n.pv + int(g.In)
		flits := n.pool.at(n.lanes[at].front >> flitShift).flits
		o := r*n.p + int(n.portOf[g.Out])
		used, pool := &n.lanes[o*n.v+int(n.vcOf[g.Out])].used, &n.ports[o].pool
		if !n.fits(*used, *pool, flits) {
			continue
		}
		for range flits {
			n.charge(used, pool)
		}
		keep = append(keep, g)
	}
	return keep
}

// poolOf is the shared part that virtual channels of a port use.
func (n *Network) poolOf(used []int32) (pool int32) {
	for _, u := range used {
		pool += max(0, u-n.depth)
	}
	return pool
}
