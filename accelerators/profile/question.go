package profile

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a table of times besides the time of the run.
var headlines = []system.Headline{
	{Metric: "compute_cycles", Unit: stats.Cycle, Better: system.Less, Label: "cycles of its layers"},
}

// levers are the keys that may speed up a run: only the clock.
func levers(Spec) []system.Lever { return []system.Lever{system.Twice("clock", "clock")} }
