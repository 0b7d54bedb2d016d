package scratchpad

import "github.com/causeway-sim/causeway/components/stats"

// declare declares the metrics of a scratchpad in addition to those of memories.
func (c *Comp) declare() {
	g := c.Stats()
	g.Count("conflict_cycles", stats.Cycle, "Cycles by which requests began later since another was at their banks.", &c.timing.conflicts)
	g.Value("capacity", stats.Byte, "Bytes that it holds.", func() (float64, bool) { return float64(c.spec.Capacity), true })
	planned := func(name, text string, n *int64) {
		g.Value(name, stats.Byte, text, func() (float64, bool) { return float64(*n), c.plan.Peak >= 0 })
	}
	planned("planned_peak", "Most bytes that have a tenant at a time, by the plan.", &c.plan.Peak)
	planned("kept_bytes", "Results between groups that stay, by the plan.", &c.plan.Kept)
	planned("spilled_bytes", "Results between groups that found no room and go to memory, by the plan.", &c.plan.Spilled)
}
