package cache

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/mshr"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// lookUp does one lookup and returns for how many cycles it takes the bank; 0 if it
// has to wait, and what for.
func (c *Timed) lookUp(b *bank, l lookup, cycle uint64) (moved uint64, why *uint64) {
	r := c.requests.At(l.request)
	if c.fastReads && !r.write && r.task == 0 {
		return c.read(b, l, r, cycle)
	}
	return c.find(l, r, cycle)
}

// find is lookUp of any access to any cache.
func (c *Timed) find(l lookup, r *request, cycle uint64) (moved uint64, why *uint64) {
	t := c.touch(r, int(l.k))
	from, to := c.span(r, t.Line)
	moved = max((to-from+c.width-1)/c.width, 1)
	if m := c.mshrs.Of(t.Line); m != nil {
		if why := c.join(m, l, &t, cycle); why != nil {
			return 0, why
		}
		return moved, nil
	}
	lacks, present := c.core.Lacks(&t)
	if (lacks != 0 || !present || t.Write && t.Clean) && c.full() {
		return 0, &c.waits.buffer
	}
	slice := c.core.Slice(t.Line)
	if lacks != 0 {
		if c.mshrs.Full(slice) {
			return 0, &c.waits.mshr
		}
		if c.onFill {
			m := c.mshrs.Take(t.Line, slice)
			c.request(m, r, lacks, cycle)
			c.mshrs.Wait(m, l.request, int(l.k))
			return moved, nil
		}
	}
	res := c.access(l.request, &t, slice)
	var m *mshr.Register
	if res.Fetch != 0 {
		m = c.mshrs.Take(t.Line, slice)
		c.request(m, r, res.Fetch, cycle)
	}
	c.ahead(r, &t, &res, cycle)
	if m != nil && (!t.Write || !c.timed.Posted) {
		c.mshrs.Wait(m, l.request, int(l.k))
		return moved, nil
	}
	c.line(l.request, cycle+c.latency+moved-1)
	return moved, nil
}

// stand is how things are for the lines that wait for a bank. Those that had to wait wait
// on as long as it is the same: only their bank looks up their lines.
func (c *Timed) stand(bank int) stand {
	return stand{c.mshrs.Came[bank/c.timed.Banks], c.full()}
}

// join lets an access wait for a line that is under way, unless too many do, and
// returns what it has to wait for first.
func (c *Timed) join(m *mshr.Register, l lookup, t *tagstore.Touch, cycle uint64) (why *uint64) {
	switch {
	case int(m.Waiting) >= c.timed.Merges:
		return &c.waits.merge
	case !c.onFill && c.full():
		return &c.waits.buffer
	}
	r := c.requests.At(l.request)
	lacks, hit := uint8(0), false
	if c.onFill {
		lacks, _ = c.core.Lacks(t)
	} else {
		if _, way := c.core.Look(t); way < 0 && c.incl.below && !(c.incl.exclusive && r.isVictim()) {
			t.NoFill = true // it has gone again, and the cache below knows of the fetch, not of this
		}
		res := c.access(l.request, t, int(m.Slice))
		lacks, hit = res.Fetch, res.Hit
		c.ahead(r, t, &res, cycle)
	}
	lacks &^= m.Have
	if lacks != 0 {
		c.request(m, r, lacks, cycle)
	}
	switch {
	case c.onFill:
	case hit:
		c.late++
	case lacks == 0:
		c.count.merges++
	}
	c.mshrs.Wait(m, l.request, int(l.k))
	c.tasks.Step(c.now, r.task, task.Merge)
	return nil
}

