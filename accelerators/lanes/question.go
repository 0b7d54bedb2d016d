package lanes

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of an engine besides the time of the run.
var headlines = []system.Headline{
	{Metric: "utilization", Unit: stats.Percent, Better: system.Neither, Label: "used"},
}

// levers are what may help a run on such an engine.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("lanes", "lanes"), system.Twice("width", "width"), system.Twice("memory bandwidth", "memory"), system.Twice("buffer", "buffer"),
		system.Twice("clock", "clock"), system.Half("overhead", "overhead"),
	}
}
