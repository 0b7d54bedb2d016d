package roofline

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a roofline besides the time of the run.
var headlines = []system.Headline{
	{Metric: "utilization", Unit: stats.Percent, Better: system.Neither, Label: "used"},
	{Metric: "memory_utilization", Unit: stats.Percent, Better: system.Neither, Label: "memory used"},
}

// levers are what may help a run on such a node.
func levers(Spec) []system.Lever {
	out := []system.Lever{
		system.Twice("memory bandwidth", "memory"), system.Twice("compute", "compute"), system.Half("overhead", "overhead"), system.Twice("prefetch", "prefetch"),
	}
	return append(out, system.Twice("interface", "nic.bandwidth"), system.Half("interface overhead", "nic.overhead"))
}
