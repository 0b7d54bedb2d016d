package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// limited is the cost of a kernel at its clock: the one at which the chip keeps its limit (load: continuous), or that
// of its graph (steady). The time of a burst was measured, see energyOf. Before a memory below a port the clock is that of the
// kernel with a memory of the chip's own.
func (c *record) limited(d graph.DType, macs, vector float64, price func() kernel.Cost) kernel.Cost {
	if c.spec.Load == burst {
		return c.curved(price(), price)
	}
	full := c.priceAt(1, 1, price)
	dynamic := c.dynamic(d, macs, vector, &full)
	state := func(share float64) power.State {
		x := power.State{Share: share, Seconds: c.priceAt(share, 1, price).Total}
		all := c.chip.At(dynamic, x.Seconds, share)
		x.Energy = all.Total()
		return x
	}
	if c.pace.trial {
		full.Paces = new(kernel.Paces)
		for k := range full.Paces.Seconds {
			x := state(c.pace.at(k))
			full.Paces.Seconds[k], full.Paces.Energy[k] = x.Seconds, x.Energy
		}
		return full
	}
	share := c.pace.share
	if c.spec.Load == continuous || c.pace.of == nil {
		share = c.chip.Hold(state)
	}
	held := func() kernel.Cost { return c.priceAt(share, c.slowness, price) }
	cost := c.curved(held(), held)
	cost.Counts(&full)
	return cost
}

// priceAt is the cost of a kernel at a share of the full clock, before a memory as slow as is asked.
func (c *record) priceAt(share, slow float64, price func() kernel.Cost) kernel.Cost {
	was, clock := c.slowness, max(share, power.Slowest)
	c.spec.share, c.slowness = clock, slow
	cost := price()
	c.spec.share, c.slowness = 0, was
	cost.Share = share
	if share < clock {
		cost.Stretch(clock / share)
	}
	return cost
}
