package ranks

import "fmt"

// pairFor is the number of the traffic from one rank to another.
func (c *Comp) pairFor(from, to int32) int32 {
	k := uint64(uint32(from))<<32 | uint64(uint32(to))
	i, ok := c.pairOf[k]
	if !ok {
		i = int32(len(c.pairs))
		c.pairs = append(c.pairs, pair{})
		c.pairOf[k] = i
	}
	return i
}

// announce turns a long message into a request that its data follow.
func (c *Comp) announce(m *Message) {
	i := c.freeMeet
	if i == 0 {
		c.meets = append(c.meets, meeting{})
		i = int32(len(c.meets) - 1)
	} else {
		c.freeMeet = c.meets[i].next
	}
	c.meets[i] = meeting{send: m.at, msg: Message{From: m.From, To: m.To, Tag: m.Tag, Group: m.Group, Bytes: m.Bytes, since: m.since}}
	m.kind, m.meet, m.TrafficBytes = request, i, int(c.ranks[m.From].nic.Control)
}

// send gives a message to the interface of its sender, which takes one after the
// other.
func (c *Comp) send(m *Message) {
	if m.From == m.To { // it stays in the rank's memory
		c.timers.Add(c.now+1, timer{what: arrived, msg: m})
		c.gone(m)
		return
	}
	r := &c.ranks[m.From]
	r.sent = r.tx.Transfer(max(r.sent, c.now)+r.overhead, uint64(m.TrafficBytes))
	if r.sent <= c.now {
		c.leaveBy(m)
		return
	}
	c.timers.Add(r.sent, timer{what: left, msg: m})
}

// leaveBy gives a message to the link, or lines it up for it.
func (c *Comp) leaveBy(m *Message) {
	r := &c.ranks[m.From]
	p := c.ports[c.port[m.From]]
	if r.out.Len() > 0 || !p.CanSend() {
		r.out.Push(m)
		return
	}
	c.put(m)
}

// put sends a message for which the link has room.
func (c *Comp) put(m *Message) {
	p := c.ports[c.port[m.From]]
	m.Src, m.Dst, m.SendTime = p, c.list[c.port[m.To]], c.time
	if p.Send(m) != nil && c.failure == nil {
		c.failure = fmt.Errorf("ranks: %s: the link of %s refused a message after it had room", c.Name(), p.Name())
	}
	r := &c.ranks[m.From]
	r.msgs++
	r.bytes += uint64(m.TrafficBytes)
	c.gone(m)
}

// flush sends what had found no room.
func (c *Comp) flush(port int32) {
	i := c.rankAt[port]
	if i < 0 {
		return
	}
	r := &c.ranks[i]
	for r.out.Len() > 0 && c.ports[port].CanSend() {
		c.put(r.out.Pop())
	}
}

// gone ends sends whose bytes have left.
func (c *Comp) gone(m *Message) {
	c.count.sent(m)
	switch m.kind {
	case eager:
		c.complete(m.at)
	case data:
		c.complete(c.meets[m.meet].send)
	case part:
		c.donePart(m.at)
	}
}

// passIn takes a message through the interface of its receiver.
func (c *Comp) passIn(m *Message) {
	r := &c.ranks[m.To]
	if m.From != m.To {
		r.taken = r.rx.Transfer(max(r.taken, c.now)+r.overhead, uint64(m.TrafficBytes))
	}
	if m.From == m.To || r.taken <= c.now {
		c.arrive(m)
		return
	}
	c.timers.Add(r.taken, timer{what: passed, msg: m})
}

// arrive does what a message is for.
func (c *Comp) arrive(m *Message) {
	c.count.received++
	switch m.kind {
	case eager, request:
		c.inOrder(m)
	case grant:
		d := c.pool.take()
		x := &c.meets[m.meet].msg
		d.kind, d.From, d.To, d.Tag, d.Group, d.Bytes, d.meet, d.since = data, x.From, x.To, x.Tag, x.Group, x.Bytes, m.meet, x.since
		d.TrafficBytes = int(x.Bytes)
		c.pool.give(m)
		c.send(d)
	case data:
		x := &c.meets[m.meet]
		at := x.recv
		x.next, c.freeMeet = c.freeMeet, m.meet
		c.count.latency(c.now - m.since)
		c.pool.give(m)
		c.complete(at)
	case part:
		if at, ok := c.match.arrive(m); ok {
			c.pool.give(m)
			c.received(at)
		}
	}
}

// inOrder matches the messages of a pair in the order they were sent, whatever
// ways they took through the network.
func (c *Comp) inOrder(m *Message) {
	i := m.pair
	if m.seq != c.pairs[i].next {
		c.pairs[i].early = append(c.pairs[i].early, m)
		return
	}
	for m != nil {
		c.pairs[i].next++
		if at, ok := c.match.arrive(m); ok {
			c.meet(at, m)
		}
		m = c.pairs[i].following()
	}
}

// following takes the message whose turn it is, nil if it has not come.
func (p *pair) following() *Message {
	for k, m := range p.early {
		if m.seq == p.next {
			last := len(p.early) - 1
			p.early[k], p.early[last] = p.early[last], nil
			p.early = p.early[:last]
			return m
		}
	}
	return nil
}

// meet brings a receive and its message together.
func (c *Comp) meet(at token, m *Message) {
	if m.kind == eager {
		c.count.latency(c.now - m.since)
		c.pool.give(m)
		c.complete(at)
		return
	}
	c.meets[m.meet].recv = at
	g := c.pool.take()
	g.kind, g.From, g.To, g.meet, g.Bytes = grant, m.To, m.From, m.meet, 0
	g.TrafficBytes = int(c.ranks[g.From].nic.Control)
	c.pool.give(m)
	c.send(g)
}
