package ideal

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a memory.
var headlines = []system.Headline{
	{Metric: "bandwidth", Unit: stats.GBps, Better: system.More, Label: "bandwidth"},
	{Metric: "latency_mean", Unit: stats.NS, Better: system.Less, Label: "latency"},
}

// levers are what may help a run with such a memory.
func levers(Spec) []system.Lever {
	return []system.Lever{system.Twice("bandwidth", "bandwidth"), system.Half("latency", "latency")}
}
