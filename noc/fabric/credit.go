package fabric

import "math/bits"

// credits are what comes back to one sender, an output of a router or a terminal: room
// in the buffers that it sends into. A credit has no event: a sender that finds no room looks
// again in each cycle. So credits are counted when a sender looks, all that have come by then
// at once. Most senders are far from full buffers and hardly ever look. Credits wait in a ring
// of their part's memory.
type credits struct {
	base, mask uint32
	first, n   uint32
}

// credited is the low bits of the cycle from which on a credit counts, then its virtual
// channel. Those of one sender come in rising order. None is older than recountAll leaves
// it, or younger than the longest way, so the low bits will do.
type credited uint32

const (
	vcBits = 5       // port.busy has a bit for each virtual channel
	era    = 1 << 24 // cycles between two recountAll
)

func creditAt(cycle int64, vc int) credited { return credited(cycle<<vcBits) | credited(vc) }

func (c credited) vc() int { return int(c & (1<<vcBits - 1)) }

// by reports whether it counts by a cycle.
func (c credited) by(cycle int64) bool { return int32(c>>vcBits<<vcBits-credited(cycle<<vcBits)) <= 0 }

// expectCredits makes room for as many as a part usually has under way.
func (p *part) expectCredits() {
	n := p.n
	for i := p.first * n.p; i < p.end*n.p; i++ {
		q := &n.ports[i]
		if q.peer == none {
			continue
		}
		usual := (int(q.latency) + n.cfg.CreditDelay) / 2
		p.room(&n.credits[i], usual)
		if q.terminal {
			p.room(&n.credits[len(n.ports)+int(q.peer)], usual)
		}
	}
}

// room gives credits a ring for at least so many.
func (p *part) room(c *credits, most int) {
	size := uint32(1) << bits.Len(uint(most|1))
	base := uint32(len(p.rings))
	for i := range size {
		x := credited(0)
		if i < c.n {
			x = p.rings[c.base+(c.first+i)&c.mask]
		}
		p.rings = append(p.rings, x)
	}
	c.base, c.mask, c.first = base, size-1, 0
}

// takeCredit takes the earliest credit, if it counts by a cycle.
func (p *part) takeCredit(c *credits, by int64) (vc int, ok bool) {
	if c.n == 0 {
		return 0, false
	}
	x := p.rings[c.base+c.first&c.mask]
	if !x.by(by) {
		return 0, false
	}
	c.first++
	c.n--
	return x.vc(), true
}

// credit sends one to a port of a router of this part, or to a terminal: see Network.credits.
func (p *part) credit(to int32, cycle int64, vc int) {
	p.lastEvent = max(p.lastEvent, cycle)
	c := &p.n.credits[to]
	if c.n > c.mask {
		p.widen(int(to), c)
	}
	p.rings[c.base+(c.first+c.n)&c.mask] = creditAt(cycle, vc)
	c.n++
}

// refundAhead counts a credit when it leaves, if that changes nothing: the sender that has so
// many flits without credit would have room until the credit comes, whatever it sent meanwhile.
// Senders far from full buffers so have no credits to keep. It needs a routing that asks for
// no queues.
//
// Of cycles now to come, at most one credit each is counted ahead, and a sender sends two
// flits in each at most.
func (p *part) refundAhead(used *int32, come int64) bool {
	if !p.n.ample || int64(*used)+3*(come-p.now)+2 >= int64(p.n.depth) {
		return false
	}
	*used--
	p.lastEvent = max(p.lastEvent, come)
	return true
}

// widen makes room in a full ring: it counts what has come, or takes a longer one.
func (p *part) widen(to int, c *credits) {
	if t := to - len(p.n.ports); t >= 0 {
		p.recountTerminal(t)
	} else {
		p.recount(to)
	}
	if c.n > c.mask {
		p.room(c, int(2*c.n))
	}
}

// recount counts the credits of a router's port that have come.
func (p *part) recount(at int) {
	n := p.n
	c := &n.credits[at]
	if c.n == 0 || !p.rings[c.base+c.first&c.mask].by(p.creditedUntil) {
		return
	}
	q, lanes, come := &n.ports[at], n.lanes[at*n.v:][:n.v], int32(0)
	for {
		vc, ok := p.takeCredit(c, p.creditedUntil)
		if !ok {
			break
		}
		come++
		n.refund(&lanes[vc].used, &q.pool)
	}
	q.used -= come
	n.sense.come(int32(at), come)
}

// recountTerminal does so for a terminal. It reports whether there were any.
func (p *part) recountTerminal(t int) (some bool) {
	n := p.n
	c := &n.credits[len(n.ports)+t]
	for {
		vc, ok := p.takeCredit(c, p.now)
		if !ok {
			return some
		}
		some = true
		n.refund(&n.sent[t*n.v+vc], &n.nics[t].pool)
	}
}

// recountAll counts the credits that have come to all senders, so that no credit gets too old.
func (p *part) recountAll() {
	for at := p.first * p.n.p; at < p.end*p.n.p; at++ {
		p.recount(at)
	}
	for t := p.term; t < p.endTerm; t++ {
		p.recountTerminal(t)
	}
}

// outstanding calls f with all credits of a sender that are on their way, or have come
// and are not counted.
func (p *part) outstanding(c *credits, f func(vc int)) {
	for i := range c.n {
		f(p.rings[c.base+(c.first+i)&c.mask].vc())
	}
}
