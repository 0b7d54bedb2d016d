package memlink

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of memory at the end of a link.
var headlines = []system.Headline{
	{Metric: "latency_mean", Unit: stats.NS, Better: system.Less, Label: "latency"},
	{Metric: "bandwidth", Unit: stats.GBps, Better: system.More, Label: "bandwidth"},
}

// levers are what may help a run with such a link.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("bandwidth", "bandwidth"), system.Half("latency", "latency"), system.Twice("outstanding operations", "outstanding"),
		system.Twice("links", "links"), system.Twice("threads", "operation.threads"), system.Half("software", "operation.software"),
	}
}
