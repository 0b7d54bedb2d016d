package dram

import "github.com/causeway-sim/causeway/components/units"

// TrimEnd implements work.EndTrimmer: the clocks up to until, which were counted by repetition, count
// no open rows.
func (c *Comp) TrimEnd(until units.Time) {
	at := int64(c.clock.Cycles(uint64(until), uint64(units.Second)))
	for _, g := range c.gangs {
		g.passed = at
	}
}

// span is how long a row counts as open between two clocks.
func (c *Controller) span(from, to int64) uint64 {
	return uint64(max(to, c.passed) - max(from, c.passed))
}
