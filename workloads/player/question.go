package player

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are the main metrics of a driver.
var headlines = []system.Headline{
	{Metric: "bandwidth", Unit: stats.GBps, Better: system.More, Label: "bandwidth"},
	{Metric: "read_latency_from_arrival_mean_ns", Unit: stats.NS, Better: system.Less, Label: "read latency"},
	{Metric: "read_latency_from_arrival_p99_ns", Unit: stats.NS, Better: system.Less, Label: "read latency, 99th percentile"},
}

// goal is the time of a trace that is played as fast as it can be, the bandwidth of one that
// ends at a given time, and the latency where requests arrive by themselves.
func goal(s Spec) string {
	switch {
	case s.Mode.Kind != Closed:
		return "read_latency_from_arrival_mean_ns"
	case !s.Until.IsZero():
		return "bandwidth"
	}
	return system.TotalTime
}

// levers are what may help a driver: more requests under way.
func levers(s Spec) []system.Lever {
	if s.Mode.Kind != Closed {
		return nil
	}
	return []system.Lever{system.Twice("outstanding requests", "mode")}
}
