package network

import "github.com/causeway-sim/causeway/components/stats"

// courses offers when bytes leave the network. Their peak is that of the channels to the
// terminals that something is linked to.
func (c *Comp) courses(g *stats.Group) {
	g.Course("bytes_delivered", stats.Byte, "Bytes of messages as they pass the channels to their terminals, headers left out.", c.ejections, &c.moved)
}

// ejections is the rate of the channels to all terminals that something is linked to, in bytes
// per ns.
func (c *Comp) ejections() (sum float64) {
	linked := make([]bool, len(c.ports))
	for _, h := range c.table {
		linked[h.terminal] = true
	}
	for t, ok := range linked {
		if ok {
			sum += c.ejection(t)
		}
	}
	return sum
}

// ejection is the rate of the channel to a terminal, in bytes per ns.
func (c *Comp) ejection(terminal int) float64 { return float64(c.Limit(terminal, 0)) / 8e9 }

// eject notes that a message has left the network whole in this cycle. Messages share a channel
// flit by flit, so that only the end of each is known.
func (c *Comp) eject(s *slot) {
	if c.paces == nil {
		c.paces = make([]stats.Pace, len(c.ports))
		for t := range c.paces {
			c.paces[t].Peak = c.ejection(t)
		}
	}
	c.moved.Before(&c.paces[s.dst], float64(s.bytes), c.Clock().Nanoseconds(c.now+1))
}

// ejected notes the packets that have arrived since it was called last, evenly. What the
// channels cannot have carried since then, flits of packets that had begun to arrive before, is
// added to those of the next call.
func (c *Comp) ejected(bytes, cycle uint64) {
	from, to := c.Clock().Nanoseconds(c.tallied.cycle), c.Clock().Nanoseconds(cycle)
	c.tallied.cycle, c.tallied.left = cycle, c.tallied.left+float64(bytes)
	n := c.tallied.left
	if peak := c.moved.Peak(); peak > 0 {
		n = min(n, peak*(to-from))
	}
	c.moved.Add(n, from, to)
	c.tallied.left -= n
}
