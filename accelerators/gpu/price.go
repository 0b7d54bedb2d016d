package gpu

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Attender = (*Comp)(nil)

// Attend implements work.Attender: all queries are one kernel. Chunks of prompts add up,
// sequences that decode go as so many with the mean of their entries, and there is one
// launch.
func (c *Comp) Attend(parts []work.Attention, d graph.DTypes) units.Time {
	var chunks []graph.Attention
	var decode graph.Attention
	requests, entries := 0, 0
	for _, p := range parts {
		if p.Queries > 1 {
			chunks = append(chunks, p.Attention)
			continue
		}
		decode = p.Attention
		decode.Batch /= p.Requests
		requests += p.Requests
		entries += p.Requests * p.Keys
	}
	if requests > 0 {
		decode.Batch, decode.Keys = decode.Batch*requests, (entries+requests-1)/requests
	}
	if c.prof != nil {
		if s, ok := c.prof.attend(chunks, float64(requests), float64(entries)/float64(max(requests, 1))); ok {
			return inTime(s)
		}
	}
	if requests > 0 {
		chunks = append(chunks, decode)
	}
	total, launches := 0.0, 0
	for i, p := range chunks {
		_, cost := c.plan(&work.Share{Graph: p.Alone(d)}, 0, 0)
		launches = max(launches, cost.Kernels)
		if total += cost.Total; i > 0 {
			total -= min(cost.Launch, cost.Total)
		}
	}
	if c.host.Each > 0 {
		total = max(total, float64(launches)*c.spec.seconds(c.spec.Host.Launch))
	}
	return inTime(total)
}

func inTime(seconds float64) units.Time {
	return units.Time(math.Round(seconds * float64(units.Second)))
}
