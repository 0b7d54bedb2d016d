package fabric

import "math/bits"

// Where heads may pass a router (see fuses), those that compete mostly ask for one virtual
// channel and one output each, one per input. Then only outputs choose, each the request
// nearest to its pointer, whatever the allocator: no input has two grants to choose from. All
// other cases are left to the allocator.

// A bid is a request: of an input lane for an output lane, or of an input port for an output
// port, and then of a lane of the input.
type bid struct{ in, out, lane int16 }

// contend takes both allocation steps of a router in this cycle, as work does.
func (p *part) contend(r int) {
	m := &p.n.masks[r]
	for step := range 2 {
		alloc, ready := m.alloc, m.ready
		if alloc|ready == 0 {
			break
		}
		grants := p.grants[:0] // take effect last, see work
		if try := alloc &^ m.vain; try != 0 {
			grants = p.bidForLanes(r, try)
		}
		if ready != 0 {
			p.bidForPorts(r, ready, step == 1)
		}
		for _, g := range grants {
			p.n.hold(r, int(g.in), int(g.out))
		}
	}
	p.n.crowds[r] = contenders{}
	if m.alloc|m.ready == 0 {
		p.rest(r)
	} else {
		p.n.crowdAt(r, m)
	}
}

// bidForLanes matches waiting lanes with free output lanes.
func (p *part) bidForLanes(r int, waiting uint64) []bid {
	n := p.n
	bids := p.grants[:0]
	outs := uint64(0)
	m, lanes, ports := &n.masks[r], n.lanes[r*n.pv:][:n.pv], n.ports[r*n.p:][:n.p]
	for set := waiting; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		l := &lanes[i]
		free := l.lanes() &^ ports[l.out()].busy
		if free == 0 {
			m.vain |= set & -set
			continue
		}
		if free&(free-1) != 0 {
			return p.matchLanes(r)
		}
		b := bid{int16(i), int16(l.out()*n.v + bits.TrailingZeros32(free)), 0}
		if outs>>(b.out&63)&1 == 0 {
			outs |= 1 << (b.out & 63)
			bids = append(bids, b)
			continue
		}
		for k := range bids {
			if x := &bids[k]; x.out == b.out && p.lanesAlloc.Prefers(r-p.first, b.out, b.in, x.in) {
				*x = b
			}
		}
	}
	for i := range bids {
		p.lanesAlloc.Advance(r-p.first, bids[i].in, bids[i].out)
	}
	p.grants = bids[:0]
	return bids
}

// matchLanes leaves the matter to the allocator.
func (p *part) matchLanes(r int) []bid {
	bids := p.grants[:0]
	for _, q := range p.allocate(r) {
		bids = append(bids, bid{q.In, q.Out, 0})
	}
	p.grants = bids[:0]
	return bids
}

// bidForPorts matches inputs with outputs and sends a flit over each match.
func (p *part) bidForPorts(r int, ready uint64, last bool) {
	n := p.n
	bids := p.bids[:0]
	lanes := n.lanes[r*n.pv:][:n.pv]
	var ins, outs uint32
	for set := ready; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		l := &lanes[i]
		out, vc := l.out(), int(l.outVC)
		if lanes[out*n.v+vc].used >= n.depth && p.full(r*n.p+out, vc) {
			continue
		}
		b := bid{n.portOf[i], int16(out), int16(i)}
		if ins>>(b.in&31)&1 != 0 {
			p.switchLanes(r, last)
			return
		}
		ins |= 1 << (b.in & 31)
		if outs>>(out&31)&1 == 0 {
			outs |= 1 << (out & 31)
			bids = append(bids, b)
			continue
		}
		for k := range bids {
			if x := &bids[k]; x.out == b.out && p.switchAlloc.Prefers(r-p.first, b.out, b.in, x.in) {
				*x = b
			}
		}
	}
	p.bids = bids[:0]
	for i := range bids {
		b := &bids[i]
		p.switchAlloc.Advance(r-p.first, b.in, b.out)
		p.cross(r, int(b.lane), int(b.out), last)
	}
}
