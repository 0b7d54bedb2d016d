package gpu

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Attender = (*Comp)(nil)

// Attend implements work.Attender: all queries are one kernel, which is that of a file of measured
// times if it has one. There, sequences that decode are as many with the mean of their entries.
func (c *Comp) Attend(parts []work.Attention, d graph.DTypes) units.Time {
	if len(parts) == 0 {
		return 0
	}
	if c.prof != nil {
		prompts, decode, entries := meanDecode(parts)
		if s, ok := c.prof.attend(prompts, float64(decode.Requests), float64(entries)/float64(max(decode.Requests, 1))); ok {
			return inTime(s)
		}
	}
	c.pace = pace{} // what is in no graph has a clock of its own
	cost := c.joint(parts, d)
	total := cost.Total
	if c.host.Each > 0 {
		total = max(total, float64(cost.Kernels)*c.spec.seconds(c.spec.Host.Launch))
	}
	return inTime(total)
}

func inTime(seconds float64) units.Time {
	return units.Time(math.Round(seconds * float64(units.Second)))
}
