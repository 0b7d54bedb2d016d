package fabric

import (
	"math/bits"
	"slices"

	"github.com/causeway-sim/causeway/noc/allocator"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
)

// work takes the allocation steps of one router in this cycle.
func (p *part) work(r int) {
	n := p.n
	if n.fused && n.stalls == nil {
		p.contend(r)
		return
	}
	for step := 1; step <= n.cfg.Speedup; step++ {
		var route, alloc, ready uint64
		for _, m := range n.masks[r*n.words : (r+1)*n.words] {
			route, alloc, ready = route|m.route, alloc|m.alloc, ready|m.ready
		}
		if route|alloc|ready == 0 {
			p.rest(r)
			return
		}
		// Every stage sees what the step began with: grants of virtual channels
		// take effect last.
		var grants []allocator.Request
		if alloc != 0 {
			grants = p.allocate(r)
		}
		if route != 0 {
			p.routeLanes(r)
		}
		if ready != 0 {
			p.switchLanes(r, step == n.cfg.Speedup)
		}
		for i := range grants {
			n.hold(r, int(grants[i].In), int(grants[i].Out))
		}
	}
}

// rest notes that a router has nothing to do.
func (p *part) rest(router int) {
	i := router - p.first
	p.awake[i>>6] &^= 1 << (i & 63)
}

// among finds out whether requests share an input or an output. Most do not, and are then
// granted without a match.
func (a *allocation) among(ends int) conflicts {
	return conflicts{clash: ends > 64 || a.Arbiters == nil}
}

type conflicts struct {
	ins, outs uint64
	clash     bool // or it is not known
}

func (c *conflicts) add(in, out int16) {
	i, o := uint64(1)<<(in&63), uint64(1)<<(out&63)
	c.clash = c.clash || c.ins&i|c.outs&o != 0
	c.ins, c.outs = c.ins|i, c.outs|o
}

// routeLanes ends the routing stage of the lanes whose time has come.
func (p *part) routeLanes(r int) {
	n := p.n
	for w := range n.words {
		for set := n.masks[r*n.words+w].route; set != 0; set &= set - 1 {
			i := w*64 + bits.TrailingZeros64(set)
			l := &n.lanes[r*n.pv+i]
			if !l.staged {
				l.staged, l.rest = true, way(p.now)+way(n.cfg.RoutingDelay)-1
			}
			if int32(way(p.now)-l.rest) < 0 {
				continue
			}
			l.way = p.routeAt(r, r, n.pool.at(l.front>>flitShift))
			l.state = toAlloc
			n.masks[r*n.words+w].route &^= 1 << (i & 63)
			n.masks[r*n.words+w].alloc |= 1 << (i & 63)
			if n.outage != nil {
				n.outage.settle(p, r, i, l)
			}
		}
	}
}

// allocate matches waiting lanes with free output lanes.
func (p *part) allocate(r int) []allocator.Request {
	n := p.n
	reqs := p.wanted[:0]
	apart := p.lanesAlloc.among(n.pv)
	lanes, ports := n.lanes[r*n.pv:][:n.pv], n.ports[r*n.p:][:n.p]
	for w := range n.words {
		for set := n.masks[r*n.words+w].alloc; set != 0; set &= set - 1 {
			i := w*64 + bits.TrailingZeros64(set)
			l := &lanes[i]
			out := l.out()
			free := l.lanes() &^ ports[out].busy
			if n.cfg.Flow == setting.CutThrough {
				p.recount(r*n.p + out)
				free = n.roomy(r*n.p+out, free, l)
			}
			age := n.age(l)
			for ; free != 0; free &= free - 1 {
				q := allocator.Request{Age: age, In: int16(i), Out: int16(out*n.v + bits.TrailingZeros32(free))}
				apart.add(q.In, q.Out)
				reqs = append(reqs, q)
			}
		}
	}
	p.wanted = reqs[:0]
	granted := reqs
	if apart.clash {
		granted = p.lanesAlloc.Match(r-p.first, reqs)
	} else {
		for i := range reqs {
			p.lanesAlloc.Advance(r-p.first, reqs[i].In, reqs[i].Out)
		}
	}
	if n.claims {
		granted = n.claim(r, granted)
	}
	if n.opportunist {
		p.refuse(r, granted)
	}
	return granted
}

