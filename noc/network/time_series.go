package network

import "github.com/causeway-sim/causeway/components/stats"

// timeSeries offers when bytes leave the network. Their peak is that of the channels to the
// terminals that something is linked to.
func (c *Comp) timeSeries(g *stats.Group) {
	g.TimeSeries("bytes_delivered", stats.Byte, "Bytes of messages as they pass the channels to their terminals, headers left out.", c.ejections, &c.moved)
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
	c.pass(s.dst, s.bytes, c.now)
}

// Observes reports whether Delivered must be called.
func (c *Comp) Observes() bool { return c.moved != nil }

// Delivered counts a packet by value that has left the network in a cycle. Cycles of a terminal
// must rise.
func (c *Comp) Delivered(terminal int, flits int32, cycle int64) {
	c.pass(int32(terminal), int(flits)*c.Width()-c.Header(), uint64(cycle))
}

func (c *Comp) pass(terminal int32, bytes int, cycle uint64) {
	if c.paces == nil {
		c.paces = make([]stats.Pace, len(c.ports))
		for t := range c.paces {
			c.paces[t].Peak = c.ejection(t)
		}
	}
	c.moved.Times(float64(c.times))
	c.moved.Before(&c.paces[terminal], float64(bytes), c.Clock().Nanoseconds(cycle+1))
}
