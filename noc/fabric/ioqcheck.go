package fabric

import (
	"fmt"

	"github.com/causeway-sim/causeway/noc/topology"
)

// check is Network.Check for whole packets.
func (q *ioq) check() error {
	n := q.n
	used, sent := make([]int32, len(n.lanes)), make([]int32, len(n.sent))
	var flits uint64
	before := func(lane int, flits int32) { // in the buffer of an input, or on the way there
		if p := &n.ports[lane/n.v]; p.terminal {
			sent[int(p.peer)*n.v+lane%n.v] += flits
		} else {
			used[int(p.peer)*n.v+lane%n.v] += flits
		}
	}
	each := func(first int32, f func(*packet)) {
		for id := first; id != 0; id = n.pool.at(id).next {
			f(n.pool.at(id))
			flits += uint64(n.pool.at(id).flits)
		}
	}
	for i := range q.lanes {
		each(q.lanes[i].first, func(p *packet) { before(i, p.flits) })
	}
	for o := range q.outs {
		behind := int32(0)
		each(q.outs[o].first, func(p *packet) {
			behind += p.flits
			if !n.ports[o].terminal {
				used[o*n.v+int(p.vc)] += p.flits
			}
		})
		if behind != q.outs[o].used || int(behind) > n.cfg.OutputDepth {
			return fmt.Errorf("fabric: router %d port %d: %d flits behind the switch, %d found, room for %d", o/n.p, o%n.p, q.outs[o].used, behind, n.cfg.OutputDepth)
		}
	}
	for i := range q.wheel {
		s := &q.wheel[i]
		for _, a := range s.arrive {
			flits += uint64(n.pool.at(a.flit).flits)
			before(int(a.lane), n.pool.at(a.flit).flits)
		}
		for _, id := range s.deliver {
			flits += uint64(n.pool.at(id).flits)
		}
		for _, c := range s.credits {
			used[c.lane] += c.flit
		}
	}
	if flits != n.InFlight() {
		return fmt.Errorf("fabric: %d flits injected, %d come, %d in the network", n.InFlight()+n.Ejected(), n.Ejected(), flits)
	}
	for i := range n.lanes {
		depth := n.cfg.Depth
		if n.ports[i/n.v].global {
			depth = n.cfg.DepthOf(topology.Global)
		}
		if n.lanes[i].used != used[i] || int(used[i]) > depth {
			return fmt.Errorf("fabric: router %d port %d VC %d: %d flits without credit, %d of them found, room for %d", i/n.pv, i%n.pv/n.v, i%n.v, n.lanes[i].used, used[i], depth)
		}
	}
	for i := range n.sent {
		if n.sent[i] != sent[i] {
			return fmt.Errorf("fabric: terminal %d VC %d: %d flits without credit, %d of them found", i/n.v, i%n.v, n.sent[i], sent[i])
		}
	}
	return nil
}
