package cache

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
)

// Asks implements block.Node. Bytes travel in messages, and a flush comes from outside.
func (b *base) Asks() (*engine.Port, *memory.Map, bool) {
	return b.below.port, b.below.homes, b.bytes == nil && b.flush.op == 0 && !b.tasks.All()
}

// Enter implements block.Node.
func (b *base) Enter(top *block.Link, below *block.Outlet) { b.gate, b.below.out = top, below }

// begin notes a request of a block.
func (b *base) begin(q *block.Request, cycle uint64) (uint32, error) {
	i := b.note(q.Asked(), cycle)
	r := b.requests.At(i)
	r.tag = q.Tag
	if b.tasks.Wants(task.Access) {
		b.now = instant.Of(b.clock, cycle)
		b.beginTask(r)
		b.shown++
	}
	if b.foresight {
		return i, b.foreseen(r)
	}
	return i, nil
}

// end answers a request of a block.
func (b *base) end(i uint32, cycle uint64) {
	r := b.requests.At(i)
	b.gate.Answer(cycle, r.tag)
	b.count.answer(cycle-r.at, cycle)
	if r.task != 0 {
		b.tasks.End(instant.Of(b.clock, cycle), r.task)
		b.shown--
	}
	*r = request{}
	b.requests.Give(i)
}

// ask sends what the wire takes, as send does.
func (b *below) ask(cycle uint64) {
	for b.queue.Len() > 0 && b.out.CanSend(cycle) {
		o := b.queue.Pop()
		b.askFor(&o, cycle)
	}
}

// askFor sends one order on a wire that has room.
func (b *below) askFor(o *order, cycle uint64) {
	x := b.call(o)
	l := b.out.To(o.dst.(*engine.Port))
	x.Ask(o.write, o.addr, o.bytes, o.dst)
	b.out.Send(l, cycle, block.Request{Addr: o.addr, Bytes: o.bytes, Hint: &x.Hint, Tag: x.Number(), Write: o.write})
}

// next is the cycle in which an answer comes.
func (b *below) next() uint64 {
	next := block.Never
	for _, l := range b.out.Links {
		next = min(next, l.Next())
	}
	return next
}

// Step implements block.Node: Handle without messages.
func (c *Functional) Step(cycle uint64) (next uint64, err error) {
	for _, l := range c.below.out.Links {
		for a, ok := l.Answered(cycle); ok; a, ok = l.Answered(cycle) {
			if x := c.below.calls.Over(a.Tag); x.Note.tag != nobody {
				c.arrived(x.Note.tag)
			}
		}
	}
	c.gate.Open(cycle)
	for c.gate.Len() > 0 {
		i, err := c.begin(c.gate.Peek(), cycle)
		if err != nil {
			return 0, err
		}
		c.gate.Pop(cycle)
		if err := c.carryOut(i); err != nil {
			return 0, err
		}
	}
	c.below.ask(cycle)
	for c.ready.Len() > 0 && c.gate.CanAnswer(cycle) {
		c.end(c.ready.Pop(), cycle)
	}
	next = min(c.gate.Due(cycle), c.below.next())
	if c.ready.Len() > 0 {
		next = cycle + 1
	}
	return next, nil
}

// Step implements block.Node: Handle without messages.
func (c *Timed) Step(cycle uint64) (next uint64, err error) {
	for _, l := range c.below.out.Links {
		for a, ok := l.Answered(cycle); ok; a, ok = l.Answered(cycle) {
			c.receive(c.below.calls.Over(a.Tag), cycle)
		}
	}
	c.gate.Open(cycle)
	for c.waiting < c.room && c.gate.Len() > 0 {
		i, err := c.begin(c.gate.Peek(), cycle)
		if err != nil {
			return 0, err
		}
		c.gate.Pop(cycle)
		c.enter(i, cycle)
	}
	if c.shown > 0 {
		c.now = instant.Of(c.clock, cycle)
	}
	next = c.work(cycle)
	sending, err := c.sendBelow(0, cycle)
	if err != nil {
		return 0, err
	}
	next = min(next, sending, c.gate.Due(cycle))
	if c.waiting < c.room && c.gate.Len() > 0 {
		next = cycle + 1
	}
	for c.answers.Due(cycle) && c.gate.CanAnswer(cycle) {
		c.end(c.answers.Pop().What, cycle)
	}
	if c.answers.Len() > 0 {
		next = min(next, c.answers.First().At)
	}
	return max(min(next, c.below.next()), cycle+1), nil
}
