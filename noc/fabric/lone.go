package fabric

import (
	"math/bits"

	"github.com/causeway-sim/causeway/noc/allocator"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
)

// Most heads find their lane empty and have no competitor: no other lane of their input has
// anything to do, and none wants their output. Where a router takes two steps per cycle,
// such a head is granted its virtual channel in the first and the switch in the second
// whatever the others do, as an allocator.ArbiterBased grants what shares no end with other requests. It
// passes the router as it comes, and its lane stays empty.

// fuses reports whether heads may do so: routers have one word of lanes, two steps, no stage
// of routing and no observer of lanes, and a packet takes the same way
// whichever router of a cycle sends first.
func (n *Network) fuses() bool {
	c := &n.cfg
	alloc, _ := allocator.All.Entry(string(c.Allocator))
	return n.sourceRouting != nil && c.Speedup == 2 && n.words == 1 &&
		c.Flow == setting.Wormhole && !alloc.New.Ages && n.parts[0].lanesAlloc.Arbiters != nil &&
		n.sense.notifier == nil && n.sense.flying == nil
}

// A crowd is who wants to pass a router in a cycle: the ports of lanes that wait or come, a
// bit each, and those that are the port of several.
type contenders struct {
	ins, insTwice, outs, outsTwice uint32
	deep                           bool // a lane may have another head in the second step
}

func (c *contenders) join(in, out uint32) {
	c.insTwice |= c.ins & in
	c.outsTwice |= c.outs & out
	c.ins |= in
	c.outs |= out
}

// An arrivingHead is a head that comes into an empty lane.
type arrivingHead struct {
	lane, flit int32
	way
	where
}

// expect takes a flit that comes in this cycle: into its lane, or to those that may pass.
func (p *part) expect(lane, flit int32, w way) {
	n := p.n
	l, at := &n.lanes[lane], n.where[lane]
	c := &n.crowds[at.router]
	in := uint32(1) << ((at.port - at.router*int32(n.p)) & 31)
	if l.count == 0 && l.state == idle {
		c.join(in, 1<<(n.at(w).out()&31))
		p.arriving = append(p.arriving, arrivingHead{lane, flit, w, at})
		return
	}
	p.arrive(lane, flit, w)
	if l.state == switching {
		if l.count == 1 {
			c.join(in, 1<<(l.out()&31))
		} else {
			c.deep = true
		}
	}
}

// pass lets arriving heads without a competitor pass. The others go into their lanes.
func (p *part) pass() {
	for k := range p.arriving {
		x := &p.arriving[k]
		if !p.through(x) {
			p.arrive(x.lane, x.flit, x.way)
		}
	}
	p.arriving = p.arriving[:0]
	clear(p.n.crowds[p.first:p.end])
}

// through takes an arriving head through its router, if it has no competitor, and its virtual
// channel is the only one, free, and has room.
func (p *part) through(x *arrivingHead) bool {
	n := p.n
	router, flit := int(x.router), x.flit
	c, w := &n.crowds[router], n.at(x.way)
	in := int(x.port) - router*n.p
	if c.deep || (c.insTwice>>(in&31)|c.outsTwice>>(w.out()&31))&1 != 0 {
		return false
	}
	o := router*n.p + w.out()
	out := &n.ports[o]
	free := w.lanes() &^ out.busy
	if free == 0 || free&(free-1) != 0 {
		return false
	}
	vc := bits.TrailingZeros32(free)
	used := &n.lanes[o*n.v+vc].used
	if *used >= n.depth && p.full(o, vc) {
		return false
	}
	r := router - p.first
	p.lanesAlloc.Advance(r, int16(int(x.lane)-router*n.pv), int16(w.out()*n.v+vc))
	p.switchAlloc.Advance(r, int16(in), int16(w.out()))
	q := &n.ports[x.port]
	from := int16(int(x.lane) - int(x.port)*n.v)
	q.vcPtr = allocator.Next(from, n.v)
	p.flitHops++
	p.lastMove = p.now
	p.back(from, q)
	n.charge(used, &out.pool)
	p.leave(o, out, vc, flit, x.way>>stepBits, true)
	if flit&tailFlit == 0 { // the source route of a head that has passed is not read again
		l := &n.lanes[x.lane]
		l.way, l.outVC, l.state = w, uint8(vc), switching
		out.busy |= 1 << vc
	}
	return true
}

// crowdAll finds who waits in the routers when a cycle ends.
func (p *part) crowdAll() {
	n := p.n
	for r := p.first; r < p.end; r++ {
		n.crowds[r] = contenders{}
		if m := &n.masks[r]; m.alloc|m.ready != 0 {
			n.crowdAt(r, m)
		}
	}
}

func (n *Network) crowdAt(r int, m *mask) {
	c := &n.crowds[r]
	for set := m.alloc | m.ready; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		l := &n.lanes[r*n.pv+i]
		c.join(1<<(n.portOf[i]&31), 1<<(l.out()&31))
		c.deep = c.deep || l.state == switching && l.count > 1
	}
}
