package gpu

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Governed = (*Comp)(nil)

// prices are the costs of kernels that were asked for with prices of bursts, or held at the limit.
type prices struct {
	costs costs
	mixed map[*graph.Graph]*mixed
	pace  pace
}

// limits reports whether the power limit may set the clock. Times of a profile were measured.
func (c *record) limits() bool {
	return c.spec.Load != burst && c.spec.PowerLimit > 0 && c.priced() && c.prof == nil
}

// unheld reports whether kernels are bursts, before the limit binds.
func (c *record) unheld() bool {
	return !c.limits() || c.nested || c.forced == burst || c.forced == "" && c.spec.Load == auto && c.pace.of != nil && c.pace.free == 1
}

// Governs implements work.Governed.
func (c *Comp) Governs() bool { return c.limits() && c.spec.Load == auto }

// Bursts implements work.Governed.
func (c *Comp) Bursts(on bool) {
	mode := continuous
	if on {
		mode = burst
	}
	if c.forced == mode {
		return
	}
	if c.forced == "" {
		c.costs, c.mixed, c.pace = costs{}, nil, pace{}
	}
	c.forced = mode
	was := prices{c.costs, c.mixed, c.pace}
	if c.apartFrom.costs == nil {
		c.apartFrom.costs = costs{}
	}
	c.costs, c.mixed, c.pace, c.apartFrom = c.apartFrom.costs, c.apartFrom.mixed, c.apartFrom.pace, was
}

// Free implements work.Governed.
func (c *Comp) Free(x work.Cost) float64 {
	free := c.governor.Free(c.now()*1e-9, stateFor(x))
	if free < 1 {
		c.limitedAt = "steps of a server"
	}
	return free
}

// Part implements work.Governed.
func (c *Comp) Part(free float64, burst, held work.Cost) float64 {
	return c.chip.Part(free, stateFor(burst), stateFor(held))
}

// stateFor is the state of a chip with a cost.
func stateFor(x work.Cost) power.State {
	return power.State{Seconds: float64(x.Time) / float64(units.Second), Energy: x.Energy}
}

// heldAssumption says what the limit has slowed down (load: auto).
func heldAssumption(name, what string, limit units.Power) string {
	return fmt.Sprintf("%s: power_limit (%s) slows down %s: the mean of power over %g ms is at most %g of it (load: auto)", name, limit, what, power.Window*1e3, power.Held)
}

// burstAssumption says how many operators take more than the limit.
func burstAssumption(name string, over int, most float64, limit units.Power) string {
	return fmt.Sprintf("%s: operators over power_limit (%s): %d, at most %s, for less time than the mean over %g ms takes to reach it (load: continuous holds each at the limit)", name, limit, over, units.Power(math.Round(most)), power.Window*1e3)
}

// limited is the cost of a kernel under the power limit. The part of its work that is free has the time of a burst. The
// rest has the clock at which the kernel keeps the limit (load: continuous and auto), or that of its graph (steady). Before a
// memory below a port the clock is that of the kernel with a memory of the chip's own.
func (c *record) limited(d graph.DType, macs, vector float64, price func() kernel.Cost) kernel.Cost {
	if c.unheld() {
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
	free := c.free(dynamic, price)
	if free == 1 {
		return c.curved(price(), price)
	}
	share := c.pace.share
	if share == 0 {
		share = c.chip.Hold(state)
	}
	if c.ownLoop() {
		free = c.chip.FreeIn(c.spec.seconds(c.spec.LoopTime), c.burstState(dynamic, price().Total), state(share))
	}
	held := func() kernel.Cost { return c.priceAt(share, c.slowness, price) }
	mixed := held
	if free > 0 {
		mixed = func() kernel.Cost { return kernel.Mix(free, price(), held()) }
	}
	cost := c.curved(mixed(), mixed)
	cost.Counts(&full)
	return cost
}

// ownLoop reports whether a kernel runs in a loop of a known time.
func (c *record) ownLoop() bool { return c.pace.of != nil && c.pace.loop }

// free is the part of a kernel's work that is done before the limit binds: that of its graph, or of a kernel in no graph. Of
// one in a loop it is 1 where the loop ends before the limit binds.
func (c *record) free(dynamic power.Parts, price func() kernel.Cost) float64 {
	if c.forced != "" || c.spec.Load != auto {
		return 0
	}
	if c.pace.of != nil && !c.pace.loop {
		return c.pace.free
	}
	b := c.burstState(dynamic, price().Total)
	if c.pace.loop {
		b = b.Times(c.spec.seconds(c.spec.LoopTime) / b.Seconds)
	}
	return c.chip.Free(b)
}

// burstState is the state of a kernel in a burst.
func (c *record) burstState(dynamic power.Parts, seconds float64) power.State {
	all, share := c.chip.Measured(dynamic, seconds, c.spec.Sustained)
	return power.State{Share: share, Seconds: seconds, Energy: all.Total()}
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
