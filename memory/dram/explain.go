package dram

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
)

// The time of a request is explained only in a run that records explanations of tasks, by the
// stages of its last burst.

// burstStages are the clocks at which a burst passed its stages.
type burstStages struct {
	accepted, first, column, done int64
	met                           uint8
}

// metWords are what happens between the first command of a burst and its column command.
var metWords = [mets]string{metHit: "waits for the bus", metMiss: "opens its row", metConflict: "bank conflict: another row is closed, and its own opened"}

// ask makes the channels report the stages of bursts.
func (c *Comp) ask() {
	if c.stages != nil {
		return
	}
	c.stages = map[uint32]burstStages{}
	for _, g := range c.gangs {
		g.tell = c.noteStages
	}
}

// noteStages notes a burst whose column command is issued at a clock.
func (c *Comp) noteStages(e *entry, at, done int64) {
	if e.tag&posted == 0 && done >= c.stages[e.tag].done {
		c.stages[e.tag] = burstStages{accepted: e.accepted, first: e.first, column: at, done: done, met: e.met}
	}
}

// explain reports what the time of a request, which is answered, went to.
func (c *Comp) explain(i uint32, r *request) {
	x, ok := c.stages[i]
	if !ok {
		return
	}
	delete(c.stages, i)
	from := r.at
	tell := func(what string, to int64) {
		if to > from {
			c.tasks.Explain(r.task, c.tasks.What(what), c.clockAt(from), c.clockAt(to), 0)
			from = to
		}
	}
	tell("waits for a place in the queue of its channel", x.accepted)
	tell("waits in the queue of its channel", x.first)
	tell(metWords[x.met], x.column)
	tell("column access and transfer", x.done)
	tell("controller and interface", x.done+c.extra)
}

func (c *Comp) clockAt(cycle int64) sim.VTimeInSec { return instant.Of(c.clock, uint64(cycle)) }

// beginTask reports a request that was taken from the port.
func (c *Comp) beginTask(now sim.VTimeInSec, what task.What, cause task.ID, bytes uint64) task.ID {
	if c.tasks.Explains() {
		c.ask()
	}
	return c.tasks.Begin(now, task.Memory, what, cause, bytes)
}
