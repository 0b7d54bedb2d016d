package curve

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
)

// headlines are the main metrics of a memory.
var headlines = []system.Headline{
	{Metric: "bandwidth", Unit: stats.GBps, Better: system.More, Label: "bandwidth"},
	{Metric: "latency_mean", Unit: stats.NS, Better: system.Less, Label: "latency"},
}

// levers are what may help a run with such a memory. Curves without a bandwidth of their own
// key start from their built-in peak.
func levers(s Spec) []system.Lever {
	wider := system.Twice("bandwidth", "bandwidth")
	if shape, ok := findShape(s.Curve.name); ok && s.Bandwidth == 0 {
		wider = wider.Starting(units.Bandwidth(shape.Peak * 8e9))
	}
	return []system.Lever{wider, system.Half("latency", "latency")}
}
