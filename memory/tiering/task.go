package tiering

import "github.com/causeway-sim/causeway/components/task"

// Tasks implements task.Reporter: a task per request, from its port to its answer, with a step
// per delay (walk, fault, stall), and a task per move. They cause the requests to the memories
// below.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// heldUp reports why a piece of a request does not go on.
func (c *Comp) heldUp(request int32, why string) {
	if c.tasks.On() {
		c.tasks.Step(c.now, c.requests.At(request).task, c.tasks.What(why))
	}
}

// beginMove reports that a move begins.
func (c *Comp) beginMove(pages int) task.ID {
	if !c.tasks.On() {
		return 0
	}
	what := "move"
	if pages > 1 {
		what = "exchange"
	}
	return c.tasks.Begin(c.now, task.Move, c.tasks.What(what), 0, uint64(pages)*uint64(c.spec.Page))
}
