package network

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// Headlines are the main metrics of a network of any fidelity.
var Headlines = []system.Headline{
	{Metric: "message_latency_mean", Unit: stats.Cycle, Better: system.Less, Label: "message latency"},
	{Metric: "throughput", Unit: stats.GBps, Better: system.More, Label: "throughput"},
}

// Levers returns the keys that may speed up a run with a network of any fidelity. Channels whose
// rate follows from width and clock are changed by the width.
func (s *Spec) Levers() []system.Lever {
	return []system.Lever{
		system.Twice("channel width", "width"), system.Half("local latency", "local.latency"), system.Half("global latency", "global.latency"),
		system.Half("terminal latency", "terminal.latency"), system.Twice("terminal bandwidth", "terminal.bandwidth"),
		system.Twice("local bandwidth", "local.bandwidth"), system.Twice("global bandwidth", "global.bandwidth"),
	}
}
