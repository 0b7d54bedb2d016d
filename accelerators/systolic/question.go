package systolic

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are what a reader asks of a core besides the time of the run.
var headlines = []system.Headline{
	{Metric: "utilization", Unit: stats.Percent, Better: system.More, Label: "used"},
}

// levers are what may help a run on such a core.
func levers(s Spec) []system.Lever {
	out := []system.Lever{system.Twice("array sides", "rows", "cols"), system.Twice("clock", "clock")}
	if s.Timing == KernelTiming {
		return append(out, system.Twice("arrays", "arrays"), system.Twice("VMEM", "vmem"), system.Half("launch", "launch"))
	}
	out = append(out, system.Twice("buffers", "sram"))
	if s.Timing == Physical {
		out = append(out, system.Twice("vector lanes", "vector.lanes"), system.Twice("outstanding requests", "dma.outstanding"))
	}
	return out
}
