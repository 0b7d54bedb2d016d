package ranks

// passIn takes a message through the interface of its receiver.
func (c *Comp) passIn(m *Message) {
	switch m.kind {
	case piece:
		c.wholeCame(m)
		return
	case segment:
		c.segmentIn(m)
		return
	}
	if c.acknowledged(m) {
		c.acknowledge(m)
	}
	if m.From != m.To || m.kind == joint {
		bytes := uint64(m.TrafficBytes)
		if c.byWindow(m) {
			bytes = 0 // its pieces have passed
		}
		if at := c.ranks[m.To].nic.take(&c.ranks[m.From].nic, c.now, bytes); at > c.now {
			c.timers.Add(at, timer{what: passed, msg: m})
			return
		}
	}
	c.arrive(m)
}

// arrive handles a message.
func (c *Comp) arrive(m *Message) {
	if m.kind == segment {
		c.segmentCame(m)
		return
	}
	c.count.received += c.count.times
	switch m.kind {
	case eager, request:
		c.inOrder(m)
	case grant:
		d := c.pool.take()
		c.meets.data(d, m.meet)
		c.pool.give(m)
		d.at = c.meets.all[d.meet].send
		c.sendData(d)
	case data:
		at := c.meets.close(m.meet)
		c.book(at.rank, m.since)
		c.count.latency(c.now - m.since)
		c.gantt.over(at, m.From, c.now)
		bytes := uint64(m.TrafficBytes)
		c.pool.give(m)
		c.gotData(at, bytes)
	case ack:
		at, of := m.at, m.of
		c.pool.give(m)
		if of == part {
			c.endSend(at)
		} else {
			c.complete(at)
		}
	case joint:
		at := m.at
		c.pool.give(m)
		c.received(at)
	case part:
		if at, ok := c.match.Arrive(m.key(), m); ok {
			c.gantt.met(at, m)
			c.gantt.over(at, m.From, c.now)
			c.explain(at, m)
			c.pool.give(m)
			c.received(at)
		}
	}
}

// inOrder matches the messages of a pair in the order they were sent.
func (c *Comp) inOrder(m *Message) {
	pair := m.pair
	for ok := c.order.Arrive(pair, m.seq, m); ok; m, ok = c.order.Next(pair) {
		if at, there := c.match.Arrive(m.key(), m); there {
			c.matchReceive(at, m)
		}
	}
}

// matchReceive brings a receive and its message together.
func (c *Comp) matchReceive(at token, m *Message) {
	c.book(at.rank, m.since)
	c.gantt.met(at, m)
	if m.kind == eager {
		c.count.latency(c.now - m.since)
		c.gantt.over(at, m.From, c.now)
		bytes := uint64(m.TrafficBytes)
		c.pool.give(m)
		c.gotData(at, bytes)
		return
	}
	c.meets.all[m.meet].recv = at
	g := c.pool.take()
	g.kind, g.From, g.To, g.meet, g.Bytes = grant, m.To, m.From, m.meet, 0
	g.TrafficBytes = int(c.ranks[g.From].nic.Control)
	c.pool.give(m)
	c.send(g)
}
