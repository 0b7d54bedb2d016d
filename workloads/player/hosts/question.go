package hosts

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of hosts besides the time of the run.
var headlines = []system.Headline{
	{Metric: "bandwidth", Unit: stats.GBps, Better: system.More, Label: "bandwidth"},
	{Metric: "read_packet_latency_mean", Unit: stats.NS, Better: system.Less, Label: "read latency"},
}

func goal(Spec) string { return system.TotalTime }

// levers are what may help hosts.
func levers(Spec) []system.Lever {
	return []system.Lever{system.Twice("outstanding packets", "outstanding"), system.Half("overhead", "overhead"), system.Twice("packet", "packet")}
}
