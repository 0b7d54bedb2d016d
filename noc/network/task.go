package network

import (
	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// A Caused message tells the task that sent it, as a request does in its hint.
type Caused interface{ Cause() task.ID }

// Tasks implements task.Reporter: a message from the link that brought it to the link
// that takes it.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// causeOf is the task that a message belongs to, 0 if it does not tell.
func causeOf(m sim.Msg) task.ID {
	if x, ok := m.(Caused); ok {
		return x.Cause()
	}
	if q, ok := memory.RequestOf(m); ok && q.Hint != nil {
		return q.Hint.Task
	}
	return 0
}

// what tells requests from answers and from other messages.
func what(m sim.Msg) task.What {
	switch m.(type) {
	case *mem.ReadReq:
		return task.Read
	case *mem.WriteReq:
		return task.Write
	case sim.Rsp:
		return task.Answer
	}
	return task.Send
}
