package cache

import (
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/mshr"
)

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
	c.fillsLate = c.onFill
	c.latency, c.tag = s.Latency.In(c.clock), s.TagLatency.In(c.clock)
	c.width = uint64(s.Width)
	if c.width == 0 {
		c.width = uint64(s.Line)
	}
	n := s.Slices * s.Banks
	c.banks = make([]bank, n)
	c.busy, c.awake = make([]uint64, (n+63)/64), make([]uint64, (n+63)/64)
	c.pushes = (s.Sectors+1)/2 + 1
	c.room = s.Queue * n
	c.patient = !c.core.Prefetching() // a prefetch may bring the very line that waits
	c.mshrs = mshr.New(s.Slices, s.MSHRs)
	if c.bytes != nil {
		c.bytes.InUse = func(line uint64) bool {
			return c.core.Has(line) || c.mshrs.Of(line) != nil || c.buffered(line<<c.shift, (line+1)<<c.shift) > 0
		}
	}
	c.moreStats()
	c.energyStats(c.stats, n)
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
	c.now = now
	cycle := c.ticker.Cycle(now)
	defer c.judge(cycle)
	if c.connectDirectly(); c.below.direct != nil {
		c.receiveDirect(cycle)
	}
	if err := c.receiveBelow(now, cycle); err != nil {
		return err
	}
	if c.flushDue(cycle) && c.quiet() {
		c.control(c.own(cycle), cycle)
	}
	held, err := c.admit(now, cycle)
	if err != nil {
		return err
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
	if err := c.sendRecalls(now); err != nil {
		return err
	}
	if c.waiting < c.room && c.top.Len() > 0 && !held {
		next = cycle + 1
	}
	c.sweep(cycle)
	if next = min(next, sending, answering); next != never {
		c.ticker.WakeAt(max(next, cycle+1))
	}
	return nil
}

// receiveBelow takes the responses and the recalls that have come from below.
func (c *Timed) receiveBelow(now sim.VTimeInSec, cycle uint64) error {
	for m := c.below.port.Retrieve(now); m != nil; m = c.below.port.Retrieve(now) {
		if q, ok := m.(*memory.Recall); ok {
			if line, dirty := c.drop(q); dirty {
				c.writeBack(line, memory.RecalledDirty)
			}
			continue
		}
		s, err := c.below.take(m)
		if err != nil {
			return err
		}
		if err := c.fillBytes(m, s); err != nil {
			return err
		}
		if s.Note.extra {
			continue
		}
		if from, _ := s.Span(); s.Hint.Dirty && !c.passDirty(c.asker(from>>c.shift)) && !c.cameDirty(from>>c.shift) {
			c.writeBack(from>>c.shift, memory.DirtyVictim)
		}
		c.receive(s, cycle)
	}
	return nil
}

// asker is the request that waits first for a line under way, or none.
func (c *Timed) asker(line uint64) uint32 {
	if m := c.mshrs.Of(line); m != nil && m.First >= 0 {
		return c.mshrs.Waiters[m.First].Request
	}
	return noRequester
}

// admit takes requests from the port while there is room. held: those that are left wait for
// a flush or for bytes, and another cycle alone does not help them.
func (c *Timed) admit(now sim.VTimeInSec, cycle uint64) (held bool, err error) {
	held = c.flushDue(cycle) // requests wait until it has begun
	for c.waiting < c.room && !held {
		m := c.top.Peek()
		if m == nil {
			break
		}
		if c.overtakes(m) {
			return true, nil
		}
		if q, ok := m.(*memory.ControlReq); ok {
			if !c.control(q, cycle) {
				break // what comes after it waits too
			}
			c.top.Retrieve(now)
			continue
		}
		c.top.Retrieve(now)
		i, err := c.accept(m, cycle)
		if err != nil {
			return held, err
		}
		c.enter(i, cycle)
	}
	return held, nil
}

// writeBack writes a line below that is no longer here.
func (c *Timed) writeBack(line uint64, why memory.Victim) {
	c.buffer(fetch{from: line << c.shift, to: (line + 1) << c.shift, tag: noRequester}, memory.Hint{Victim: why})
}

