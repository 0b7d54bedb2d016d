package cache

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// headlines are what a reader asks of a cache.
var headlines = []system.Headline{
	{Metric: "misses", Unit: stats.One, Better: system.Less, Label: "misses"},
	{Metric: "miss_ratio", Unit: stats.One, Better: system.Less, Label: "miss ratio"},
}

// timedHeadlines are those of a cache with time.
var timedHeadlines = append(headlines[:len(headlines):len(headlines)],
	system.Headline{Metric: "latency_mean", Unit: stats.NS, Better: system.Less, Label: "latency"})

// goal of what a functional cache is driven by: it takes no time of its own.
func goal(Spec) string { return "misses" }

// levers are what may help a run with a cache that only keeps state.
func levers(s Spec) []system.Lever {
	out := []system.Lever{system.Twice("size", "size"), system.Twice("ways", "ways"), system.Twice("line", "line"), system.Half("line", "line")}
	if s.Prefetch.Name != "none" {
		out = append(out, system.Twice("prefetch degree", "prefetch.degree"))
	}
	return out
}

// timedLevers are what may help a run with a cache with time.
func timedLevers(s TimedSpec) []system.Lever {
	return append([]system.Lever{
		system.Twice("size", "size"), system.Half("latency", "latency", "tag_latency"), system.Twice("MSHRs", "mshrs"),
		system.Twice("banks", "banks"), system.Twice("clock", "clock"), system.Twice("ways", "ways"),
	}, levers(s.Spec)[2:]...)
}
