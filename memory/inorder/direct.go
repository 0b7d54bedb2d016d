package inorder

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"

	fifo "github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/direct"
)

// asked is the state of a memory that gets requests directly.
type asked struct {
	*direct.Link
	coming fifo.Of[arrival] // requests that have not arrived
	left   uint64           // the cycle in which the last answer leaves, ...
	of     int              // ... and the answers that leave in it
	open   int              // requests that have arrived and are not answered
}

// An arrival is a request that arrives in a cycle.
type arrival struct {
	at  uint64
	q   memory.Request
	tag uint32
}

// Answers implements direct.Memory.
func (c *Comp) Answers() int { return PortBuffer }

// RunsAhead implements direct.Memory: a request is looked at when it arrives, and its answer is counted
// when it leaves.
func (c *Comp) RunsAhead() bool { return false }

// Join implements direct.Memory. It returns false if the memory holds bytes or reports tasks.
func (c *Comp) Join(l *direct.Link) bool {
	if c.data != nil || c.link != nil || c.queue.n > 0 || c.tasks.Wants(task.Memory) {
		return false
	}
	c.direct = &asked{Link: l}
	return true
}

// Ask implements direct.Memory.
func (c *Comp) Ask(arrives uint64, q memory.Request, tag uint32) {
	c.direct.coming.Push(arrival{arrives, q, tag})
	c.ticker.WakeAt(arrives)
}

// receiveDirect takes the requests that arrive in a cycle.
func (c *Comp) receiveDirect(cycle uint64) {
	d := c.direct
	for d.coming.Len() > 0 && d.coming.At(0).at <= cycle {
		x := d.coming.Pop()
		due := c.take(&x.q, cycle)
		if due > d.left {
			d.left, d.of = due, 0
		}
		if d.of == PortBuffer { // the wire takes no more in a cycle
			d.left, d.of = d.left+1, 0
		}
		d.of++
		d.open++
		d.Answer(d.left, c.count.Requests(), direct.Answer{Tag: x.tag, Latency: d.left - cycle, Bytes: x.q.Bytes})
	}
}

// Answered implements direct.Memory.
func (c *Comp) Answered(left uint64, a *direct.Answer) {
	c.direct.open--
	c.count.answer(a.Latency, left, a.Bytes)
}

// catchUp counts the requests that have arrived and the answers that have left until now: those of this
// instant too, whichever event of it comes first.
func (c *Comp) catchUp(now float64) {
	if c.link != nil {
		return
	}
	at := c.ticker.Engine().CurrentTime()
	if !math.IsInf(now, 1) {
		at = sim.VTimeInSec(now)
	}
	cycle := c.ticker.Cycle(at)
	if c.direct != nil {
		c.receiveDirect(cycle)
		c.direct.Settle(cycle)
		return
	}
	for i := range c.queue.n {
		p := c.queue.at(i)
		if p.due > cycle {
			return
		}
		if p.due == cycle && !p.counted {
			p.counted = true
			c.count.answer(p.due-p.at, p.due, p.bytes)
		}
	}
}
