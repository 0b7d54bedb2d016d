package gpu

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Attender = (*Comp)(nil)

// Attend implements work.Attender: all queries are one kernel, which is that of a file of measured
// times if it has one. There, sequences that decode are as many with the mean of their entries.
func (c *Comp) Attend(parts []work.Attention, d graph.DTypes) work.Cost {
	if len(parts) == 0 {
		return work.Cost{}
	}
	if c.prof != nil {
		prompts, decode, entries := meanDecode(parts)
		if s, ok := c.prof.attend(prompts, float64(decode.Requests), float64(entries)/float64(max(decode.Requests, 1))); ok {
			cost := c.joint(parts, d, 0)
			cost.Share, cost.Free = 0, kernel.Free{} // the time is measured
			energy, share := c.attended(parts, d, cost, s)
			return work.Cost{Time: inTime(s), Energy: energy, Clock: share}
		}
	}
	c.pace = pace{} // what is in no graph has a clock of its own
	cost := c.joint(parts, d, 0)
	total := cost.Total
	if c.host.Each > 0 {
		total = max(total, float64(cost.Kernels)*c.spec.seconds(c.spec.Host.Launch))
	}
	energy, share := c.attended(parts, d, cost, total)
	return work.Cost{Time: inTime(total), Energy: energy, Clock: share}
}

// attended is the energy of the kernel in so many seconds, and its clock over the full one.
func (c *Comp) attended(parts []work.Attention, d graph.DTypes, cost kernel.Cost, seconds float64) (pj, share float64) {
	if !c.priced() || seconds <= 0 {
		return 0, 0
	}
	var macs, vector float64
	for _, p := range parts {
		macs += float64(p.Attention.MACs())
		vector += float64(p.Attention.VectorOps())
	}
	g := parts[0].Alone(d)
	all, share := c.energyOf(c.dynamic(typeOf(g, &g.Ops[0]), macs, vector, &cost), seconds, cost.Share, cost.Free)
	return all.Total(), share
}

// Credit implements work.Credited.
func (c *Comp) Credit(x work.Cost) {
	c.credit.Time += x.Time
	c.credit.Energy += x.Energy
	c.overTime.step(c.now(), x, c.chip.Idle)
	if x.Time > 0 {
		c.governor.Add(c.now()*1e-9, stateFor(x), x.Limited)
	}
}

// LastActivity implements system.Rester.
func (c *record) LastActivity() float64 {
	if c.end == nil {
		return 0
	}
	return c.clock.Nanoseconds(*c.end)
}

// RestUntil implements system.Rester.
func (c *record) RestUntil(ns float64) {
	c.until = ns
	c.overTime.static.Add(c.chip.Idle*1e3*ns, 0, ns)
}

func inTime(seconds float64) units.Time {
	return units.Time(math.Round(seconds * float64(units.Second)))
}
