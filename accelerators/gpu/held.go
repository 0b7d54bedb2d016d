package gpu

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// bursts reports whether kernels run for milliseconds, with times that were measured so.
func (c *record) bursts() bool {
	return c.spec.Load == burst || c.spec.Load == auto && !c.spec.capped()
}

// capped reports whether a chip has a lower limit than the one at which its products were measured. A higher one lets
// products reach more of their peak in a burst (power.Chip.Rate), so that more power never takes more time.
func (s *Spec) capped() bool {
	return s.PowerLimit > 0 && s.PowerLimit < s.SustainedLimit && s.Power.process() != power.None
}

// load says how the kernels of a graph keep the limit. With auto rows of a list that are apart have a clock each, as
// they run in loops of their own, and kernels of other graphs have one.
func (c *record) load(g *graph.Graph) string {
	switch {
	case c.bursts():
		return burst
	case c.spec.Load != auto:
		return c.spec.Load
	case c.apart(g):
		c.held = continuous
	default:
		c.held = steady
	}
	return c.held
}

// heldAssumption says which clock keeps a lower limit than the chip was measured with (load: auto).
func heldAssumption(name, load string, limit, was units.Power) string {
	clock := "operators of a graph have one clock, at which their mean power is"
	if load == continuous {
		clock = "rows of a list run in loops of their own, each at the clock at which its power is"
	}
	return fmt.Sprintf("%s: power_limit is %s, where products were measured with %s: %s at most %g of it (load: auto takes %s)", name, limit, was, clock, power.Held, load)
}

// burstAssumption says how many operators take more than the limit.
func burstAssumption(name string, over int, most float64, limit units.Power) string {
	return fmt.Sprintf("%s: operators over power_limit (%s): %d, at most %s. They are bursts of milliseconds, as times of lists were measured; load: continuous holds each at the limit, as in loops of over 0.1 s", name, limit, over, units.Power(math.Round(most)))
}

// limited is the cost of a kernel at its clock: the one at which the chip keeps its limit (load: continuous), or that
// of its graph (steady). The time of a burst was measured, see energyOf. Before a memory below a port the clock is that of the
// kernel with a memory of the chip's own.
func (c *record) limited(d graph.DType, macs, vector float64, price func() kernel.Cost) kernel.Cost {
	if c.bursts() {
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
	if c.pace.of == nil {
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
