package communicator

import "github.com/causeway-sim/causeway/components/units"

// A span is cycles in which so many transfers had kernels on the chip.
type span struct {
	from, to uint64
	kernels  int
}

// running is how many transfers have kernels on the chip.
func (c *Comp) running() (n int) {
	for _, f := range c.flows {
		if f.begun && !f.sent {
			n++
		}
	}
	return n
}

// took notes the kernels of the cycles up to one, since the flows have moved last.
func (c *Comp) took(cycle uint64) {
	if n := c.running(); c.noted && n > 0 && cycle > c.group.last {
		c.spans.Push(span{c.group.last, cycle, n})
	}
}

// Note implements work.Communicator.
func (c *Comp) Note() { c.noted = c.spec.Blocks > 0 }

// Taken implements work.Communicator.
func (c *Comp) Taken(from, to units.Time) (sum float64) {
	if !c.noted {
		return 0
	}
	c.group.mutex.Lock()
	defer c.group.mutex.Unlock()
	cycles := func(t units.Time) float64 { return float64(t) / float64(units.Nanosecond) / c.clock.Nanoseconds(1) }
	a, b := cycles(from), cycles(to)
	for c.spans.Len() > 0 && float64(c.spans.At(0).to) <= a {
		c.spans.Drop()
	}
	for i := range c.spans.Len() {
		s := c.spans.At(i)
		sum += max(0, min(b, float64(s.to))-max(a, float64(s.from))) * float64(s.kernels)
	}
	sum += max(0, b-max(a, float64(c.group.last))) * float64(c.running())
	return sum * float64(c.spec.Blocks) * c.clock.Nanoseconds(1) * 1e-9
}
