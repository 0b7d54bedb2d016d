package cxl

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// Tasks implements task.Reporter: a task per request, from the host's port to the
// answer. What the fabric sends to memories behind the root and the devices has it as
// its cause.
func (r *Root) Tasks() *task.Source { return &r.tasks }

// beginTask reports a request that was taken from the host's port at t.
func (r *Root) beginTask(q *request, m *memory.Request, t int64) {
	q.told = true
	if r.tasks.Wants(task.CXL) {
		q.task = r.tasks.Begin(instant.Of(fine, uint64(t)), task.CXL, task.ReadWrite(m.Write), m.Hint.Cause(), m.Bytes)
	}
}
