package tiering

import (
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// touch gives a page its first frame.
func (c *Comp) touch(page uint32) error {
	c.refresh()
	want := c.policy.First(&c.view, int(page))
	n := len(c.below)
	for i := range n {
		tier := (min(want, n-1) + i) % n
		if frame, ok := c.table.take(tier); ok {
			c.table.frame[page], c.table.info[page].Tier = frame, int8(tier)
			return nil
		}
	}
	return memory.BadInputf("%s: page %d is touched, and all frames are in use (%d pages of %s): a larger capacity is needed", c.Name(), page, n, c.spec.Page)
}

// sample counts an access to a page, if it is its turn.
func (c *Comp) sample(x *placement.Page) {
	if c.counted++; c.counted%uint64(c.spec.Sample) != 0 {
		return
	}
	x.Count++
	if x.Seen != c.view.Interval {
		x.Before, x.Seen = x.Seen, c.view.Interval
	}
}
