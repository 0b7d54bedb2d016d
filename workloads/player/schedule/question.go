package schedule

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a schedule.
var headlines = []system.Headline{
	{Metric: "latency_mean", Unit: stats.NS, Better: system.Less, Label: "time of a request"},
	{Metric: "latency_p99", Unit: stats.NS, Better: system.Less, Label: "time of a request, 99th percentile"},
	{Metric: "throughput", Unit: stats.Rate, Better: system.More, Label: "requests per second"},
	{Metric: "deadline_misses", Unit: stats.Request, Better: system.Less, Label: "deadlines missed"},
}

// goal is the mean time of a request. If requests do not arrive over time, the run's goal is its
// time.
func goal(Spec) string { return "latency_mean" }
