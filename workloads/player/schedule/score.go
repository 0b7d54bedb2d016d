package schedule

import (
	"math"

	"github.com/causeway-sim/causeway/components/units"
)

// A tally is what the scores need to know of a workload.
type tally struct {
	requests, dropped, missed int
	merit                     float64 // sum over served requests of promptness times thrift
	energy                    float64 // pJ
	worst                     float64 // pJ, had each served request been where it costs most
}

// tallies are those of all workloads and of requests that ended until a time (0: all); ok
// is false where deadlines or energies are not known.
func (c *Comp) tallies(until units.Time) (out []tally, ok bool) {
	if c.state == nil {
		return nil, false
	}
	out = make([]tally, len(c.loads))
	for i := range c.served {
		s := &c.served[i]
		if s.Deadline == 0 || !s.Finished() && !s.Dropped {
			return nil, false
		}
		if until > 0 && s.End > until {
			continue
		}
		t := &out[s.Of]
		t.requests++
		if s.Missed() {
			t.missed++
		}
		if s.Dropped {
			t.dropped++
			continue
		}
		m := &c.state.Models[s.Of]
		worst := 0.0
		for e := range c.Executors() {
			if m.Allowed(e) {
				worst = max(worst, m.Energy(e))
			}
		}
		if worst == 0 {
			return nil, false
		}
		t.energy += s.Energy
		t.worst += worst
		late := float64(int64(s.End)-int64(s.Deadline)) / float64(units.Millisecond)
		prompt := 1 / (1 + math.Exp(c.spec.Score.Steepness*late))
		limit := float64(c.spec.Score.Energy) * 1e12
		t.merit += prompt * (limit - s.Energy) / limit
	}
	made := out[:0] // of some workloads chance made no request
	for i := range out {
		if len(c.loads[i].Times) == 0 {
			continue
		}
		if out[i].requests == 0 {
			return nil, false
		}
		made = append(made, out[i])
	}
	return made, len(made) > 0
}
