package cache

import "github.com/causeway-sim/causeway/memory/direct"

// connectDirectly asks the memory below directly from now on, where nothing is under way and that
// is equal to messages. While tasks of the memory are reported it is not, but later.
func (c *Timed) connectDirectly() {
	b := &c.below
	if b.direct != nil || b.neverDirect || b.inFlight() > 0 {
		return
	}
	if b.directLater == nil {
		if c.bytes == nil {
			b.directLater = direct.Find(b.port, b.homes, c.ticker.WakeAt)
		}
		b.neverDirect = b.directLater == nil
	}
	if b.directLater != nil && b.directLater.Join() {
		b.direct = b.directLater
	}
}

// receiveDirect takes the responses of a memory that is asked directly.
func (c *Timed) receiveDirect(cycle uint64) {
	for tag, ok := c.below.direct.Answered(cycle); ok; tag, ok = c.below.direct.Answered(cycle) {
		if tag&1 == 0 {
			c.receive(c.below.calls.Over(tag/2), cycle)
			continue
		}
		c.below.asked--
		c.arriveAll(int32(tag/2), cycle)
	}
}
