package ranks

import "github.com/causeway-sim/causeway/components/task"

// Tasks implements task.Reporter: a collective per rank that takes part in it, from
// its entry to the end of its own part. Messages of the collective belong to it.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Cause implements network.Caused.
func (m *Message) Cause() task.ID { return m.cause }

// beginTask reports that a member enters a collective.
func (c *Comp) beginTask(in *instance, m int32) {
	if in.tasks == nil {
		in.tasks = make([]task.ID, len(in.member))
	}
	in.tasks[m] = c.tasks.Begin(c.time, task.Collective, c.tasks.What(in.op.Coll.String()), 0, uint64(in.op.Bytes))
}

// task is that of a member, 0 if nobody listens.
func (in *instance) task(m int32) task.ID {
	if in.tasks == nil {
		return 0
	}
	return in.tasks[m]
}
