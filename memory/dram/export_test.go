package dram

import "github.com/causeway-sim/causeway/memory/dram/timing"

// Apart gives every channel a controller of its own, before the first request.
func (c *Comp) Apart() error {
	c.gangs = nil
	return c.form(1)
}

// Gangs is how many controllers stand for the channels.
func (c *Comp) Gangs() int { return len(c.gangs) }

// Spare is how many controllers stood for channels and do not any more.
func (c *Comp) Spare() int { return len(c.spare) }

// Clone is a controller that goes on from where c is.
func (c *Controller) Clone() *Controller {
	x := &Controller{}
	c.copy(x, c.sink)
	c.copy(x, c.sink) // and again in the same place
	return x
}

// Held is the clocks for which something held commands back.
func (c *Controller) Held() map[string]uint64 {
	out := map[string]uint64{}
	c.tail(Never)
	for h, n := range c.Count.Holds {
		if n > 0 {
			out[timing.Names[h][0]] = n
		}
	}
	return out
}

// Exposed is the most activations that the neighbours of a row had between two refreshes of it.
func (c *Controller) Exposed() int { return c.guard.exposure.Near }

// Uncounted is the requests that were asked for directly and are not counted.
func (c *Comp) Uncounted() int {
	if c.direct == nil {
		return 0
	}
	return c.direct.coming.Len()
}
