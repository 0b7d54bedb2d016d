package cache

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/memory/bound"
)

// Machine is the cache, and the memory below it as the address map names its
// rate, for the analytical model; without what the cores compute. It also returns
// the name of the policy.
func (t *Timed) Machine() (m bound.Machine, policy string) {
	s := &t.timed
	m.Capacity = float64(s.Size)
	m.Cache = float64(s.Slices) * float64(s.Banks) * float64(t.width) / seconds(t.clock, 1)
	seen := map[sim.Port]bool{}
	for _, r := range t.below.Homes.Ranges() {
		for i, p := range r.Ports {
			if seen[p] {
				continue
			}
			seen[p] = true
			path := r.Paths[i]
			if path.Bandwidth == 0 {
				m.Memory = math.Inf(1)
			}
			m.Memory += float64(path.Bandwidth) / 8
			m.Latency = max(m.Latency, seconds(path.Clock, path.Request+path.Latency)+seconds(t.clock, path.Response+t.latency))
		}
	}
	return m, s.Policy.Name
}

func seconds(c clock.Clock, cycles uint64) float64 {
	return float64(cycles) * float64(c.Num()) / float64(c.Den())
}
