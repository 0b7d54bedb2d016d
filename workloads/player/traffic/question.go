package traffic

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a network under load.
var headlines = []system.Headline{
	{Metric: "packet_latency_mean", Phase: "measure", Unit: stats.Cycle, Better: system.Less, Label: "packet latency", Unless: "saturated"},
	{Metric: "accepted_load", Phase: "measure", Unit: stats.Load, Better: system.More, Label: "accepted load"},
	{Metric: "packet_latency_p99", Phase: "measure", Unit: stats.Cycle, Better: system.Less, Label: "packet latency, 99th percentile", Unless: "saturated"},
	{Metric: "saturation_load", Phase: "measure", Unit: stats.Load, Better: system.More, Label: "saturation load"},
}

// goal is the latency at a load below saturation, and the load of a search for it.
func goal(s Spec) string {
	if s.Search.Repeats > 0 {
		return "saturation_load"
	}
	return "packet_latency_mean"
}

// levers are what may help: less load.
func levers(s Spec) []system.Lever {
	if s.Search.Repeats > 0 {
		return nil
	}
	return []system.Lever{system.Half("load", "load")}
}
