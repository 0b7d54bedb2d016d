package dram

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
)

// Asks implements block.Node. A device that holds bytes needs messages.
func (c *Comp) Asks() (*engine.Port, *memory.Map, bool) {
	return nil, nil, c.data == nil && !c.tasks.All()
}

// Enter implements block.Node.
func (c *Comp) Enter(top *block.Link, _ *block.Outlet) { c.link = top }

// Step implements block.Node: Handle without messages.
func (c *Comp) Step(cycle uint64) (next uint64, err error) {
	l, now := c.link, int64(cycle)
	l.Open(cycle)
	for l.Len() > 0 {
		q := l.Pop(cycle)
		id := task.ID(0)
		if c.tasks.Wants(task.Memory) {
			id = c.beginTask(instant.Of(c.clock, cycle), task.ReadWrite(q.Write), q.Hint.Cause(), q.Bytes)
		}
		i := c.bring(q.Asked(), now, id)
		r := c.requests.At(i)
		c.count.arrived(q.Asked(), r.left, now)
		r.tag, r.bytes = q.Tag, q.Bytes
	}
	next = min(l.Due(cycle), c.carryOn(now))
	for c.answers.Due(cycle) {
		if !l.CanAnswer(cycle) {
			return cycle + 1, nil
		}
		i := c.answers.Pop().What
		r := c.requests.At(i)
		c.count.bytesDone += r.bytes
		l.Answer(cycle, r.tag)
		c.count.answer(now-r.at, now)
		if r.task != 0 {
			c.tasks.End(instant.Of(c.clock, cycle), r.task)
		}
		if c.stages != nil {
			c.explain(i, r)
		}
		*r = request{}
		c.requests.Give(i)
	}
	if c.answers.Len() > 0 {
		next = min(next, c.answers.First().At)
	}
	return next, nil
}
