package spatial

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of an accelerator besides the time of the run.
var headlines = []system.Headline{
	{Metric: "utilization", Unit: stats.Percent, Better: system.Neither, Label: "used"},
	{Metric: "energy", Unit: stats.PJ, Better: system.Less, Label: "energy"},
}

// levers are what may help a run on such an accelerator: each level's capacity and
// bandwidth, the clock, and what is between the chip and its memory.
func levers(s Spec) []system.Lever {
	out := []system.Lever{system.Twice("clock", "clock")}
	for _, l := range s.Levels {
		out = append(out, system.Twice(l.Name+" capacity", "levels."+l.Name+".capacity"),
			system.Twice(l.Name+" bandwidth", "levels."+l.Name+".read_bandwidth", "levels."+l.Name+".write_bandwidth"))
	}
	if s.works() {
		out = append(out, system.Twice("outstanding requests", "dma.outstanding"), system.Twice("vector lanes", "vector.lanes"))
	}
	return out
}
