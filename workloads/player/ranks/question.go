package ranks

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a parallel program besides its time.
var headlines = []system.Headline{
	{Metric: "bus_bandwidth", Unit: stats.GBps, Better: system.More, Label: "bus bandwidth"},
	{Metric: "bound_share", Unit: stats.Percent, Better: system.Neither, Label: "of the bound by bytes"},
	{Metric: "wait_time_mean", Unit: stats.NS, Better: system.Neither, Label: "time without computing, mean"},
}

func goal(Spec) string { return system.TotalTime }

// levers are what may help a parallel program.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Half("interface overhead", "nic.overhead"), system.Twice("interface", "nic.bandwidth"), system.Twice("memory bandwidth", "memory"),
		system.Half("computation", "scale"), system.Twice("compute", "compute"), system.Twice("eager limit", "nic.eager"),
	}
}
