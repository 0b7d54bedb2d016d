package nearmem

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/engine"
)

// Waiting implements engine.Waiter. With a ring smaller than the results of one host task the
// device waits for heads and the host for results.
func (c *Comp) Waiting() []engine.Wait {
	m := c.m
	if m.stage == done {
		return nil
	}
	d, h, f := &m.dev, &m.hst, m.current()
	device, host := c.Name()+".device", c.Name()+".host"
	if !d.blocked {
		return []engine.Wait{{Who: host, For: device, Why: fmt.Sprintf("phase %s is under way", f.Name)}}
	}
	g := 0 // the first group that lacks results
	for h.missing[g] == 0 {
		g++
	}
	size := min(f.Group(), f.Tasks-g*f.Group())
	return []engine.Wait{
		{Who: device, For: host, Why: fmt.Sprintf("phase %s: the ring is full (%d of %d slots wait for heads), %d results of %d slots wait for room",
			f.Name, m.prod.Slots()-m.prod.Free(), m.prod.Slots(), d.ready.len(), m.slots(f))},
		{Who: host, For: device, Why: fmt.Sprintf("phase %s: group %d has %d of the %d results (%d slots) that are needed at once, and none is released before",
			f.Name, g, size-int(h.missing[g]), size, int64(size)*m.slots(f))},
	}
}
