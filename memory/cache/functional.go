package cache

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// A Functional is a cache without time: see the package's doc.
type Functional struct {
	base
	ready ring.Of[uint32] // requests to be answered
	runs  [4]run          // being gathered

	victim memory.Victim // what is displaced, for an inclusive or exclusive cache below

	one  request // a quick request, and what it asks for below
	ask  block.Request
	hint memory.Hint

	missed block.Reads // what Reads wants from below
}

// The runs that a request is cut into.
const (
	fetched   = iota // read from below
	written          // of the request itself, written below
	displaced        // dirty victims
	foreseen         // prefetched
)

// A run is bytes side by side that go below together.
type run struct{ from, to uint64 }

// NewFunctional makes a functional cache. The name must be valid for Akita.
func NewFunctional(name string, e sim.Engine, s Spec) (*Functional, error) {
	return newFunctional(name, e, s, noKeys)
}

// noKeys stands for the places of keys where there is no file.
func noKeys(string) configs.Value { return configs.Value{} }

func newFunctional(name string, e sim.Engine, s Spec, at func(string) configs.Value) (*Functional, error) {
	c := &Functional{}
	if err := c.init(name, e, s, c, at, functionalBuffer); err != nil {
		return nil, err
	}
	c.energyStats(c.stats, s.Slices)
	return c, nil
}

// functionalBuffer is how many requests wait at the port; all are taken at once.
const functionalBuffer = 1024

// Nominal implements system.Responder: a hit takes no time.
func (c *Functional) Nominal() (uint64, units.Bandwidth) { return 0, 0 }

// Handle implements sim.Handler.
func (c *Functional) Handle(e sim.Event) error {
	now := e.Time()
	c.now = now
	cycle := c.ticker.Cycle(now)
	if err := c.receiveBelow(now); err != nil {
		return err
	}
	if err := c.serveRequests(now, cycle); err != nil {
		return err
	}
	if c.flushDue(cycle) && !c.unsettled() {
		if err := c.control(c.own(cycle), cycle); err != nil {
			return err
		}
	}
	if err := c.below.send(now); err != nil {
		return err
	}
	for c.ready.Len() > 0 && c.top.CanSend() && !c.lacking(*c.ready.At(0)) {
		if err := c.respond(c.ready.Pop(), now, cycle); err != nil {
			return err
		}
	}
	c.sweep(cycle)
	return c.sendRecalls(now)
}

// receiveBelow takes the responses and the recalls that have come from below.
func (c *Functional) receiveBelow(now sim.VTimeInSec) error {
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
		if from, _ := s.Span(); s.Hint.Dirty && !c.passDirty(s.Note.tag) && !c.cameDirty(from>>c.shift) {
			c.writeBack(from>>c.shift, memory.DirtyVictim)
		}
		if s.Note.tag != noRequester {
			c.arrived(s.Note.tag)
		}
	}
	return nil
}

