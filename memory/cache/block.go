package cache

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// Asks implements block.Node. Bytes travel in messages, and a flush comes from outside.
func (b *base) Asks() (*engine.Port, *memory.Map, bool) {
	return b.below.port, b.below.homes, b.bytes == nil && b.flush.op == 0 && !b.incl.below && !b.incl.inclusive && !b.incl.exclusive && !b.tasks.All()
}

// Enter implements block.Node.
func (b *base) Enter(top *block.Link, below *block.Outlet) {
	b.gate, b.below.out, b.plain = top, below, b.isPlain()
	b.core.LookAtPolicy()
}

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

// take does all accesses of a request of a block. One that hits its only line is over at
// once; so most requests need no place among those that are not answered.
func (c *Functional) take(q *block.Request, cycle uint64) error {
	if q.Addr>>c.shift != (q.Addr+max(q.Bytes, 1)-1)>>c.shift || c.foresight || c.tasks.Wants(task.Access) {
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
	res := c.do(&r, &t, c.core.Slice(t.Line))
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

// Worst implements block.Quick. What one request sends below has to leave in one cycle.
func (c *Functional) Worst() (uint64, bool) {
	lines := 1
	if c.core.Prefetching() {
		lines += c.spec.Prefetch.Degree
	}
	for _, r := range c.below.homes.Ranges() {
		if len(r.Ports) > 1 && r.Interleave < uint64(c.spec.Line) {
			return 0, false
		}
	}
	if 2*lines*c.spec.Sectors+1 > quickPieces {
		return 0, false
	}
	return c.below.out.Worst()
}

// quickPieces bounds what a request sends below by what a wire takes at once, less what
// others may send in the same cycle.
const quickPieces = 32

// Ready implements block.Quick.
func (c *Functional) Ready() bool {
	return c.below.queue.Len() == 0 && c.ready.Len() == 0 && !c.tasks.Wants(task.Access) && c.below.out.Ready()
}

// Fits implements block.Quick: requests of one line.
func (c *Functional) Fits(q *block.Request) bool {
	return q.Addr>>c.shift == (q.Addr+max(q.Bytes, 1)-1)>>c.shift
}

// Quick implements block.Quick.
func (c *Functional) Quick(q *block.Request, cycle uint64) (answered uint64, err error) {
	if !q.Write && c.plain {
		return c.quickRead(q, cycle)
	}
	c.count.Count(q.Asked())
	r := &c.one
	r.hint, r.addr, r.bytes, r.write, r.at, r.order, r.left = q.Hint, q.Addr, q.Bytes, q.Write, cycle, c.count.Requests(), 1
	if r.order == 1 {
		c.count.first = cycle
	}
	if c.foresight {
		if err := c.foreseen(r); err != nil {
			return 0, err
		}
	}
	t := c.touch(r, 0)
	res := c.do(r, &t, c.core.Slice(t.Line))
	if res.Hit && !res.First && !(t.Write && t.Clean) {
		c.count.answer(0, cycle)
		return cycle, nil
	}
	return c.quickBelow(r, &t, &res, cycle)
}

// quickRead is Quick for a read of a cache without sectors, partitions and the like.
func (c *Functional) quickRead(q *block.Request, cycle uint64) (answered uint64, err error) {
	c.count.Reads++
	c.count.ReadBytes += q.Bytes
	if c.count.Requests() == 1 {
		c.count.first = cycle
	}
	if c.hits(q) {
		c.count.answer(0, cycle)
		return cycle, nil
	}
	a := c.accessOf(q)
	res := c.core.Bring(a)
	if c.profile != nil {
		c.profile.Note(q.Hint, &res)
	}
	if res.Stale == 0 {
		if answered, ok, err := c.fetch(q, cycle); ok {
			return answered, err
		}
	}
	r := &c.one
	r.hint, r.addr, r.bytes, r.write, r.at, r.order, r.left = q.Hint, q.Addr, q.Bytes, false, cycle, c.count.Requests(), 1
	return c.quickBelow(r, &tagstore.Touch{Access: a, Sectors: 1, Clean: c.clean}, &res, cycle)
}

// accessOf is the access of a read.
func (b *base) accessOf(q *block.Request) policy.Access {
	a := policy.Access{Line: q.Addr >> b.shift}
	if h := q.Hint; h != nil {
		a.PC, a.Core, a.Reuse = h.PC, h.Core, h.Reuse
		if h.About != nil {
			a.Tensor = b.tensors.Of(h)
		}
	}
	return a
}

// fetch is quickBelow for a read that wants its line and nothing else, of a memory that has
// all of it. If it is not of that kind, nothing has happened.
func (c *Functional) fetch(q *block.Request, cycle uint64) (answered uint64, ok bool, err error) {
	from, size := q.Addr>>c.shift<<c.shift, uint64(c.spec.Line)
	l := c.below.only.Find(from, size, c.below.homes, c.below.out)
	if l == nil || q.Hint == nil || q.Hint.Next != nil {
		return 0, false, nil
	}
	c.below.reads++
	c.below.readBytes += size
	c.ask = block.Request{Addr: from, Bytes: size, Hint: q.Hint}
	if answered, err = l.Quick(&c.ask, cycle); err != nil {
		return 0, true, err
	}
	c.count.answer(answered-cycle, answered)
	return answered, true, nil
}

// hits is do for the most usual of all: a read that finds its line in a cache without
// sectors, partitions and the like. If it does not, nothing has happened.
func (b *base) hits(q *block.Request) bool {
	k := b.core
	line := q.Addr >> b.shift
	set := k.Set(line)
	w := k.Way(set, line)
	switch {
	case w < 0:
		return false
	case k.Blind():
		k.HitBlind(set, w)
	default:
		a := b.accessOf(q)
		k.Hit(set, w, &a)
	}
	if b.profile != nil {
		b.profile.Note(q.Hint, &hit)
	}
	return true
}

var hit = tagstore.Result{Hit: true}

// isPlain reports whether hits holds for a cache.
func (b *base) isPlain() bool {
	k := b.core
	return k.Uniform() && b.detail == nil && b.reuse == nil &&
		b.bytes == nil && !b.foresight && len(b.spec.Regions) == 0
}

// quickBelow does what an access wants from below.
func (c *Functional) quickBelow(r *request, t *tagstore.Touch, res *tagstore.Result, cycle uint64) (answered uint64, err error) {
	i := c.requests.Take()
	*c.requests.At(i) = *r
	if err := c.follow(i, t, res); err != nil {
		return 0, err
	}
	if err := c.finish(i); err != nil {
		return 0, err
	}
	answered = cycle
	for c.below.queue.Len() > 0 {
		o := c.below.queue.Pop()
		c.below.count(o.bytes, o.write)
		seen, err := c.below.out.To(o.dst.(*engine.Port)).Quick(c.asks(&o), cycle)
		if err != nil {
			return 0, err
		}
		if o.tag != noRequester {
			answered = max(answered, seen)
		}
	}
	if c.ready.Len() > 0 { // it waits for nothing
		c.ready.Pop()
	}
	c.count.answer(answered-cycle, answered)
	*c.requests.At(i) = request{}
	c.requests.Give(i)
	return answered, nil
}

// asks is the quick request of an order.
func (c *Functional) asks(o *order) *block.Request {
	q := &c.ask
	c.hint = o.hint
	q.Addr, q.Bytes, q.Hint, q.Write = o.addr, o.bytes, &c.hint, o.write
	return q
}

// Step implements block.Node: Handle without messages.
func (c *Functional) Step(cycle uint64) (next uint64, err error) {
	for _, l := range c.below.out.Links {
		for a, ok := l.Answered(cycle); ok; a, ok = l.Answered(cycle) {
			if x := c.below.calls.Over(a.Tag); x.Note.tag != noRequester {
				c.arrived(x.Note.tag)
			}
		}
	}
	c.gate.Open(cycle)
	for c.gate.Len() > 0 {
		if err := c.take(c.gate.Pop(cycle), cycle); err != nil {
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
	defer c.judge(cycle)
	if c.shown > 0 { // answers from below may be accesses, with allocate: fill
		c.now = instant.Of(c.clock, cycle)
	}
	for _, l := range c.below.out.Links {
		for a, ok := l.Answered(cycle); ok; a, ok = l.Answered(cycle) {
			c.receive(c.below.calls.Over(a.Tag), cycle)
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
		c.end(c.answers.Pop().What, cycle)
	}
	if c.answers.Len() > 0 {
		next = min(next, c.answers.First().At)
	}
	return max(min(next, c.below.next()), cycle+1), nil
}
