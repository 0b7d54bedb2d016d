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

// A Caused message has the task that sent it, as a request has in its hint.
type Caused interface{ Cause() task.ID }

// Tasks implements task.Reporter: a task per message, from its arrival at the network to its
// departure.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Sampled is the packets of a flit network per packet that is reported as a task.
const Sampled = 64

// Watched reports whether more packets are reported as tasks.
func (c *Comp) Watched() bool { return c.tasks.Wants(task.Flit) }

// BeginFlit starts the task of a sampled packet that enters the network. A core calls it,
// PassFlit and EndFlit during Advance.
func (c *Comp) BeginFlit(message task.ID, terminal, bytes int) task.ID {
	return c.tasks.Begin(c.time, task.Flit, c.tasks.What("terminal "+strconv.Itoa(terminal)), message, uint64(bytes))
}

// TaskOf returns the task of a message in the network.
func (c *Comp) TaskOf(message int32) task.ID { return c.slots[message].task }

// PassFlit reports that a sampled packet leaves a router for another one.
func (c *Comp) PassFlit(id task.ID, router int) {
	c.tasks.Step(c.time, id, c.tasks.What("router "+strconv.Itoa(router)))
}

// EndFlit ends the task of a sampled packet that has arrived.
func (c *Comp) EndFlit(id task.ID) { c.tasks.End(c.time, id) }

// causeOf returns the task that sent a message, 0 if unknown.
func causeOf(m sim.Msg) task.ID {
	if x, ok := m.(Caused); ok {
		return x.Cause()
	}
	q, _ := memory.RequestOf(m)
	return q.Hint.Cause()
}

// what returns whether a message is a request, an answer or another message.
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

// explain reports the parts of the latency of an arrived message.
func (c *Comp) explain(s *slot, injected uint64, hops int) {
	if s.task == 0 || !c.tasks.Explains() {
		return
	}
	at := func(cycle uint64) sim.VTimeInSec { return instant.Of(c.Clock(), cycle) }
	c.tasks.Explain(s.task, c.tasks.What("waits to enter the network"), at(s.taken), at(injected), 0)
	way := fmt.Sprintf("terminal %d to %d, %d hops", s.src, s.dst, hops)
	c.tasks.Explain(s.task, c.tasks.What(way), at(injected), at(c.now), 0)
}