// serveRequests serves the requests that wait at the port, up to one that must wait.
func (c *Functional) serveRequests(now sim.VTimeInSec, cycle uint64) error {
	for m := c.top.Peek(); m != nil; m = c.top.Peek() {
		q, control := m.(*memory.ControlReq)
		if c.overtakes(m) || control && c.unsettled() {
			return nil // what comes after it waits too
		}
		c.top.Retrieve(now)
		var err error
		if control {
			err = c.control(q, cycle)
		} else {
			err = c.serve(m, cycle)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Functional) arrived(i uint32) {
	r := c.requests.At(i)
	if r.left--; r.left == 0 {
		c.ready.Push(i)
	}
}

// serve does all accesses of a request.
func (c *Functional) serve(m sim.Msg, cycle uint64) error {
	i, err := c.accept(m, cycle)
	if err != nil {
		return err
	}
	return c.carryOut(i)
}

// carryOut does the accesses of a request that was accepted.
func (c *Functional) carryOut(i uint32) error {
	r := c.requests.At(i)
	r.left = 1 // until all accesses are done
	for k := range c.lines(r) {
		if err := c.access(i, k); err != nil {
			return err
		}
	}
	return c.finish(i)
}

// finish sends what the accesses of a request want from below.
func (c *Functional) finish(i uint32) error {
	for kind := range c.runs {
		if err := c.sink(i, kind); err != nil {
			return err
		}
	}
	c.arrived(i)
	return nil
}

// access does the k-th access of a request.
func (c *Functional) access(i uint32, k int) error {
	r := c.requests.At(i)
	t := c.touch(r, k)
	res := c.do(r, &t, c.core.Slice(t.Line))
	return c.follow(i, &t, &res)
}

// follow gathers what an access of a request wants from below.
func (c *Functional) follow(i uint32, t *tagstore.Touch, res *tagstore.Result) error {
	r := c.requests.At(i)
	if c.incl.below {
		return c.followUnder(i, t, res)
	}
	if res.Stale != 0 {
		if err := c.sectors(i, displaced, res.Victim, res.Stale); err != nil {
			return err
		}
	}
	if r.write && (t.Clean || res.Bypassed) {
		from, to := c.span(r, t.Line)
		if err := c.gather(i, written, from, to); err != nil {
			return err
		}
	}
	if !r.write || !res.Bypassed { // else nothing of it stays, so nothing has to be completed
		if err := c.sectors(i, fetched, t.Line, res.Fetch); err != nil {
			return err
		}
	}
	n := c.due(t, res)
	if n == 0 {
		return nil
	}
	for d := range n {
		p, ok := c.next(r, t, d)
		if !ok {
			continue
		}
		res := c.core.Prefetch(p)
		c.recall(res.Victim, res.Sharers)
		if res.Stale != 0 {
			if err := c.sectors(i, displaced, res.Victim, res.Stale); err != nil {
				return err
			}
		}
		if err := c.sectors(i, foreseen, p.Line, res.Fetch); err != nil {
			return err
		}
	}
	c.took(n)
	return nil
}

// sectors gathers those sectors of a line.
func (c *Functional) sectors(i uint32, kind int, line uint64, mask uint8) error {
	for s := uint64(0); mask != 0; s, mask = s+1, mask>>1 {
		if mask&1 != 0 {
			from := line<<c.shift + s<<c.sector
			if err := c.gather(i, kind, from, from+1<<c.sector); err != nil {
				return err
			}
		}
	}
	return nil
}

// gather adds bytes to a run, or begins one. What overlaps with another run goes
// below after it.
func (c *Functional) gather(i uint32, kind int, from, to uint64) error {
	for other := range c.runs {
		if o := &c.runs[other]; other != kind && o.from < to && from < o.to {
			if err := c.sink(i, other); err != nil {
				return err
			}
		}
	}
	r := &c.runs[kind]
	if r.to != r.from && (r.to != from || from&(uint64(c.spec.Burst)-1) == 0) {
		if err := c.sink(i, kind); err != nil {
			return err
		}
	}
	if r.to == r.from {
		r.from = from
	}
	r.to = to
	return nil
}

// sink sends a run below. The request waits for what it reads.
func (c *Functional) sink(i uint32, kind int) error {
	r := &c.runs[kind]
	if r.to == r.from {
		return nil
	}
	o := order{addr: r.from, bytes: r.to - r.from, tag: noRequester, write: kind == written || kind == displaced}
	q := c.requests.At(i)
	if kind != displaced {
		o.hint = q.hintBelow()
		o.hint.Keeps = c.incl.below && kind != written
	} else {
		o.hint.Task = q.task
		if c.incl.below {
			o.hint.Victim = c.victim
		}
	}
	_, control := q.msg.(*memory.ControlReq)
	if kind == fetched || control {
		o.tag = i
	}
	pieces := c.below.push(o)
	if pieces == 0 {
		from := "a flush"
		if !c.isOwn(q.msg) {
			from = c.from(q).Name()
		}
		return homeless(c.Name(), r.from, from)
	}
	if o.tag != noRequester {
		q.left += int32(pieces)
	}
	c.carry(pieces)
	*r = run{}
	return nil
}

func init() {
	system.Register(system.Kind[Spec]{
		Name: "cache", Fidelity: "functional",
		Doc:     "A shared cache without time: which lines are where, by any replacement policy, and what goes below.",
		Source:  "those of the policies; Rau, Pseudo-randomly interleaved memory, ISCA 1991 (ipoly)",
		Subject: system.OfState, Headlines: headlines, Goal: goal, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			s.Seed = env.Seed
			return newFunctional(name, env.Engine, s, v.Place)
		},
	})
}

var (
	_ system.Relay    = (*Functional)(nil)
	_ memory.Foreseer = (*Functional)(nil)
)

// control carries an operation out at once.
func (c *Functional) control(m *memory.ControlReq, cycle uint64) error {
	i := c.acceptControl(m, cycle)
	first, last := m.Lines(c.shift)
	if c.bytes != nil && m.Op != memory.Clean {
		c.bytes.Lapse(c.core.Within(first, last)...)
	}
	c.victim = memory.DirtyVictim
	err := control(c.core, m.Op, first, last, func(line uint64, sectors uint8) error {
		return c.sectors(i, displaced, line, sectors)
	})
	if err == nil {
		err = c.sink(i, displaced)
	}
	c.arrived(i)
	return err
}
