package cache

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// A Functional is a cache without time: see the package's doc.
type Functional struct{ quick }

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
	if c.prefetcher.Timed() {
		return nil, at("prefetch").Errorf(nil, "%s measures how long lines take, and a functional cache has no time (want fidelity: timed, or another prefetcher)", s.Prefetch.Name)
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
	if err := c.receiveBelow(c, now, cycle); err != nil {
		return err
	}
	if err := c.serveRequests(now, cycle); err != nil {
		return err
	}
	if c.flush.Due(cycle) && !c.unsettled() {
		if err := c.control(c.ownFlush(cycle), cycle); err != nil {
			return err
		}
	}
	if err := c.below.Send(now); err != nil {
		return err
	}
	for c.ready.Len() > 0 && c.top.CanSend() && !c.lacking(*c.ready.At(0)) {
		if err := c.respond(c.ready.Pop(), now, cycle); err != nil {
			return err
		}
	}
	c.sweep(cycle)
	return c.incl.Send(c.top, c.layout, now)
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

// serve does all accesses of a request.
func (c *Functional) serve(m sim.Msg, cycle uint64) error {
	i, err := c.accept(m, cycle)
	if err != nil {
		return err
	}
	return c.carryOut(i)
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
	_ system.Relay         = (*Functional)(nil)
	_ memory.NextUseReader = (*Functional)(nil)
)