// enter cuts a request into lines and brings them to their banks.
func (c *Timed) enter(i uint32, cycle uint64) {
	r := c.requests.At(i)
	n := c.lines(r)
	r.left, r.due = int32(n), cycle
	for k := range n {
		b := c.bankOf(r.addr>>c.shift + uint64(k))
		q := &c.banks[b].lines
		if q.Push(lookup{i, int32(k)}); q.Len() == 1 {
			c.busy[b>>6] |= 1 << (b & 63)
			c.awake[b>>6] |= 1 << (b & 63)
			c.queues++
		}
	}
	c.waiting += n
}

// work lets every bank begin what it can, and returns the cycle in which one can
// go on by itself.
func (c *Timed) work(cycle uint64) (next uint64) {
	next = never
	c.fresh = c.fresh[:0]
	full := c.full()
	if full != c.filled || c.uneven || !c.patient {
		copy(c.awake, c.busy)
	}
	c.filled, c.uneven = full, false
	if full || c.timed.WriteBuffer-c.held >= c.queues*c.pushes { // it stays so in this cycle
		for j, x := range c.awake {
			for ; x != 0; x &= x - 1 {
				next = min(next, c.proceed(int32(j<<6+bits.TrailingZeros64(x)), cycle))
			}
		}
	} else {
		for _, i := range c.readyBanks() {
			if b := &c.banks[i]; b.why == nil || b.stuck != c.stand(int(i)) || !c.patient {
				next = min(next, c.proceed(i, cycle))
			}
		}
		c.uneven = c.full() // for the last banks alone
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
		*c.fetches.More() = f[i]
	}
	return next
}

// proceed lets a bank begin with the line that waits first, and returns the cycle in which it
// can go on by itself.
func (c *Timed) proceed(i int32, cycle uint64) (next uint64) {
	b, bit := &c.banks[i], uint64(1)<<(i&63)
	if b.free > cycle {
		return b.free
	}
	n := c.bytesOf(*b.lines.At(0))
	moved, why := c.lookUp(b, *b.lines.At(0), cycle)
	if moved == 0 {
		if b.why != why { // counted once
			*why++
			c.blocked(b.why, why)
			b.why = why
		}
		b.stuck = c.stand(int(i))
		c.awake[i>>6] &^= bit
		return never // an answer from below lets it go on
	}
	if c.tasks.Explains() {
		c.looked(b.lines.At(0).request, cycle, b.why)
	}
	if b.why != nil {
		c.blocked(b.why, nil)
		b.why = nil
	}
	b.free = cycle + moved
	if c.moved != nil {
		c.moved.Add(n, c.clock.Nanoseconds(cycle), c.clock.Nanoseconds(b.free))
	}
	b.lines.Drop()
	c.waiting--
	if b.lines.Len() > 0 {
		return b.free
	}
	c.busy[i>>6] &^= bit
	c.awake[i>>6] &^= bit
	c.queues--
	return never
}

// rouse has the banks of a slice look again whether they can begin.
func (c *Timed) rouse(slice int) {
	for b := slice * c.timed.Banks; b < (slice+1)*c.timed.Banks; b++ {
		c.awake[b>>6] |= c.busy[b>>6] & (1 << (b & 63))
	}
}

// answer sends what is due, and returns when the next is.
func (c *Timed) answer(now sim.VTimeInSec, cycle uint64) (next uint64, err error) {
	for c.answers.Len() > 0 {
		if due := c.answers.First().At; due > cycle {
			return due, nil
		}
		if !c.top.CanSend() {
			return never, nil
		}
		i := c.answers.First().What
		if c.lacking(i) {
			return never, c.fetchLacking(i, now)
		}
		c.answers.Pop()
		if c.looks != nil {
			c.explain(i, cycle)
		}
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
		Subject: system.OfCaches, Headlines: timedHeadlines, Levers: timedLevers,
		Default: DefaultTimedSpec(),
		New: func(env *system.Env, name string, s TimedSpec, v configs.Value) (system.Node, error) {
			s.Seed = env.Seed
			return newTimed(name, env.Engine, s, v.Place)
		},
	})
}

var (
	_ system.Relay    = (*Timed)(nil)
	_ memory.Foreseer = (*Timed)(nil)
)