// access does an access, and queues what has to be written below for it.
func (c *Timed) access(i uint32, t *tagstore.Touch, slice int) tagstore.Result {
	r := c.requests.At(i)
	res := c.do(r, t, slice)
	c.displace(&res, noRequester, r.task)
	if t.Write && (t.Clean || res.Bypassed) {
		from, to := c.span(r, t.Line)
		f := fetch{from: from, to: to, tag: noRequester}
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

// displace queues what a victim leaves to be written; a request may wait for
// it, a task has caused it.
func (c *Timed) displace(res *tagstore.Result, waits uint32, cause task.ID) {
	if res.Stale == 0 {
		if res.Evicted && c.incl.belowExclusive {
			c.writeBack(res.Victim, memory.CleanVictim)
		}
		return
	}
	hint := memory.Hint{Task: cause}
	if c.incl.below {
		hint.Victim = memory.DirtyVictim
	}
	for mask, s := res.Stale, uint64(0); mask != 0; {
		n := bits.TrailingZeros8(mask)
		mask >>= n
		s += uint64(n)
		k := uint64(bits.TrailingZeros8(^mask))
		from := res.Victim<<c.shift + s<<c.sector
		c.buffer(fetch{from: from, to: from + k<<c.sector, tag: waits}, hint)
		if waits != noRequester {
			c.requests.At(waits).left++
		}
		mask >>= k
		s += k
	}
}

// ahead prefetches what an access calls for, as long as there are MSHRs and room
// in the write buffer; the rest is dropped.
func (c *Timed) ahead(r *request, t *tagstore.Touch, res *tagstore.Result, cycle uint64) {
	n := c.due(t, res)
	if n == 0 {
		return
	}
	for d := range n {
		p, ok := c.next(r, t, d)
		slice := c.core.Slice(p.Line)
		if c.streams != nil && (c.mshrs.Busy(slice) || c.full()) {
			n = d // the next read asks for them again
			break
		}
		if !ok || c.mshrs.Of(p.Line) != nil || c.mshrs.Full(slice) || c.full() {
			continue
		}
		got := c.core.Prefetch(p)
		c.lapse(&got)
		c.recall(got.Victim, got.Sharers)
		c.displace(&got, noRequester, r.task)
		if got.Fetch != 0 {
			c.request(c.mshrs.Take(p.Line, slice), r, got.Fetch, cycle)
		}
	}
	c.took(n)
}

// request queues the fetch of sectors of a line.
func (c *Timed) request(m *mshr.Register, r *request, mask uint8, cycle uint64) {
	m.Have |= mask
	for s := uint64(0); mask != 0; {
		n := bits.TrailingZeros8(mask)
		mask >>= n
		s += uint64(n)
		k := uint64(bits.TrailingZeros8(^mask))
		from := m.Line<<c.shift + s<<c.sector
		to := from + k<<c.sector
		c.fresh = append(c.fresh, fetch{from: from, to: to, ready: cycle + c.tag, order: r.order, mshr: m.Number, hint: c.keep(r)})
		m.Unsent++
		c.drain = max(c.drain, c.buffered(from, to))
		mask >>= k
		s += k
	}
}

// line notes that a line of a request is done at a cycle.
func (c *Timed) line(i uint32, done uint64) {
	r := c.requests.At(i)
	r.due = max(r.due, done)
	if r.left--; r.left == 0 {
		c.answers.Push(calendar.Entry[uint32]{At: r.due, Order: r.order, What: i})
	}
}

// receive takes an answer from below.
func (c *Timed) receive(s *memory.Call[purpose], cycle uint64) {
	if s.Wrote() {
		c.held -= s.Note.entries
		if s.Note.tag != noRequester {
			c.line(s.Note.tag, cycle)
		}
		return
	}
	if s.Note.mshr > 0 {
		c.arriveAll(s.Note.mshr, cycle)
		return
	}
	from, to := s.Span()
	for line := from >> c.shift; line <= (to-1)>>c.shift; line++ {
		c.arrive(c.mshrs.Of(line), cycle)
	}
}

// arriveAll is arrive for the lines of one request below, given the number plus 1 of the
// register of the first.
func (c *Timed) arriveAll(i int32, cycle uint64) {
	for i > 0 {
		m := &c.mshrs.Registers[i-1]
		i = m.Chain
		c.arrive(m, cycle)
	}
}

// arrive notes an answer from below that brings a line or a part of it.
func (c *Timed) arrive(m *mshr.Register, cycle uint64) {
	m.Pieces--
	if m.Pieces == 0 && m.Unsent == 0 {
		c.fill(m, cycle)
	}
}

// fill serves those who wait for a line that has come.
func (c *Timed) fill(m *mshr.Register, cycle uint64) {
	done := cycle + c.latency - c.tag
	for first := true; ; first = false {
		w, ok := c.mshrs.Shift(m)
		if !ok {
			break
		}
		if c.onFill {
			t := c.touch(c.requests.At(w.Request), int(w.K))
			switch res := c.access(w.Request, &t, int(m.Slice)); {
			case res.Hit:
				c.late++
			case !first:
				c.count.merges++
			}
		}
		c.line(w.Request, done)
	}
	c.mshrs.Release(m)
	c.rouse(int(m.Slice))
}
