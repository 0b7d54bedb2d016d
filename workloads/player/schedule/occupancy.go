package schedule

import (
	"github.com/causeway-sim/causeway/components/units"
)

// An occupancy is the memory of an executor over time.
type occupancy struct {
	now  uint64  // bytes
	sum  float64 // bytes x femtoseconds
	last units.Time
}

// occupy notes what the memories hold from now on.
func (c *Comp) occupy(now units.Time) {
	if c.spec.Batching.Memory == 0 || !c.spec.Batching.On() {
		return
	}
	if c.held == nil {
		c.held = make([]occupancy, len(c.Executors()))
	}
	for e := range c.held {
		o := &c.held[e]
		o.sum += float64(o.now) * float64(now-o.last)
		o.now, _ = c.state.Held(e)
		o.last = now
	}
}

// occupied is the mean of what the memory of an executor held up to the end.
func (c *Comp) occupied(e int) float64 {
	if c.held == nil || c.end == 0 {
		return 0
	}
	o := c.held[e]
	return (o.sum + float64(o.now)*float64(c.end-min(c.end, o.last))) / float64(c.end)
}
