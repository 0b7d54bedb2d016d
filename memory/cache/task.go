package cache

import (
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// Tasks implements task.Reporter: an access per request, with a step for each of its
// lines that is looked up.
func (t *requestTable) Tasks() *task.Source { return &t.tasks }

// beginTask reports a request that was taken from the port.
func (t *requestTable) beginTask(r *request) {
	parent, what := task.ID(0), task.ReadWrite(r.write)
	if r.hint != nil {
		parent = r.hint.Task
	}
	if _, ok := r.msg.(*memory.ControlReq); ok {
		what = task.Flush
	}
	r.task = t.tasks.Begin(t.now, task.Access, what, parent, r.bytes)
}

// step reports what became of a lookup.
func (t *requestTable) step(r *request, res *tagstore.Result) {
	what := task.Miss
	switch {
	case res.Hit:
		what = task.Hit
	case res.Bypassed:
		what = task.Bypass
	}
	t.tasks.Step(t.now, r.task, what)
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
