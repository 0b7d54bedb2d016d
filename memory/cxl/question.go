package cxl

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
)

// rootHeadlines are the main metrics of a host's links to CXL memory.
var rootHeadlines = []system.Headline{
	{Metric: "load_latency_mean", Unit: stats.NS, Better: system.Less, Label: "load latency"},
	{Metric: "bandwidth", Unit: stats.GBps, Better: system.More, Label: "bandwidth"},
}

// deviceHeadlines are the main metrics of a device.
var deviceHeadlines = []system.Headline{
	{Metric: "pin_read_latency_mean", Unit: stats.NS, Better: system.Less, Label: "read latency at the pins"},
}

// rootLevers are what may help a run with such a host.
func rootLevers(setting.RootSpec) []system.Lever {
	return []system.Lever{
		system.Twice("lanes", "link.lanes"), system.Twice("outstanding lines", "outstanding"), system.Half("bridge latency", "bridge"),
		system.Half("protocol latency", "protocol"), system.Twice("link rate", "link.rate"), system.Twice("coherent cache", "cache.size"), system.Half("host latency", "host_latency"),
	}
}

func switchLevers(setting.SwitchSpec) []system.Lever {
	return []system.Lever{system.Twice("lanes", "link.lanes"), system.Half("latency", "latency"), system.Twice("link rate", "link.rate")}
}

func fabricLevers(setting.FabricSpec) []system.Lever {
	return []system.Lever{
		system.Twice("lanes to devices", "link.lanes"), system.Twice("lanes between switches", "channel.lanes"), system.Half("latency", "latency"),
		system.Half("channel latency", "channel.latency"), system.Twice("link rate", "link.rate"),
	}
}

func type3Levers(s setting.Type3Spec) []system.Lever {
	out := []system.Lever{system.Twice("entries", "entries"), system.Half("protocol latency", "protocol")}
	if s.HDM == "db" {
		out = append(out, system.Twice("snoop filter", "filter.entries"))
	}
	return out
}

func type2Levers(setting.Type2Spec) []system.Lever {
	return []system.Lever{system.Twice("entries", "entries"), system.Half("protocol latency", "protocol"), system.Twice("cache", "cache.size")}
}
