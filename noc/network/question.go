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
// rate follows from width and clock are changed by the width. Where channels have rates of their own, those
// come first, and the width last.
func (s *Spec) Levers() []system.Lever {
	width := system.Twice("channel width", "width")
	local, global, terminal := system.Half("local latency", "local.latency"), system.Half("global latency", "global.latency"), system.Half("terminal latency", "terminal.latency")
	rates := []system.Lever{system.Twice("local bandwidth", "local.bandwidth"), system.Twice("global bandwidth", "global.bandwidth"), system.Twice("terminal bandwidth", "terminal.bandwidth")}
	if s.Local.Bandwidth == 0 && s.Global.Bandwidth == 0 && s.Terminal.Bandwidth == 0 {
		return append([]system.Lever{width, local, global, terminal}, rates...) // of which none has a value
	}
	return []system.Lever{rates[0], rates[1], local, rates[2], global, terminal, width}
}