// refuse asks again about packets whose optional hop was not granted at once.
// From then on they wait for another way.
func (p *part) refuse(r int, granted []allocator.Request) {
	n := p.n
	for w := range n.words {
		for set := n.masks[r*n.words+w].alloc; set != 0; set &= set - 1 {
			i := w*64 + bits.TrailingZeros64(set)
			l := &n.lanes[r*n.pv+i]
			x := n.pool.at(l.front >> flitShift)
			if !x.optional || slices.ContainsFunc(granted, func(q allocator.Request) bool { return int(q.In) == i }) {
				continue
			}
			x.Again, p.view.deaf = true, true
			l.way = p.routeAt(r, r, x)
			p.view.deaf = false
			if n.outage != nil {
				n.outage.settle(p, r, i, l)
			}
		}
	}
}

// age is when the packet at the front of a lane was created, if arbiters ask.
func (n *Network) age(l *lane) int64 {
	if !n.ages {
		return 0
	}
	return n.pool.at(l.front >> flitShift).created
}

// roomy keeps the lanes that have room for the whole packet.
func (n *Network) roomy(o int, free uint32, l *lane) uint32 {
	flits := n.pool.at(l.front >> flitShift).flits
	for set := free; set != 0; set &= set - 1 {
		vc := bits.TrailingZeros32(set)
		if !n.fits(n.lanes[o*n.v+vc].used, n.ports[o].pool, flits) {
			free &^= 1 << vc
		}
	}
	return free
}

// hold gives output lane j to input lane i.
func (n *Network) hold(r, i, j int) {
	l := &n.lanes[r*n.pv+i]
	l.outVC = uint8(n.vcOf[j])
	l.state = switching
	if n.claims {
		l.promised = n.pool.at(l.front >> flitShift).flits
	}
	n.ports[r*n.p+int(n.portOf[j])].busy |= 1 << l.outVC
	w, b := r*n.words+i>>6, uint64(1)<<(i&63)
	n.masks[w].alloc &^= b
	n.masks[w].ready |= b
}

// switchLanes matches inputs with outputs and sends a flit over each match.
func (p *part) switchLanes(r int, last bool) {
	n := p.n
	reqs := p.requests[:0]
	apart := p.switchAlloc.among(n.p)
	first := 0 // request of this input
	for w := range n.words {
		for set := n.masks[r*n.words+w].ready; set != 0; set &= set - 1 {
			i := w*64 + bits.TrailingZeros64(set)
			l := &n.lanes[r*n.pv+i]
			o := r*n.p + l.out()
			if last && n.stalls != nil {
				n.stalls[o]++ // unless it crosses
			}
			if n.lanes[o*n.v+int(l.outVC)].used >= n.depth && !n.claims && p.full(o, int(l.outVC)) {
				continue
			}
			q := allocator.Request{Age: n.age(l), In: n.portOf[i], Out: int16(l.out()), Lane: int16(i)}
			if len(reqs) > 0 && reqs[len(reqs)-1].In != q.In {
				first = len(reqs)
			}
			apart.add(q.In, q.Out)
			if first == len(reqs) {
				reqs = append(reqs, q)
			} else {
				reqs = n.ask(r, reqs, first, q)
			}
		}
	}
	p.requests = reqs[:0]
	granted := reqs
	if apart.clash {
		granted = p.switchAlloc.Match(r-p.first, reqs)
	}
	for _, q := range granted {
		if !apart.clash {
			p.switchAlloc.Advance(r-p.first, q.In, q.Out)
		}
		if last && n.stalls != nil {
			n.stalls[r*n.p+int(q.Out)]--
		}
		p.cross(r, int(q.Lane), int(q.Out), last)
	}
}

// full reports whether an output lane that seemed to be full is.
func (p *part) full(o, vc int) bool {
	n := p.n
	p.recount(o)
	return n.lanes[o*n.v+vc].used >= n.depth && int(n.ports[o].pool) >= n.cfg.Shared
}

// ask adds a request for the switch. Of the lanes of one input that want one output
// only the one next to the input's pointer asks; requests of this input start at first.
func (n *Network) ask(r int, reqs []allocator.Request, first int, q allocator.Request) []allocator.Request {
	for k := first; k < len(reqs); k++ {
		if reqs[k].Out != q.Out || reqs[k].In != q.In {
			continue
		}
		ptr := n.ports[r*n.p+int(q.In)].vcPtr
		if q.Age != reqs[k].Age {
			if q.Age < reqs[k].Age {
				reqs[k] = q
			}
		} else if allocator.Around(n.vcOf[q.Lane], ptr, n.v) < allocator.Around(n.vcOf[reqs[k].Lane], ptr, n.v) {
			reqs[k] = q
		}
		return reqs
	}
	return append(reqs, q)
}
