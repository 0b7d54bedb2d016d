package ranks

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A Straggler is a rank that is slow, late, or fails.
type Straggler struct {
	Rank  int            `yaml:"rank" jsonschema:"minimum=0" doc:"Which rank"`
	Scale *float64       `yaml:"scale" doc:"Factor on the times of its computations, sums and copies, besides scale of all; left out: 1"`
	Late  units.Latency  `yaml:"late" doc:"When it begins; 0ns: at once, as the others"`
	Fails *units.Latency `yaml:"fails" doc:"When it begins nothing more; those that wait for it never end, and the run is stuck. Left out: never"`
}

// A slowdown holds the parameters of a straggler, in cycles.
type slowdown struct {
	scale float64 // 0: as the others
	fails uint64  // 0: never
	late  uint64
}

// slow scales a number of cycles by the straggler's factor.
func (r *rank) slow(cycles uint64) uint64 {
	if r.slowdown.scale == 0 {
		return cycles
	}
	return uint64(math.Round(float64(cycles) * r.slowdown.scale))
}

// failed reports whether a rank begins nothing more.
func (c *Comp) failed(rank int32) bool {
	f := c.ranks[rank].slowdown.fails
	return f > 0 && c.now >= f
}

// strains notes the stragglers at their ranks.
func (c *Comp) strains() error {
	var errs configs.Errors
	seen := map[int]bool{}
	for i, s := range c.spec.Stragglers {
		bad := func(format string, args ...any) {
			errs.Add(c.fail("stragglers[%d]: %s", i, fmt.Sprintf(format, args...)))
		}
		switch {
		case s.Rank < 0 || s.Rank >= len(c.ranks):
			bad("rank is %d (want 0 to %d)", s.Rank, len(c.ranks)-1)
			continue
		case seen[s.Rank]:
			bad("rank %d is there already", s.Rank)
		case s.Scale == nil && s.Late.IsZero() && s.Fails == nil:
			bad("rank %d is as the others (want scale, late or fails)", s.Rank)
		case s.Scale != nil && !(*s.Scale > 0 && *s.Scale <= maxSlow):
			bad("scale is %v (want more than 0, to %d)", *s.Scale, maxSlow)
		}
		seen[s.Rank] = true
		x := &c.ranks[s.Rank].slowdown
		x.late = s.Late.In(c.Clock())
		if s.Scale != nil {
			x.scale = *s.Scale
		}
		if s.Fails != nil {
			x.fails = max(1, s.Fails.In(c.Clock()))
		}
	}
	return errs.Err()
}

// maxSlow bounds how slow a rank can be.
const maxSlow = 1_000_000
