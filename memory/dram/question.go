package dram

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a memory.
var headlines = []system.Headline{
	{Metric: "bandwidth", Unit: stats.GBps, Better: system.More, Label: "bandwidth"},
	{Metric: "read_latency_from_arrival_mean_ns", Unit: stats.NS, Better: system.Less, Label: "read latency"},
}

// levers are what may help a run with such a memory.
func levers(s Spec) []system.Lever {
	ranks := system.Twice("ranks", "ranks")
	if g, err := s.find(); err == nil && s.Ranks == 0 {
		ranks = ranks.Starting(g.Organisation.Ranks)
	}
	return []system.Lever{
		system.Twice("channels", "channels"), system.Half("controller latency", "latency"),
		ranks, system.Twice("read queue", "read_queue"), system.Twice("write queue", "write_queue", "write_high", "write_low"),
	}
}
