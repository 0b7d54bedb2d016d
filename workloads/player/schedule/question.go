package schedule

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a schedule. A step of training is one request: its time is the
// step's.
var headlines = []system.Headline{
	{Metric: "latency_mean", Unit: stats.NS, Better: system.Less, Label: "time of a request", Unless: system.StepTime},
	{Metric: "latency_p99", Unit: stats.NS, Better: system.Less, Label: "time of a request, 99th percentile", Unless: system.StepTime},
	{Metric: "throughput", Unit: stats.Rate, Better: system.More, Label: "requests per second", Unless: system.StepTime},
	{Metric: "deadline_misses", Unit: stats.Request, Better: system.Less, Label: "deadlines missed", Unless: system.StepTime},
}

// goal is the mean time of a request. If requests do not arrive over time, the run's goal is its
// time.
func goal(Spec) string { return "latency_mean" }
