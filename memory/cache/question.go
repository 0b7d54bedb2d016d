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

// levers are what may help a run with a cache that only keeps state. The line is not among them:
// the goal counts missed lines, so lines of two sizes are two units. A line twice as long halves the
// misses of a stream that reads the same bytes.
func levers(s Spec) []system.Lever {
	return append([]system.Lever{system.Twice("size", "size"), system.Twice("ways", "ways")}, prefetchLevers(s)...)
}

func prefetchLevers(s Spec) []system.Lever {
	n := s.Prefetch.Degree()
	if n == 0 {
		return nil
	}
	return []system.Lever{system.Twice("prefetch degree", "prefetch.degree").Starting(n)}
}

// timedLevers are what may help a run with a cache with time.
func timedLevers(s TimedSpec) []system.Lever {
	return append([]system.Lever{
		system.Twice("size", "size"), system.Half("latency", "latency", "tag_latency"), system.Twice("MSHRs", "mshrs"), system.Twice("write buffer", "write_buffer"),
		system.Twice("banks", "banks"), system.Twice("clock", "clock"), system.Twice("ways", "ways"),
		system.Twice("line", "line"), system.Half("line", "line"),
	}, prefetchLevers(s.Spec)...)
}
