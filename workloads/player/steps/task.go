package steps

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
)

// Tasks implements task.Reporter: a step from its first read (or its computing, if it reads
// nothing) to the end of its computing, and its reads.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// stepTask is the task of a step that is open.
func (c *Comp) stepTask(step int, now sim.VTimeInSec) task.ID {
	id := &c.open[c.play.slot(step)]
	if *id == 0 {
		*id = c.tasks.Begin(now, task.Iteration, c.tasks.What("step"), 0, 0)
	}
	return *id
}

// report reports the steps that have ended since step turn computed, and the one that
// computes now.
func (c *Comp) report(turn int, now sim.VTimeInSec) {
	if !c.tasks.On() {
		return
	}
	for ; turn < c.play.turn; turn++ {
		c.tasks.End(now, c.stepTask(turn, now))
		c.open[c.play.slot(turn)] = 0
	}
	if !c.play.over() && c.play.end != never {
		c.stepTask(turn, now)
	}
}
