package network

import (
	"fmt"
	"strconv"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// A Caused message tells the task that sent it, as a request does in its hint.
type Caused interface{ Cause() task.ID }

// Tasks implements task.Reporter: a message from the link that brought it to the link
// that takes it.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Sampled is how many packets of a flit network there are for each that is reported.
const Sampled = 64

// Watched reports whether further packets are to be reported.
func (c *Comp) Watched() bool { return c.tasks.Wants(task.Flit) }

// BeginFlit reports that a sampled packet of a message enters the network now; a core
// calls it, and the two below, during Advance.
func (c *Comp) BeginFlit(message task.ID, terminal, bytes int) task.ID {
	return c.tasks.Begin(c.time, task.Flit, c.tasks.What("terminal "+strconv.Itoa(terminal)), message, uint64(bytes))
}

// TaskOf is the task of a message that is in the network.
func (c *Comp) TaskOf(message int32) task.ID { return c.slots[message].task }

// PassFlit reports that a sampled packet leaves a router to another one.
func (c *Comp) PassFlit(id task.ID, router int) {
	c.tasks.Step(c.time, id, c.tasks.What("router "+strconv.Itoa(router)))
}

// EndFlit reports that a sampled packet has come whole.
func (c *Comp) EndFlit(id task.ID) { c.tasks.End(c.time, id) }

// causeOf is the task that a message belongs to, 0 if it does not tell.
func causeOf(m sim.Msg) task.ID {
	if x, ok := m.(Caused); ok {
		return x.Cause()
	}
	q, _ := memory.RequestOf(m)
	return q.Hint.Cause()
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

// explain reports what the time of a message that has come went to, up to now.
func (c *Comp) explain(s *slot, injected uint64, hops int) {
	if s.task == 0 || !c.tasks.Explains() {
		return
	}
	at := func(cycle uint64) sim.VTimeInSec { return instant.Of(c.Clock(), cycle) }
	c.tasks.Explain(s.task, c.tasks.What("waits to enter the network"), at(s.taken), at(injected), 0)
	way := fmt.Sprintf("terminal %d to %d, %d hops", s.src, s.dst, hops)
	c.tasks.Explain(s.task, c.tasks.What(way), at(injected), at(c.now), 0)
}
