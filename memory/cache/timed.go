package cache

import (
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// A Timed is a cache of banks, MSHRs and buffers: see the package's doc.
type Timed struct {
	base
	timed        TimedSpec
	latency, tag uint64 // cycles
	width        uint64 // bytes per cycle and bank
	onFill       bool

	banks   []bank
	busy    []uint64 // set of banks with lines that wait
	waiting int      // lines in front of all banks
	room    int      // of them from which on requests are held back
	mshrs   *mshrs
	fetches ring[fetch]
	fresh   []fetch // of this cycle
	order   []int32 // banks in their turn
	writes  ring[fetch]
	held    int // writes below that are not answered, in entries
	answers answers
	waits   waits
	late    uint64 // hits on lines under way
	drain   int    // writes that have to go before the next read
}

// A bank looks up one line at a time, in the order of arrival.
type bank struct {
	lines ring[lookup]
	free  uint64  // cycle from which on it can begin another
	why   *uint64 // what the first line is known to wait for
}

// A lookup is a line of a request on its way to the tags.
type lookup struct {
	request uint32
	k       int32
}

// A fetch is bytes of one line to be read or written below.
type fetch struct {
	from, to uint64
	ready    uint64 // cycle from which on it may be sent
	order    uint64 // of the request
	hint     memory.Hint
	tag      uint32 // of a write: the request that waits for it, or nobody
}

// waits counts lookups that had to wait, by what for.
type waits struct{ mshr, merge, buffer uint64 }

// NewTimed makes a cache that takes time. The name must be valid for Akita.
func NewTimed(name string, e sim.Engine, s TimedSpec) (*Timed, error) {
	return newTimed(name, e, s, noKeys)
}

func newTimed(name string, e sim.Engine, s TimedSpec, at func(string) configs.Value) (*Timed, error) {
	c := &Timed{timed: s, onFill: s.Allocate == "fill"}
	var errs configs.Errors
	errs.Add(c.init(name, e, s.Spec, c, at, timedBuffer))
	errs.Add(s.check(at))
	if err := errs.Err(); err != nil {
		return nil, err
	}
	c.latency, c.tag = s.Latency.In(c.clock), s.TagLatency.In(c.clock)
	c.width = uint64(s.Width)
	if c.width == 0 {
		c.width = uint64(s.Line)
	}
	n := s.Slices * s.Banks
	c.banks = make([]bank, n)
	c.busy = make([]uint64, (n+63)/64)
	c.room = s.Queue * n
	c.mshrs = newMSHRs(s.Slices, s.MSHRs)
	c.moreStats()
	return c, nil
}

// timedBuffer is how many requests wait at the port before the wire holds them
// back.
const timedBuffer = 16

// Nominal implements system.Responder: the latency of a hit, and what all banks
// move.
func (c *Timed) Nominal() (uint64, units.Bandwidth) {
	perSecond := float64(c.width) * 8 * float64(len(c.banks)) * float64(c.clock.Den()) / float64(c.clock.Num())
	return c.latency, units.Bandwidth(perSecond)
}

// Handle implements sim.Handler: one cycle.
func (c *Timed) Handle(e sim.Event) error {
	now := e.Time()
	cycle := c.ticker.Cycle(now)
	for m := c.below.port.Retrieve(now); m != nil; m = c.below.port.Retrieve(now) {
		s, err := c.below.take(m)
		if err != nil {
			return err
		}
		c.come(s, cycle)
	}
	if c.flushDue(cycle) && c.quiet() {
		c.control(c.own(cycle), cycle)
	}
	held := c.flushDue(cycle) // requests wait until it has begun
	for c.waiting < c.room && !held {
		m := c.top.Peek()
		if m == nil {
			break
		}
		if q, ok := m.(*memory.ControlReq); ok {
			if !c.control(q, cycle) {
				break // what comes behind waits too
			}
			c.top.Retrieve(now)
			continue
		}
		c.top.Retrieve(now)
		if err := c.enter(m, cycle); err != nil {
			return err
		}
	}
	next := c.work(cycle)
	sending, err := c.sendBelow(now, cycle)
	if err != nil {
		return err
	}
	answering, err := c.answer(now, cycle)
	if err != nil {
		return err
	}
	if c.waiting < c.room && c.top.Len() > 0 && !held {
		next = cycle + 1
	}
	if next = min(next, sending, answering); next != never {
		c.ticker.WakeAt(max(next, cycle+1))
	}
	return nil
}

const never = ^uint64(0)

// enter cuts a request into lines and brings them to their banks.
func (c *Timed) enter(m sim.Msg, cycle uint64) error {
	i, err := c.accept(m, cycle)
	if err != nil {
		return err
	}
	r := &c.requests[i]
	n := c.lines(r)
	r.left, r.due = int32(n), cycle
	for k := range n {
		b := c.bankOf(r.addr>>c.shift + uint64(k))
		c.banks[b].lines.push(lookup{i, int32(k)})
		c.busy[b>>6] |= 1 << (b & 63)
	}
	c.waiting += n
	return nil
}

// bankOf is the bank of a line: those of a slice take its lines in turn.
func (c *Timed) bankOf(line uint64) int {
	slice := c.core.index.Slice(line)
	if c.timed.Banks == 1 {
		return slice
	}
	return slice*c.timed.Banks + int(line/uint64(c.timed.Slices)%uint64(c.timed.Banks))
}

// work lets every bank begin what it can, and returns the cycle in which one can
// go on by itself.
func (c *Timed) work(cycle uint64) (next uint64) {
	next = never
	c.fresh = c.fresh[:0]
	for _, i := range c.turns() {
		b := &c.banks[i]
		if b.free > cycle {
			next = min(next, b.free)
			continue
		}
		l := *b.lines.at(0)
		moved, why := c.look(l, cycle)
		if moved == 0 {
			if b.why != why { // counted once
				*why++
				b.why = why
			}
			continue // an answer from below lets it go on
		}
		b.why = nil
		b.free = cycle + moved
		b.lines.pop()
		c.waiting--
		if b.lines.n == 0 {
			c.busy[i>>6] &^= 1 << (i & 63)
		} else {
			next = min(next, b.free)
		}
	}
	// Lines of one request go below in the order of addresses, whatever bank
	// found them missing.
	f := c.fresh
	for i := 1; i < len(f); i++ {
		for j := i; j > 0 && f[j].before(&f[j-1]); j-- {
			f[j], f[j-1] = f[j-1], f[j]
		}
	}
	for i := range f {
		c.fetches.push(f[i])
	}
	return next
}

func (f *fetch) before(g *fetch) bool {
	return f.order < g.order || f.order == g.order && f.from < g.from
}

// look does one lookup and returns for how many cycles it takes the bank; 0 if it
// has to wait, and what for.
func (c *Timed) look(l lookup, cycle uint64) (moved uint64, why *uint64) {
	r := &c.requests[l.request]
	t := c.touch(r, int(l.k))
	from, to := c.span(r, t.Line)
	moved = max((to-from+c.width-1)/c.width, 1)
	if m := c.mshrs.of(t.Line); m != nil {
		if why := c.join(m, l, &t, cycle); why != nil {
			return 0, why
		}
		return moved, nil
	}
	lacks, present := c.core.Lacks(&t)
	if (lacks != 0 || !present || t.Write && t.Clean) && c.full() {
		return 0, &c.waits.buffer
	}
	slice := c.core.index.Slice(t.Line)
	if lacks != 0 {
		if c.mshrs.full(slice) {
			return 0, &c.waits.mshr
		}
		if c.onFill {
			m := c.mshrs.take(t.Line, slice)
			c.bring(m, r, lacks, cycle)
			c.mshrs.wait(m, l.request, int(l.k))
			return moved, nil
		}
	}
	res := c.access(l.request, &t, slice)
	var m *mshr
	if res.Fetch != 0 {
		m = c.mshrs.take(t.Line, slice)
		c.bring(m, r, res.Fetch, cycle)
	}
	c.ahead(r, &t, &res, cycle)
	if m != nil && (!t.Write || !c.timed.Posted) {
		c.mshrs.wait(m, l.request, int(l.k))
		return moved, nil
	}
	c.line(l.request, cycle+c.latency+moved-1)
	return moved, nil
}

// join lets an access wait for a line that is under way, unless too many do, and
// returns what it has to wait for first.
func (c *Timed) join(m *mshr, l lookup, t *Touch, cycle uint64) (why *uint64) {
	switch {
	case int(m.waiting) >= c.timed.Merges:
		return &c.waits.merge
	case !c.onFill && c.full():
		return &c.waits.buffer
	}
	r := &c.requests[l.request]
	lacks, hit := uint8(0), false
	if c.onFill {
		lacks, _ = c.core.Lacks(t)
	} else {
		res := c.access(l.request, t, int(m.slice))
		lacks, hit = res.Fetch, res.Hit
		c.ahead(r, t, &res, cycle)
	}
	lacks &^= m.have
	if lacks != 0 {
		c.bring(m, r, lacks, cycle)
	}
	switch {
	case c.onFill:
	case hit:
		c.late++
	case lacks == 0:
		c.count.merges++
	}
	c.mshrs.wait(m, l.request, int(l.k))
	return nil
}

// access does an access, and lines up what has to be written below for it.
func (c *Timed) access(i uint32, t *Touch, slice int) Result {
	r := &c.requests[i]
	res := c.do(r, t, slice)
	c.displace(&res, nobody)
	if t.Write && (t.Clean || res.Bypassed) {
		from, to := c.span(r, t.Line)
		f := fetch{from: from, to: to, tag: nobody}
		if r.hint != nil {
			f.hint = *r.hint
			f.hint.Next = nil
		}
		if !c.timed.Posted {
			f.tag = i
			r.left++
		}
		c.buffer(f)
	}
	if t.Write && res.Bypassed {
		res.Fetch = 0
	}
	return res
}

// displace lines up what a victim leaves to be written; a request may wait for
// it.
func (c *Timed) displace(res *Result, waits uint32) {
	for mask, s := res.Stale, uint64(0); mask != 0; {
		n := bits.TrailingZeros8(mask)
		mask >>= n
		s += uint64(n)
		k := uint64(bits.TrailingZeros8(^mask))
		from := res.Victim<<c.shift + s<<c.sector
		c.buffer(fetch{from: from, to: from + k<<c.sector, tag: waits})
		if waits != nobody {
			c.requests[waits].left++
		}
		mask >>= k
		s += k
	}
}

// ahead prefetches what an access calls for, as long as there are MSHRs and room
// in the write buffer; the rest is dropped.
func (c *Timed) ahead(r *request, t *Touch, res *Result, cycle uint64) {
	if c.core.ahead == nil || !res.calls() {
		return
	}
	for d := range c.spec.Prefetch.Degree {
		p, ok := c.next(r, t, d)
		slice := c.core.index.Slice(p.Line)
		if !ok || c.mshrs.of(p.Line) != nil || c.mshrs.full(slice) || c.full() {
			continue
		}
		got := c.core.Prefetch(p)
		c.displace(&got, nobody)
		if got.Fetch != 0 {
			c.bring(c.mshrs.take(p.Line, slice), r, got.Fetch, cycle)
		}
	}
}

// bring lines up the fetch of sectors of a line.
func (c *Timed) bring(m *mshr, r *request, mask uint8, cycle uint64) {
	m.have |= mask
	for s := uint64(0); mask != 0; {
		n := bits.TrailingZeros8(mask)
		mask >>= n
		s += uint64(n)
		k := uint64(bits.TrailingZeros8(^mask))
		from := m.line<<c.shift + s<<c.sector
		f := fetch{from: from, to: from + k<<c.sector, ready: cycle + c.tag, order: r.order}
		if r.hint != nil {
			f.hint = *r.hint
			f.hint.Next = nil
		}
		c.fresh = append(c.fresh, f)
		m.unsent++
		c.drain = max(c.drain, c.buffered(f.from, f.to))
		mask >>= k
		s += k
	}
}

// line notes that a line of a request is done at a cycle.
func (c *Timed) line(i uint32, done uint64) {
	r := &c.requests[i]
	r.due = max(r.due, done)
	if r.left--; r.left == 0 {
		c.answers.push(answer{r.due, r.order, i})
	}
}

// come takes an answer from below.
func (c *Timed) come(s *memory.Call[errand], cycle uint64) {
	if s.Wrote() {
		c.held -= s.Note.entries
		if s.Note.tag != nobody {
			c.line(s.Note.tag, cycle)
		}
		return
	}
	from, to := s.Span()
	for line := from >> c.shift; line <= (to-1)>>c.shift; line++ {
		m := c.mshrs.of(line)
		m.pieces--
		if m.pieces == 0 && m.unsent == 0 {
			c.fill(m, cycle)
		}
	}
}

// fill serves those who wait for a line that has come.
func (c *Timed) fill(m *mshr, cycle uint64) {
	done := cycle + c.latency - c.tag
	for first := true; ; first = false {
		w, ok := c.mshrs.shift(m)
		if !ok {
			break
		}
		if c.onFill {
			t := c.touch(&c.requests[w.request], int(w.k))
			switch res := c.access(w.request, &t, int(m.slice)); {
			case res.Hit:
				c.late++
			case !first:
				c.count.merges++
			}
		}
		c.line(w.request, done)
	}
	c.mshrs.release(m)
}

// answer sends what is due, and returns when the next is.
func (c *Timed) answer(now sim.VTimeInSec, cycle uint64) (next uint64, err error) {
	for len(c.answers) > 0 {
		if due := c.answers[0].due; due > cycle {
			return due, nil
		}
		if !c.top.CanSend() {
			return never, nil
		}
		i := c.answers[0].request
		c.answers.pop()
		if err := c.respond(i, now, cycle); err != nil {
			return never, err
		}
	}
	return never, nil
}

func init() {
	system.Register(system.Kind[TimedSpec]{
		Name: "cache", Fidelity: "timed", DefaultFidelity: true,
		Doc:     "A shared cache of banks that goes on under misses: latency, MSHRs, write buffer, any replacement policy.",
		Source:  "Kroft, Lockup-free instruction fetch/prefetch cache organization, ISCA 1981 (MSHRs); see cache/functional",
		Default: DefaultTimedSpec(),
		New: func(env *system.Env, name string, s TimedSpec, v configs.Value) (system.Node, error) {
			s.Seed = env.Seed
			return newTimed(name, env.Engine, s, placesOf(v))
		},
	})
}

var (
	_ system.Relay    = (*Timed)(nil)
	_ memory.Foreseer = (*Timed)(nil)
)
