package cache

import (
	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/bank"
	"github.com/causeway-sim/causeway/memory/cache/below"
	"github.com/causeway-sim/causeway/memory/cache/mshr"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// fills is the second layer of Timed: accesses to the tags, lines that come from below, and the requests
// that become done by either.
type fills struct {
	traffic
	timed   TimedSpec
	latency uint64 // cycles from a lookup to the data of a hit
	onFill  bool   // a line takes its way when it has come
	late    uint64 // hits on lines under way
	ahead   struct {
		late    uint64 // prefetched lines that were under way when an access came
		dropped uint64 // lines that a prefetch found no MSHR or no room for
	}
	banks   bank.Set
	answers calendar.Of[uint32] // requests; of one cycle in the order in which they came
}

// access does an access, and queues what has to be written below for it.
func (c *fills) access(i uint32, t *tagstore.Touch, slice int) tagstore.Result {
	r := c.requests.At(i)
	res := c.lookUpLine(r, t, slice)
	c.evict(&res, below.NoRequester, r.task)
	if t.Write && (t.Clean || res.Bypassed) {
		from, to := c.span(r, t.Line)
		f := fetch{from: from, to: to, tag: below.NoRequester}
		if !c.timed.Posted {
			f.tag = i
			r.left++
		}
		c.buffer(f, r.hintBelow())
	}
	if t.Write && res.Bypassed {
		res.Fetch = 0
	}
	return res
}

// prefetch fetches what an access calls for, as long as there are MSHRs and room
// in the write buffer; the rest is dropped. pending: the line of the access is under way.
func (c *fills) prefetch(r *request, t *tagstore.Touch, res *tagstore.Result, cycle uint64, pending bool) {
	n := c.calls(r, t, res, cycle, pending)
	if n == 0 {
		return
	}
	for d := range n {
		p, ok := c.prefetched(r, t, d)
		slice := c.core.Slice(p.Line)
		if c.prefetcher.AsksAgain() && (c.mshrs.Busy(slice) || c.full()) {
			n = d // the next read asks for them again
			break
		}
		if !ok || c.core.Has(p.Line) || c.mshrs.Of(p.Line) != nil {
			continue
		}
		if c.mshrs.Full(slice) || c.full() {
			c.ahead.dropped++
			continue
		}
		got := c.core.Prefetch(p)
		c.gone(&got)
		c.incl.Recall(got.Victim, got.Sharers)
		c.evict(&got, below.NoRequester, r.task)
		if got.Fetch != 0 {
			c.fetch(c.mshrs.Take(p.Line, slice), r, got.Fetch, cycle)
			c.prefetcher.Issue(p.Line, c.stream(r, t), cycle)
		}
	}
	c.prefetcher.Took(n)
}

// noteFill tells the prefetcher of a line that has come.
func (c *fills) noteFill(line, cycle uint64) {
	set := c.core.Set(line)
	slot, way := -1, c.core.Way(set, line)
	if way >= 0 {
		slot = set*c.core.Ways() + way
	}
	c.prefetcher.Fill(line, slot, cycle, way >= 0 && c.core.Ahead(set, way))
}

// done notes that a line of a request is done at a cycle.
func (c *fills) done(i uint32, cycle uint64) {
	r := c.requests.At(i)
	r.due = max(r.due, cycle)
	if r.left--; r.left == 0 {
		c.answers.Push(calendar.Entry[uint32]{At: r.due, Order: r.order, What: i})
	}
}

// askedBy implements receiver.
func (c *fills) askedBy(call *below.Call) *memory.Hint {
	from, _ := call.Span()
	if m := c.mshrs.Of(c.layout.Of(from)); m != nil && m.Waiting > 0 {
		return c.requests.At(m.First.Request).hint
	}
	return nil
}

// receive implements receiver.
func (c *fills) receive(s *below.Call, cycle uint64) {
	if s.Wrote() {
		c.held -= s.Note.Entries
		if s.Note.Tag != below.NoRequester {
			c.done(s.Note.Tag, cycle)
		}
		return
	}
	if s.Note.MSHR > 0 {
		c.arriveAll(s.Note.MSHR, cycle)
		return
	}
	from, to := s.Span()
	for line := c.layout.Of(from); line <= c.layout.Of(to-1); line++ {
		c.arrive(c.mshrs.Of(line), cycle)
	}
}

// receiveDirect takes the responses of a memory that is asked directly.
func (c *fills) receiveDirect(cycle uint64) {
	for call, mshr, ok := c.below.Answered(cycle); ok; call, mshr, ok = c.below.Answered(cycle) {
		if call != nil {
			c.receive(call, cycle)
			continue
		}
		c.arriveAll(mshr, cycle)
	}
}

// arriveAll is arrive for the lines of one request below, given the number plus 1 of the
// register of the first.
func (c *fills) arriveAll(i int32, cycle uint64) {
	for i > 0 {
		m := &c.mshrs.Registers[i-1]
		i = m.Chain
		c.arrive(m, cycle)
	}
}

// arrive notes an answer from below that brings a line or a part of it.
func (c *fills) arrive(m *mshr.Register, cycle uint64) {
	m.Pieces--
	if m.Pieces == 0 && m.Unsent == 0 {
		c.fill(m, cycle)
	}
}

// fill serves those who wait for a line that has come, and frees its MSHR.
func (c *fills) fill(m *mshr.Register, cycle uint64) {
	due := cycle + c.latency - c.tag
	for first := true; ; first = false {
		w, ok := c.mshrs.Shift(m)
		if !ok {
			break
		}
		if c.onFill {
			t := c.touch(c.requests.At(w.Request), int(w.K))
			res := c.access(w.Request, &t, int(m.Slice))
			switch {
			case res.Hit:
				c.late++
			case !first:
				c.count.merges++
			}
			if res.First {
				c.ahead.late++
			}
		}
		c.done(w.Request, due)
	}
	if c.prefetcher.Timed() {
		c.noteFill(m.Line, cycle)
	}
	c.mshrs.Release(m)
	c.banks.Wake(int(m.Slice)*c.timed.Banks, c.timed.Banks)
}
