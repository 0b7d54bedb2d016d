package profile

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are what a reader asks of a table of times besides the time of the run.
var headlines = []system.Headline{
	{Metric: "compute_cycles", Unit: stats.Cycle, Better: system.Less, Label: "cycles of its layers"},
}

// levers are what may help a run: a table of times knows nothing but its clock.
func levers(Spec) []system.Lever { return []system.Lever{system.Twice("clock", "clock")} }
