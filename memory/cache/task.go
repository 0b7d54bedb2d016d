package cache

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// Tasks implements task.Reporter: an access per request, with a step for each of its
// lines that is looked up.
func (b *base) Tasks() *task.Source { return &b.tasks }

// beginTask reports a request that was taken from the port.
func (b *base) beginTask(r *request) {
	parent, what := task.ID(0), task.ReadWrite(r.write)
	if r.hint != nil {
		parent = r.hint.Task
	}
	if _, ok := r.msg.(*memory.ControlReq); ok {
		what = task.Flush
	}
	r.task = b.tasks.Begin(b.now, task.Access, what, parent, r.bytes)
}

// step reports what became of a lookup.
func (b *base) step(r *request, res *tagstore.Result) {
	what := task.Miss
	switch {
	case res.Hit:
		what = task.Hit
	case res.Bypassed:
		what = task.Bypass
	}
	b.tasks.Step(b.now, r.task, what)
}

// hintBelow is the hint of what a request sends below: its own, with the request's
// task as the cause.
func (r *request) hintBelow() (h memory.Hint) {
	r.causes(&h)
	return h
}

// causes writes that hint over one that says nothing.
func (r *request) causes(h *memory.Hint) {
	if r.hint != nil {
		*h = *r.hint
		h.Next, h.Keeps, h.Victim, h.Dirty = nil, false, memory.NoVictim, false
	}
	if r.task != 0 {
		h.Task = r.task
	}
}

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
