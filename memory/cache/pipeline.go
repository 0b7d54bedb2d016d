package cache

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory/cache/bank"
	"github.com/causeway-sim/causeway/memory/cache/mshr"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// pipeline is the third layer of Timed: lines that wait for their bank, and their lookups.
type pipeline struct {
	fills
	width     uint64        // bytes per cycle and bank
	waiting   int           // lines in front of all banks
	room      int           // of them from which on requests are held back
	pushes    int           // entries of the write buffer that a lookup takes at most
	patient   bool          // a lookup that had to wait is tried again only when its Readiness is another
	filled    bool          // the write buffer was full when banks began last ...
	uneven    bool          // ... or became so while they did
	fastReads bool          // see canReadFast
	asked     policy.Access // of the read that takes the short way
	book      book
	looks     looks
	moved     *stats.TimeSeries // bytes of lookups; nil unless the run is observed
}

// bankOf returns the bank of a line: those of a slice take its lines in turn.
func (c *pipeline) bankOf(line uint64) int {
	slice := c.core.Slice(line)
	if c.timed.Banks == 1 {
		return slice
	}
	return slice*c.timed.Banks + int(line/uint64(c.timed.Slices)%uint64(c.timed.Banks))
}

// enter cuts a request into lines and brings them to their banks.
func (c *pipeline) enter(i uint32, cycle uint64) {
	r := c.requests.At(i)
	n := c.lines(r)
	r.left, r.due = int32(n), cycle
	for k := range n {
		c.banks.Push(c.bankOf(c.layout.Of(r.addr)+uint64(k)), bank.Lookup{Request: i, K: int32(k)})
	}
	c.waiting += n
}

// work lets every bank begin what it can, and returns the cycle in which one can
// go on by itself.
func (c *pipeline) work(cycle uint64) (next uint64) {
	next = never
	c.fresh = c.fresh[:0]
	full := c.full()
	if full != c.filled || c.uneven || !c.patient {
		c.banks.WakeAll()
	}
	c.filled, c.uneven = full, false
	if full || c.writeBuffer-c.held >= c.banks.Busy*c.pushes { // it stays so in this cycle
		for j, x := range c.banks.Awake() {
			for ; x != 0; x &= x - 1 {
				next = min(next, c.proceed(int32(j<<6+bits.TrailingZeros64(x)), cycle))
			}
		}
	} else {
		for _, i := range c.banks.Ready(c.writeBuffer-c.held, c.arrival) {
			if b := &c.banks.Banks[i]; b.Why == nil || b.Stuck != c.stand(int(i)) || !c.patient {
				next = min(next, c.proceed(i, cycle))
			}
		}
		c.uneven = c.full() // for the last banks alone
	}
	c.queueFetches()
	return next
}

// arrival is the place of a request in the order of arrival.
func (c *pipeline) arrival(request uint32) uint64 { return c.requests.At(request).order }

// proceed lets a bank begin with the line that waits first, and returns the cycle in which it
// can go on by itself.
func (c *pipeline) proceed(i int32, cycle uint64) (next uint64) {
	b := &c.banks.Banks[i]
	if b.Free > cycle {
		return b.Free
	}
	l := *b.Lines.At(0)
	n := c.bytesOf(l)
	moved, why := c.lookUp(b, l, cycle)
	if moved == 0 {
		if b.Why != why { // counted once
			*why++
			c.book.blocked(b.Why, why)
			b.Why = why
		}
		b.Stuck = c.stand(int(i))
		c.banks.Sleep(int(i))
		return never // an answer from below lets it go on
	}
	if c.tasks.Explains() {
		c.looks.note(l.Request, cycle, c.book.lacks(b.Why))
	}
	if b.Why != nil {
		c.book.blocked(b.Why, nil)
		b.Why = nil
	}
	b.Free = cycle + moved
	if c.moved != nil {
		c.moved.Add(n, c.clock.Nanoseconds(cycle), c.clock.Nanoseconds(b.Free))
	}
	c.waiting--
	if c.banks.Drop(int(i)) {
		return b.Free
	}
	return never
}

// bytesOf returns the bytes of a line that a request is about, for an observed run.
func (c *pipeline) bytesOf(l bank.Lookup) float64 {
	if c.moved == nil {
		return 0
	}
	r := c.requests.At(l.Request)
	from, to := c.span(r, c.layout.Of(r.addr)+uint64(l.K))
	return float64(to - from)
}

