package tiering

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of tiers.
var headlines = []system.Headline{
	{Metric: "read_latency_mean", Unit: stats.NS, Better: system.Less, Label: "read latency"},
	{Metric: "moves", Unit: stats.One, Better: system.Neither, Label: "moves"},
}

// levers are what may help a run with tiers.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("migration bandwidth", "migration.bandwidth"), system.Twice("translations", "tlb.entries"), system.Half("interval", "interval"),
		system.Twice("outstanding requests", "outstanding"), system.Half("fault", "fault"),
	}
}
