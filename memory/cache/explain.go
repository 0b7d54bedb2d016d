package cache

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
)

// For a run that is explained, a cache notes until when the last line of a request waited for its
// bank. The time after that is the latency of a hit, or belongs to the request below.

// A look is the last lookup of a request.
type look struct {
	at  uint64
	why string // what the line waited for, besides the bank
}

// looked notes a lookup of a request in a cycle, and what had held it up.
func (c *Timed) looked(i uint32, cycle uint64, why *uint64) {
	if c.looks == nil {
		c.looks = map[uint32]look{}
	}
	word := "waits for its banks"
	switch why {
	case &c.waits.mshr:
		word = "waits for an MSHR"
	case &c.waits.merge:
		word = "waits: as many requests wait for its line as may"
	case &c.waits.buffer:
		word = "waits for room in the write buffer"
	}
	c.looks[i] = look{at: cycle, why: word}
}

// explain reports what the time of a request, which is answered in this cycle, went to.
func (c *Timed) explain(i uint32, cycle uint64) {
	x, ok := c.looks[i]
	if !ok {
		return
	}
	delete(c.looks, i)
	r := c.requests.At(i)
	tell := func(what string, from, to uint64) {
		if from < to {
			c.tasks.Explain(r.task, c.tasks.What(what), instant.Of(c.clock, from), instant.Of(c.clock, to), 0)
		}
	}
	tell(x.why, r.at, x.at)
	if cycle <= x.at+c.latency {
		tell("looks up the last line", x.at, cycle)
	}
}