// stand is how things are for the lines that wait for a bank. Those that had to wait wait
// on as long as it is the same: only their bank looks up their lines.
func (c *pipeline) stand(i int) bank.Readiness {
	return bank.Readiness{Came: c.mshrs.Came[i/c.timed.Banks], Full: c.full()}
}

// lookUp does one lookup and returns for how many cycles it takes the bank; 0 if it
// has to wait, and what for.
func (c *pipeline) lookUp(b *bank.Bank, l bank.Lookup, cycle uint64) (moved uint64, why *uint64) {
	r := c.requests.At(l.Request)
	if c.fastReads && !r.write && r.task == 0 {
		return c.readFast(b, l, r, cycle)
	}
	return c.lookUpAny(l, r, cycle)
}

// lookUpAny is lookUp of any access to any cache.
func (c *pipeline) lookUpAny(l bank.Lookup, r *request, cycle uint64) (moved uint64, why *uint64) {
	t := c.touch(r, int(l.K))
	from, to := c.span(r, t.Line)
	moved = max((to-from+c.width-1)/c.width, 1)
	if m := c.mshrs.Of(t.Line); m != nil {
		if why := c.merge(m, l, &t, cycle); why != nil {
			return 0, why
		}
		return moved, nil
	}
	lacks, present := c.core.Lacks(&t)
	if (lacks != 0 || !present || t.Write && t.Clean) && c.full() {
		return 0, &c.book.waits.buffer
	}
	slice := c.core.Slice(t.Line)
	if lacks != 0 {
		if c.mshrs.Full(slice) {
			return 0, &c.book.waits.mshr
		}
		if c.onFill {
			m := c.mshrs.Take(t.Line, slice)
			c.fetch(m, r, lacks, cycle)
			c.mshrs.Wait(m, l.Request, int(l.K))
			c.prefetch(r, &t, &tagstore.Result{Way: policy.Bypass}, cycle, false)
			return moved, nil
		}
	}
	res := c.access(l.Request, &t, slice)
	var m *mshr.Register
	if res.Fetch != 0 {
		m = c.mshrs.Take(t.Line, slice)
		c.fetch(m, r, res.Fetch, cycle)
	}
	c.prefetch(r, &t, &res, cycle, false)
	if m != nil && (!t.Write || !c.timed.Posted) {
		c.mshrs.Wait(m, l.Request, int(l.K))
		return moved, nil
	}
	c.done(l.Request, cycle+c.latency+moved-1)
	return moved, nil
}

// merge lets an access wait for a line that is under way, unless too many do, and
// returns what it has to wait for first.
func (c *pipeline) merge(m *mshr.Register, l bank.Lookup, t *tagstore.Touch, cycle uint64) (why *uint64) {
	switch {
	case int(m.Waiting) >= c.timed.Merges:
		return &c.book.waits.merge
	case !c.onFill && c.full():
		return &c.book.waits.buffer
	}
	r := c.requests.At(l.Request)
	lacks, hit := uint8(0), false
	if c.onFill {
		lacks, _ = c.core.Lacks(t)
		if c.prefetcher.On() {
			set, way := c.core.Look(t)
			c.prefetch(r, t, &tagstore.Result{Set: set, Way: way, Hit: lacks&^m.Have == 0, First: way >= 0 && c.core.Ahead(set, way)}, cycle, true)
		}
	} else {
		if _, way := c.core.Look(t); way < 0 && c.incl.Below && !(c.incl.Exclusive && r.isVictim()) {
			t.NoFill = true // it has gone again, and the cache below knows of the fetch, not of this
		}
		res := c.access(l.Request, t, int(m.Slice))
		lacks, hit = res.Fetch, res.Hit
		if res.First {
			c.ahead.late++
		}
		c.prefetch(r, t, &res, cycle, true)
	}
	lacks &^= m.Have
	if lacks != 0 {
		c.fetch(m, r, lacks, cycle)
	}
	switch {
	case c.onFill:
	case hit:
		c.late++
	case lacks == 0:
		c.count.merges++
	}
	c.mshrs.Wait(m, l.Request, int(l.K))
	c.tasks.Step(c.now, r.task, task.Merge)
	return nil
}
