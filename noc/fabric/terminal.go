package fabric

// SendTagged is Send for a packet whose Delivery carries a tag.
func (n *Network) SendTagged(src, dst, flits int, tag int32) { n.SendIn(0, src, dst, flits, tag) }

// SendIn is SendTagged in a virtual network.
func (n *Network) SendIn(network, src, dst, flits int, tag int32) {
	p := n.pool.at(n.send(src, dst, flits, false, n.Now()))
	p.tag, p.net = tag, uint8(network)
}

// Hold says whether a terminal takes nothing off the network. What comes there
// still comes, as far as it has credits: those are kept back until the terminal
// is let go.
func (n *Network) Hold(terminal int, on bool) {
	q := &n.nics[terminal]
	q.held = on
	if on {
		return
	}
	out := &n.ports[q.port]
	p := n.home(terminal)
	for _, lane := range q.owed {
		p.credit(q.port, p.now+int64(out.latency)+1+n.creditDelay, int(lane)%n.v)
	}
	q.owed = q.owed[:0]
}

// Quiet reports whether nothing happens any more unless a packet is sent.
func (n *Network) Quiet() bool {
	waiting := int64(0)
	for _, p := range n.parts {
		if waiting += p.waiting; p.lastEvent >= p.now || !p.asleep() {
			return false
		}
	}
	return waiting == 0
}

// Skip moves a quiet network on to a later cycle. It panics if it is not quiet.
func (n *Network) Skip(to int64) {
	if !n.Quiet() || to < n.Now() {
		panic("fabric: a network that is busy cannot skip cycles, or go back")
	}
	n.moveTo(to)
}

// CatchUp moves a network that has slept on to a cycle. It was quiet or frozen: nothing would have
// changed meanwhile.
func (n *Network) CatchUp(cycle int64) {
	if n.Now() < cycle {
		n.moveTo(cycle)
		p := n.parts[0]
		p.lastMove = max(p.lastMove, cycle-1)
	}
}

// moveTo moves on to a cycle, over cycles in which nothing changes but what routers notice
// of each other.
func (n *Network) moveTo(cycle int64) {
	for _, p := range n.parts {
		if cycle-p.now >= era { // all credits come meanwhile
			p.now = max(p.now, p.lastEvent)
			p.creditedUntil = p.now
			p.recountAll()
		}
		if n.sense.notifier != nil {
			for p.now = max(p.now, cycle-int64(n.sense.slots)); p.now < cycle; p.now++ {
				n.sense.update(p)
			}
		}
		p.now, p.creditedUntil = cycle, cycle-1
	}
}
