package serve

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a server.
var headlines = []system.Headline{
	{Metric: "tokens_per_second", Unit: stats.Rate, Better: system.More, Label: "tokens per second"},
	{Metric: "ttft_p50", Unit: stats.NS, Better: system.Less, Label: "time to first token, median"},
	{Metric: "tpot_p50", Unit: stats.NS, Better: system.Less, Label: "time per output token, median"},
	{Metric: "ttft_p99", Unit: stats.NS, Better: system.Less, Label: "time to first token, 99th percentile"},
	{Metric: "goodput", Unit: stats.Rate, Better: system.More, Label: "requests per second within the target"},
	{Metric: "request_latency_mean", Unit: stats.NS, Better: system.Less, Label: "time of a request"},
}

// goal is the mean time of a request, because the throughput follows from the arrivals.
func goal(Spec) string { return "request_latency_mean" }

// levers are what may help a server.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("memory for keys and values", "kv_memory"), system.Twice("sequences", "sequences"), system.Twice("tokens of a step", "tokens"), system.Half("overhead", "overhead"),
	}
}
