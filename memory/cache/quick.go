package cache

import (
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cache/below"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// quick is the second layer of Functional: requests of a block that are answered by a call, one by one
// here, several at once in quick_reads.go.
type quick struct {
	runs
	one    request       // a quick request, ...
	ask    block.Request // ... what it asks for below, ...
	hint   memory.Hint   // ... and the hint of that
	missed block.Reads   // what Reads wants from below
}

// Worst implements block.Quick. What one request sends below has to leave in one cycle.
func (c *quick) Worst() (uint64, bool) {
	lines := 1
	lines += c.prefetcher.Most()
	for _, r := range c.below.Homes.Ranges() {
		if len(r.Ports) > 1 && r.Interleave < uint64(c.spec.Line) {
			return 0, false
		}
	}
	if 2*lines*c.spec.Sectors+1 > quickPieces {
		return 0, false
	}
	cycles, ok := c.below.Out.Worst()
	if !ok {
		return 0, false
	}
	longest := c.layout.Bytes()
	if c.core.Prefetching() { // lines side by side go below together
		longest += uint64(c.spec.Burst)
	}
	for _, l := range c.below.Out.Links {
		if !l.Fits(&block.Request{Bytes: longest}) {
			return 0, false
		}
	}
	return cycles, true
}

// quickPieces bounds what a request sends below by what a wire takes at once, less what
// others may send in the same cycle.
const quickPieces = 32

// Ready implements block.Quick.
func (c *quick) Ready() bool {
	return c.below.Queue.Len() == 0 && c.ready.Len() == 0 && !c.tasks.Wants(task.Access) && c.below.Out.Ready()
}

// Fits implements block.Quick: requests of one line.
func (c *quick) Fits(q *block.Request) bool {
	return q.Addr>>c.layout.Shift == (q.Addr+max(q.Bytes, 1)-1)>>c.layout.Shift
}

// Quick implements block.Quick.
func (c *quick) Quick(q *block.Request, cycle uint64) (answered uint64, err error) {
	if !q.Write && c.plain {
		return c.quickRead(q, cycle)
	}
	c.count.Count(q.Asked())
	r := &c.one
	r.hint, r.addr, r.bytes, r.write, r.at, r.order, r.left = q.Hint, q.Addr, q.Bytes, q.Write, cycle, c.count.Requests(), 1
	if r.order == 1 {
		c.count.first = cycle
	}
	if c.foresight.on {
		if err := c.foreseen(r); err != nil {
			return 0, err
		}
	}
	t := c.touch(r, 0)
	res := c.lookUpLine(r, &t, c.core.Slice(t.Line))
	if res.Hit && !res.First && !(t.Write && t.Clean) {
		c.count.answer(0, cycle)
		return cycle, nil
	}
	return c.quickBelow(r, &t, &res, cycle)
}

// quickRead is Quick for a read of a cache without sectors, partitions and the like.
func (c *quick) quickRead(q *block.Request, cycle uint64) (answered uint64, err error) {
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

// fetch is quickBelow for a read that wants its line and nothing else, of a memory that has
// all of it. If it is not of that kind, nothing has happened.
func (c *quick) fetch(q *block.Request, cycle uint64) (answered uint64, ok bool, err error) {
	from, size := c.layout.Start(c.layout.Of(q.Addr)), uint64(c.spec.Line)
	l := c.below.Only.Find(from, size, c.below.Homes, c.below.Out)
	if l == nil || q.Hint == nil || q.Hint.Next != nil {
		return 0, false, nil
	}
	c.below.Count(size, false)
	c.ask = block.Request{Addr: from, Bytes: size, Hint: q.Hint}
	if answered, err = l.Quick(&c.ask, cycle); err != nil {
		return 0, true, err
	}
	c.count.answer(answered-cycle, answered)
	return answered, true, nil
}

// quickBelow does what an access wants from below.
func (c *quick) quickBelow(r *request, t *tagstore.Touch, res *tagstore.Result, cycle uint64) (answered uint64, err error) {
	i := c.requests.Take()
	*c.requests.At(i) = *r
	if err := c.follow(i, t, res); err != nil {
		return 0, err
	}
	if err := c.finish(i); err != nil {
		return 0, err
	}
	answered = cycle
	for c.below.Queue.Len() > 0 {
		o := c.below.Queue.Pop()
		c.below.Count(o.Bytes, o.Write)
		seen, err := c.below.Out.To(o.Dst.(*engine.Port)).Quick(c.asks(&o), cycle)
		if err != nil {
			return 0, err
		}
		if o.Tag != below.NoRequester {
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
func (c *quick) asks(o *below.Order) *block.Request {
	q := &c.ask
	c.hint = o.Hint
	q.Addr, q.Bytes, q.Hint, q.Write = o.Addr, o.Bytes, &c.hint, o.Write
	return q
}
