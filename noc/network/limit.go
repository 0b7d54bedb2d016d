package network

import "github.com/causeway-sim/causeway/components/units"

// Limit implements system.Limiter: messages that a terminal's interface does not take wait in the
// network, not in the interface. A terminal that several ports share keeps its rate.
func (c *Comp) Limit(terminal int, b units.Bandwidth) units.Bandwidth {
	have := c.rates[terminal]
	if have == 0 {
		if have = c.spec.Terminal.Bandwidth; have == 0 {
			have = c.spec.Full()
		}
	}
	if b == 0 || b >= have || c.shared[terminal] {
		return have
	}
	k := c.Clock() // a cycle is num/den seconds
	if c.core.Limit(terminal, float64(b)/8*float64(k.Num())/float64(k.Den())) {
		c.rates[terminal] = b
		return b
	}
	return have
}
