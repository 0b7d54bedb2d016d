package inorder

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
)

// Asks implements block.Node. Bytes travel in messages.
func (c *Comp) Asks() (*engine.Port, *memory.Map, bool) {
	return nil, nil, c.data == nil && !c.tasks.All()
}

// Enter implements block.Node.
func (c *Comp) Enter(top *block.Link, _ *block.Outlet) { c.link = top }

// Step implements block.Node: Handle without messages.
func (c *Comp) Step(cycle uint64) (next uint64, err error) {
	l := c.link
	l.Open(cycle)
	for l.Len() > 0 {
		q := l.Pop(cycle)
		c.count.Count(q.Asked())
		if c.count.Requests() == 1 {
			c.count.first = cycle
		}
		p := pending{bytes: q.Bytes, due: c.timing.Due(cycle, q.Bytes, q.Write), at: cycle, tag: q.Tag}
		c.pass(p.bytes, p.due)
		if c.tasks.Wants(task.Memory) {
			p.task = c.tasks.Begin(instant.Of(c.clock, cycle), task.Memory, task.ReadWrite(q.Write), q.Hint.Cause(), q.Bytes)
		}
		c.queue.push(p)
	}
	next = l.Due(cycle)
	for c.queue.n > 0 {
		p := c.queue.head()
		if p.due > cycle {
			return min(next, p.due), nil
		}
		if !l.CanAnswer(cycle) {
			return cycle + 1, nil
		}
		l.Answer(cycle, p.tag)
		c.count.answer(cycle-p.at, cycle, p.bytes)
		if p.task != 0 {
			c.tasks.End(instant.Of(c.clock, cycle), p.task)
		}
		c.queue.pop()
	}
	return next, nil
}

// Worst implements block.Quick.
func (c *Comp) Worst() (uint64, bool) {
	if k, ok := c.timing.(Constant); ok {
		return k.Constant()
	}
	return 0, false
}

// Ready implements block.Quick.
func (c *Comp) Ready() bool { return !c.tasks.Wants(task.Memory) }

// Fits implements block.Quick.
func (c *Comp) Fits(*block.Request) bool { return true }

// Quick implements block.Quick.
func (c *Comp) Quick(q *block.Request, cycle uint64) (uint64, error) {
	c.count.Count(q.Asked())
	if c.count.Requests() == 1 {
		c.count.first = cycle
	}
	due := c.timing.Due(cycle, q.Bytes, q.Write)
	c.pass(q.Bytes, due)
	c.count.answer(due-cycle, due, q.Bytes)
	return due, nil
}

// Hits implements block.Quick: no read is answered at once.
func (c *Comp) Hits(*block.Reads) int { return 0 }

// Saw implements block.Quick.
func (c *Comp) Saw(int, uint64, uint64) {}

// Takes implements block.Quick.
func (c *Comp) Takes(*block.Reads) bool {
	_, ok := c.Worst()
	return ok && c.moved == nil
}

// Reads implements block.Quick.
func (c *Comp) Reads(r *block.Reads) int {
	latency, ok := c.Worst()
	if !ok {
		return 0
	}
	for i := range r.Addr {
		r.Wait(i, latency)
	}
	return len(r.Addr)
}

// Seen implements block.Quick.
func (c *Comp) Seen(r *block.Reads) {
	n := uint64(r.N)
	if n == 0 {
		return
	}
	latency, _ := c.Worst()
	k := &c.count
	if k.Requests() == 0 {
		k.first = r.First
	}
	k.Reads += n
	k.ReadBytes += n * r.Bytes
	k.answered += n
	k.bytesDone += n * r.Bytes
	k.latency += n * latency
	k.latencyMax = max(k.latencyMax, latency)
	k.last = max(k.last, r.Last+latency)
}
