package steps

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a service besides its time.
var headlines = []system.Headline{
	{Metric: "item_time", Unit: stats.NS, Better: system.Less, Label: "time for each answer"},
	{Metric: "bandwidth", Unit: stats.GBps, Better: system.More, Label: "bandwidth"},
	{Metric: "read_latency_mean", Unit: stats.NS, Better: system.Less, Label: "read latency"},
}

func goal(Spec) string { return system.TotalTime }

// levers are what may help a service.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("outstanding requests", "outstanding"), system.Twice("steps ahead", "ahead"), system.Twice("compute", "compute"), system.Twice("burst", "burst"),
	}
}
