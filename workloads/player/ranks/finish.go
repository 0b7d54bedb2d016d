package ranks

// started notes that an operation of the program has started.
func (c *Comp) started(at token) {
	c.scratch = c.ranks[at.rank].depend.Started(at.op, c.scratch[:0])
	c.queue(at.rank, c.scratch)
}

// complete ends an operation of the program.
func (c *Comp) complete(at token) {
	r := &c.ranks[at.rank]
	c.count.done.Add(c.count.times)
	c.book(at.rank, 0)
	r.finish = c.now
	if r.seat != nil {
		r.seat.Until(c.now)
	}
	if r.agent != nil {
		r.agent.Ended(at.op, c.now)
		c.asks(at.rank, -1)
		mark(c.seats.answer, at.rank)
	}
	c.count.last = max(c.count.last, c.now)
	c.scratch = r.depend.Ended(at.op, c.scratch[:0])
	c.queue(at.rank, c.scratch)
}

// queue lines up operations of the program that may start.
func (c *Comp) queue(rank int32, ops []int32) {
	for _, op := range ops {
		c.ready.Push(token{rank, op, program})
	}
}

// passes is the cycles of so many passes over bytes of a rank's own memory.
func (c *Comp) passes(rank int32, n, bytes uint64) uint64 {
	if s := c.ranks[rank].seat; s != nil {
		return s.Move(n * bytes)
	}
	return c.rates.passes(n, bytes)
}

// copying is the cycles of a copy in a rank's own memory.
func (c *Comp) copying(rank int32, bytes uint64) uint64 {
	if len(c.spec.Copy) > 0 {
		return c.spec.Copy.In(c.Clock(), bytes)
	}
	return c.passes(rank, 2, bytes)
}
