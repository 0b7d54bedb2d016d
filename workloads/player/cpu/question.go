package cpu

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a processor core.
var headlines = []system.Headline{
	{Metric: "access_time", Unit: stats.NS, Better: system.Less, Label: "time per access"},
	{Metric: "load_latency_mean", Unit: stats.NS, Better: system.Less, Label: "load latency"},
	{Metric: "bandwidth", Unit: stats.GBps, Better: system.More, Label: "bandwidth"},
}

func goal(Spec) string { return "access_time" }

// levers are what may help a program on such a core.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("clock", "clock"), system.Twice("window", "window"), system.Twice("translations", "tlb.entries"), system.Twice("chains", "chains"),
		system.Twice("loads under way", "loads"), system.Twice("ports", "ports"), system.Twice("second-level translations", "tlb.second.entries"),
	}
}
