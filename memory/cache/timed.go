package cache

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/bank"
	"github.com/causeway-sim/causeway/memory/cache/below"
	"github.com/causeway-sim/causeway/memory/cache/mshr"
)

// A Timed is a cache of banks, MSHRs and buffers: see the package's doc.
type Timed struct {
	pipeline
	wakeAt func(cycle uint64)
}

// NewTimed makes a cache that takes time. The name must be valid for Akita.
func NewTimed(name string, e sim.Engine, s TimedSpec) (*Timed, error) {
	return newTimed(name, e, s, noKeys)
}

func newTimed(name string, e sim.Engine, s TimedSpec, at func(string) configs.Value) (*Timed, error) {
	c := &Timed{}
	c.timed, c.onFill = s, s.Allocate == "fill"
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
	c.banks = bank.NewSet(n)
	c.writeBuffer = s.WriteBuffer
	c.pushes = (s.Sectors+1)/2 + 1
	c.room = s.Queue * n
	c.patient = !c.core.Prefetching() // a prefetch may bring the very line that waits
	c.mshrs = mshr.New(s.Slices, s.MSHRs)
	if c.bytes != nil {
		c.bytes.InUse = func(line uint64) bool {
			return c.core.Has(line) || c.mshrs.Of(line) != nil || c.buffered(c.layout.Start(line), c.layout.Start(line+1)) > 0
		}
	}
	c.wakeAt = c.ticker.WakeAt
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
	perSecond := float64(c.width) * 8 * float64(len(c.banks.Banks)) * float64(c.clock.Den()) / float64(c.clock.Num())
	return c.latency, units.Bandwidth(perSecond)
}

// Handle implements sim.Handler: one cycle.
func (c *Timed) Handle(e sim.Event) error {
	now := e.Time()
	c.now = now
	cycle := c.ticker.Cycle(now)
	defer c.judge(cycle)
	if c.below.Connect(c.bytes != nil, !c.onFill && !c.prefetcher.On(), c.wakeAt) {
		c.receiveDirect(cycle)
	}
	if err := c.receiveBelow(c, now, cycle); err != nil {
		return err
	}
	if c.flush.Due(cycle) && c.quiet() {
		c.control(c.ownFlush(cycle), cycle)
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
	if err := c.incl.Send(c.top, c.layout, now); err != nil {
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

// admit takes requests from the port while there is room. held: those that are left wait for
// a flush or for bytes, and another cycle alone does not help them.
func (c *Timed) admit(now sim.VTimeInSec, cycle uint64) (held bool, err error) {
	held = c.flush.Due(cycle) // requests wait until it has begun
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

// fetchLacking reads the lines of a request whose bytes are missing though its lookups
// are done: a write to a part of a sector while its line was under way with
// allocate: fill makes the sector present and fetches nothing.
func (c *Timed) fetchLacking(i uint32, now sim.VTimeInSec) error {
	r := c.requests.At(i)
	if r.extra {
		return nil // under way
	}
	r.extra = true
	for k := range c.lines(r) {
		line := c.layout.Of(r.addr) + uint64(k)
		pieces := c.below.Push(below.Order{Addr: c.layout.Start(line), Bytes: c.layout.Bytes(), Purpose: below.Purpose{Tag: below.NoRequester, Extra: true}})
		if pieces == 0 {
			return below.Homeless(c.Name(), c.layout.Start(line), r.msg.Meta().Src.Name())
		}
		c.carry(pieces)
	}
	return c.below.Send(now)
}

// SetMap implements system.Requester.
func (c *Timed) SetMap(port string, m *memory.Map) error {
	err := c.base.SetMap(port, m)
	c.fastReads = c.canReadFast()
	return err
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
	_ system.Relay         = (*Timed)(nil)
	_ memory.NextUseReader = (*Timed)(nil)
)
