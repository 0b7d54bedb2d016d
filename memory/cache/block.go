package cache

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory/block"
)

// take does all accesses of a request of a block. One that hits its only line is over at
// once; so most requests need no place among those that are not answered.
func (c *Functional) take(q *block.Request, cycle uint64) error {
	if q.Addr>>c.layout.Shift != (q.Addr+max(q.Bytes, 1)-1)>>c.layout.Shift || c.foresight.on || c.tasks.Wants(task.Access) {
		i, err := c.begin(q, cycle)
		if err != nil {
			return err
		}
		return c.carryOut(i)
	}
	c.count.Count(q.Asked())
	r := request{hint: q.Hint, addr: q.Addr, bytes: q.Bytes, write: q.Write, at: cycle, order: c.count.Requests(), tag: q.Tag, left: 1}
	if r.order == 1 {
		c.count.first = cycle
	}
	t := c.touch(&r, 0)
	res := c.lookUpLine(&r, &t, c.core.Slice(t.Line))
	if res.Hit && !res.First && !(t.Write && t.Clean) && c.ready.Len() == 0 && c.gate.CanAnswer(cycle) {
		c.gate.Answer(cycle, r.tag)
		c.count.answer(0, cycle)
		return nil
	}
	i := c.requests.Take()
	*c.requests.At(i) = r
	if err := c.follow(i, &t, &res); err != nil {
		return err
	}
	return c.finish(i)
}

// Step implements block.Node: Handle without messages.
func (c *Functional) Step(cycle uint64) (next uint64, err error) {
	for _, l := range c.below.Out.Links {
		for a, ok := l.Answered(cycle); ok; a, ok = l.Answered(cycle) {
			c.receive(c.below.Calls.Over(a.Tag), cycle)
		}
	}
	c.gate.Open(cycle)
	for c.gate.Len() > 0 {
		if err := c.take(c.gate.Pop(cycle), cycle); err != nil {
			return 0, err
		}
	}
	c.below.Ask(cycle)
	for c.ready.Len() > 0 && c.gate.CanAnswer(cycle) {
		c.end(c.ready.Pop(), cycle)
	}
	next = min(c.gate.Due(cycle), c.below.Next())
	if c.ready.Len() > 0 {
		next = cycle + 1
	}
	return next, nil
}

// Step implements block.Node: Handle without messages.
func (c *Timed) Step(cycle uint64) (next uint64, err error) {
	defer c.judge(cycle)
	if c.shown > 0 { // answers from below may be accesses, with allocate: fill
		c.now = instant.Of(c.clock, cycle)
	}
	for _, l := range c.below.Out.Links {
		for a, ok := l.Answered(cycle); ok; a, ok = l.Answered(cycle) {
			c.receive(c.below.Calls.Over(a.Tag), cycle)
		}
	}
	c.gate.Open(cycle)
	for c.waiting < c.room && c.gate.Len() > 0 {
		i, err := c.begin(c.gate.Pop(cycle), cycle)
		if err != nil {
			return 0, err
		}
		c.enter(i, cycle)
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
		i := c.answers.Pop().What
		if c.looks != nil {
			c.explain(i, cycle)
		}
		c.end(i, cycle)
	}
	if c.answers.Len() > 0 {
		next = min(next, c.answers.First().At)
	}
	return max(min(next, c.below.Next()), cycle+1), nil
}
