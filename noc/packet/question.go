package packet

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/noc/network"
)

// headlines are those of a network; with congestion control the completion of flows comes first.
var headlines = append([]system.Headline{
	{Metric: "flow_completion_mean", Unit: stats.NS, Better: system.Less, Label: "mean flow completion"},
	{Metric: "flow_completion_p99", Unit: stats.NS, Better: system.Less, Label: "p99 flow completion"},
}, network.Headlines...)

func levers(s Spec) []system.Lever {
	if s.On() {
		return append(s.Spec.Spec.Levers(), system.Half("router latency", "router.latency"), system.Twice("queues", "queue.size"))
	}
	return append(s.Spec.Spec.Levers(), system.Half("router latency", "router.latency"), system.Twice("buffers", "buffer"))
}
