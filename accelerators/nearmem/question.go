package nearmem

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of an offload.
var headlines = []system.Headline{
	{Metric: system.TotalTime, Unit: stats.NS, Better: system.Less, Label: "time"},
}

func goal(Spec) string { return system.TotalTime }

// levers are what may help an offload.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("units of the device", "device.units"), system.Twice("memory of the device", "device.bandwidth"), system.Twice("link bandwidth", "link.bandwidth"),
		system.Half("link latency", "link.mem", "link.io"), system.Twice("units of the host", "host.units"), system.Twice("memory of the host", "host.bandwidth"),
		system.Half("polling", "remote_polling"), system.Half("looking", "local_polling"), system.Twice("lanes", "link.lanes"),
	}
}
