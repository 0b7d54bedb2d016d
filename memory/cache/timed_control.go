package cache

import (
	"github.com/causeway-sim/causeway/memory"
)

// control carries an operation out when nothing is under way. It returns false
// while it has to wait.
func (c *Timed) control(m *memory.ControlReq, cycle uint64) bool {
	if !c.quiet() {
		return false
	}
	i := c.acceptControl(m, cycle)
	first, last := m.Lines(c.shift)
	if c.bytes != nil && m.Op != memory.Clean {
		c.bytes.lapsed = append(c.bytes.lapsed, c.core.Within(first, last)...)
	}
	_ = c.core.Control(m.Op, first, last, func(line uint64, sectors uint8) error { // it returns what the function does
		c.displace(&Result{Victim: line, Stale: sectors}, i, c.requests.At(i).task)
		return nil
	})
	c.line(i, cycle+c.latency)
	return true
}

// quiet reports whether no line is looked up or under way.
func (c *Timed) quiet() bool {
	return c.waiting == 0 && c.mshrs.open() == 0 && !c.unsettled() && (c.bytes == nil || c.writes.Len() == 0)
}
