package cache

import "github.com/causeway-sim/causeway/memory/direct"

// approach asks the memory below directly from now on, where nothing is under way and that
// is equal to messages. While tasks of the memory are reported it is not, but later.
func (c *Timed) approach() {
	b := &c.below
	if b.near != nil || b.far || b.inFlight() > 0 {
		return
	}
	if b.might == nil {
		if c.bytes == nil {
			b.might = direct.Find(b.port, b.homes, c.ticker.WakeAt)
		}
		b.far = b.might == nil
	}
	if b.might != nil && b.might.Join() {
		b.near = b.might
	}
}

// receiveNear takes the responses of a memory that is asked directly.
func (c *Timed) receiveNear(cycle uint64) {
	for tag, ok := c.below.near.Answered(cycle); ok; tag, ok = c.below.near.Answered(cycle) {
		if tag&1 == 0 {
			c.receive(c.below.calls.Over(tag/2), cycle)
			continue
		}
		c.below.asked--
		c.arriveAll(int32(tag/2), cycle)
	}
}
