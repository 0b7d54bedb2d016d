package cache

import "github.com/causeway-sim/causeway/components/clock/instant"

// For a run that is explained, a cache notes until when the last line of a request waited for its
// bank. The time after that is the latency of a hit, or belongs to the request below.

// A look is the last lookup of a request.
type look struct {
	at  uint64
	why string // what the line waited for, besides the bank
}

// looks are those of requests; nil: no observer wants explanations.
type looks map[uint32]look

var lookNames = [deeds]string{
	queueing:   "waits for its banks",
	lacksMSHR:  "waits for an MSHR",
	lacksMerge: "waits: as many requests wait for its line as may",
	lacksRoom:  "waits for room in the write buffer",
}

// note notes a lookup of a request in a cycle, and what had held it up.
func (l *looks) note(i uint32, cycle uint64, why activity) {
	if *l == nil {
		*l = looks{}
	}
	(*l)[i] = look{at: cycle, why: lookNames[why]}
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
