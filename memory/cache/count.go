package cache

import (
	"github.com/causeway-sim/causeway/memory"
)

// counters are of requests at the upper port, in requests, bytes and cycles.
type counters struct {
	memory.Traffic
	answered, controls  uint64
	latency, latencyMax uint64
	merges              uint64 // misses that go with a fetch under way
	first, last         uint64 // cycle of the first request, of the last answer
}

func (c *counters) answer(latency, cycle uint64) {
	c.answered++
	c.latency += latency
	c.latencyMax = max(c.latencyMax, latency)
	c.last = max(c.last, cycle)
}
