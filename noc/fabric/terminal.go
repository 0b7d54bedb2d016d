package fabric

// SendTagged is Send for a packet whose Delivery carries a tag.
func (n *Network) SendTagged(src, dst, flits int, tag int32) { n.SendIn(0, src, dst, flits, tag) }

// SendIn is SendTagged in a virtual network.
func (n *Network) SendIn(network, src, dst, flits int, tag int32) {
	p := &n.packets[n.send(src, dst, flits, false, n.now)]
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
	for _, lane := range q.owed {
		s := n.at(n.now + int64(out.latency) + 1 + int64(n.cfg.CreditDelay))
		s.credits = append(s.credits, lane)
	}
	q.owed = q.owed[:0]
}

// Quiet reports whether nothing happens any more unless a packet is sent.
func (n *Network) Quiet() bool {
	return n.waiting == 0 && n.lastEvent < n.now && n.asleep()
}

func (n *Network) asleep() bool {
	for _, set := range n.awake {
		if set != 0 {
			return false
		}
	}
	return true
}

// Skip moves a quiet network on to a later cycle. It panics if it is not quiet.
func (n *Network) Skip(to int64) {
	if !n.Quiet() || to < n.now {
		panic("fabric: a network that is busy cannot skip cycles, or go back")
	}
	n.now = to
}
