package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/gpu/launch"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are what a reader asks of a GPU besides the time of the run.
var headlines = []system.Headline{
	{Metric: "utilization", Unit: stats.Percent, Better: system.Neither, Label: "used"},
	{Metric: "memory_utilization", Unit: stats.Percent, Better: system.Neither, Label: "memory used"},
}

// levers are what may help a run on such a GPU.
func levers(s Spec) []system.Lever {
	launches := system.Half("launch", "host.graph")
	if s.Launch.Mode == launch.Eager {
		launches = system.Half("launch", "host.launch")
	}
	return []system.Lever{
		system.Twice("memory bandwidth", "memory"), system.Twice("SMs", "sms"), system.Twice("tensor cores", "tensor"), system.Twice("clock", "clock"),
		launches, system.Twice("L2 bandwidth", "l2_bandwidth"), system.Twice("L2", "l2_size"), system.Half("memory latency", "memory_latency"), system.Twice("vector units", "vector"),
	}
}

// tileLevers are those of a GPU whose memory is a node of its own.
func tileLevers(s Spec) []system.Lever {
	if s.Outstanding == 0 {
		return levers(s)[1:]
	}
	return append(levers(s)[1:], system.Twice("outstanding requests", "outstanding"))
}
