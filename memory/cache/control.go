package cache

import (
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// control carries an operation out on the lines of c from first to last, and says what
// has to be written back: the sectors of a line, in order of address.
func control(c *tagstore.Store, op memory.ControlOp, first, last uint64, write func(line uint64, sectors uint8) error) error {
	for _, l := range c.Within(first, last) {
		if op != memory.Invalidate {
			if stale := c.Clean(l); stale != 0 {
				if err := write(l, stale); err != nil {
					return err
				}
			}
		}
		if op != memory.Clean {
			c.Invalidate(l)
		}
	}
	return nil
}

// control carries an operation out when nothing is under way. It returns false
// while it has to wait.
func (c *Timed) control(m *memory.ControlReq, cycle uint64) bool {
	if !c.quiet() {
		return false
	}
	i := c.acceptControl(m, cycle)
	first, last := m.Lines(c.layout.Shift)
	if c.bytes != nil && m.Op != memory.Clean {
		c.bytes.Lapse(c.core.Within(first, last)...)
	}
	_ = control(c.core, m.Op, first, last, func(line uint64, sectors uint8) error { // it returns what the function does
		c.evict(&tagstore.Result{Victim: line, Stale: sectors}, i, c.requests.At(i).task)
		return nil
	})
	c.done(i, cycle+c.latency)
	return true
}

// quiet reports whether no line is looked up or under way.
func (c *Timed) quiet() bool {
	return c.waiting == 0 && c.mshrs.Open() == 0 && !c.unsettled() && (c.bytes == nil || c.writes.Len() == 0)
}
