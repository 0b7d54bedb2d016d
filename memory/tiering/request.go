package tiering

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// A request is a message that is not answered yet.
type request struct {
	msg   sim.Msg
	asked memory.Request
	at    uint64 // cycle in which it was taken
	left  int32  // pieces that are not answered
	task  task.ID
}

// open is the number of requests that are not answered.
func (c *Comp) open() int { return c.requests.Taken() }

// accept cuts a request into pages.
func (c *Comp) accept(msg sim.Msg, cycle uint64) error {
	q, ok := memory.RequestOf(msg)
	if !ok {
		panic(fmt.Sprintf("tiering: %s at cycle %d: %T is no memory request", c.Name(), cycle, msg))
	}
	c.count.Count(q)
	if c.count.arrive(cycle) {
		copy(c.warm, c.load)
	}
	i := c.requests.Take()
	*c.requests.At(i) = request{msg: msg, asked: q, at: cycle, left: 1, task: c.tasks.Begin(c.now, task.Tiered, task.ReadWrite(q.Write), q.Hint.Cause(), q.Bytes)} // until all pieces are known
	for addr, bytes := q.Addr, max(q.Bytes, 1); bytes > 0; {
		page, ok := c.table.page(addr)
		if !ok {
			return memory.BadInputf("%s: address %#x, which %s asks for, has no home below", c.Name(), addr, msg.Meta().Src.Name())
		}
		size := uint64(1) << c.table.shift
		n := min(bytes, size-addr&(size-1))
		c.requests.At(i).left++
		if err := c.translate(piece{addr: addr, bytes: n, request: i, page: page, write: q.Write}, cycle); err != nil {
			return err
		}
		addr, bytes = addr+n, bytes-n
	}
	c.done(i)
	return nil
}

// done notes that a part of a request is.
func (c *Comp) done(i int32) {
	r := c.requests.At(i)
	if r.left--; r.left == 0 {
		c.ready.Push(i)
	}
}

// respond sends the answers that are ready.
func (c *Comp) respond(now sim.VTimeInSec, cycle uint64) error {
	for c.ready.Len() > 0 && c.top.CanSend() {
		i := c.ready.Pop()
		r := c.requests.At(i)
		if c.top.Send(c.responses.Respond(r.msg, c.top, now)) != nil {
			return fmt.Errorf("tiering: %s: the wire refused a message after it had room", c.Name())
		}
		c.count.answer(cycle, cycle-r.at, r.asked.Bytes, !r.asked.Write)
		c.tasks.End(now, r.task)
		*r = request{} // the requester may reuse or drop the message
		c.requests.Give(i)
	}
	return nil
}
