package experiment

import (
	"slices"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
)

// accompany calls RunUntilJobsEnd of Background nodes (traffic), which may run as long as the jobs of the
// system: workloads and parallel programs.
func (a *assembly) accompany() error {
	jobs := len(a.jobWaiters()) > 0
	for _, n := range a.Sys.Nodes() {
		c, ok := n.(system.Background)
		if !ok {
			continue
		}
		goes, err := c.RunUntilJobsEnd(jobs)
		if err != nil {
			return err
		}
		if goes {
			a.company = append(a.company, c)
		}
	}
	return nil
}

// jobWaiters returns the Starters with an end: nodes that issue workloads, players of programs,
// and workers if there are workloads.
func (a *assembly) jobWaiters() (out []engine.Waiter) {
	for _, s := range a.starters {
		_, companion := s.(system.Background)
		_, core := s.(work.Executor)
		if w, ok := s.(engine.Waiter); ok && !companion && (!core || len(a.Loads) > 0) {
			out = append(out, w)
		}
	}
	return out
}

// farewellEvery is how often a farewell looks, in cycles of a gigahertz: a microsecond.
//
// assumption: traffic that goes on for up to that time after the last job changes nothing of what
// is asked.
const farewellEvery = 1000

// A farewell looks every so often whether all jobs have ended, and then lets those go that went on
// besides. Like a sampler it looks after everything else of an instant has happened.
type backgroundStopper struct {
	engine  sim.Engine
	jobs    []engine.Waiter
	company []system.Background
	idle    *idler
	waiters []engine.Waiter // nodes but networks and traffic, which go on
	n       uint64          // cycles
	at      sim.VTimeInSec
}

func newFarewell(a *assembly) *backgroundStopper {
	f := &backgroundStopper{engine: a.driver, jobs: a.jobWaiters(), company: a.company, idle: newIdler(a)}
	for _, w := range a.waiters() {
		n, ok := w.(sim.Handler)
		if !ok || f.idle.acts(n) {
			f.waiters = append(f.waiters, w)
		}
	}
	return f
}

// Observes implements engine.Observer.
func (f *backgroundStopper) Observes() {}

// Name is what errors of the farewell begin with.
func (f *backgroundStopper) Name() string { return "traffic besides jobs" }

// Time implements sim.Event.
func (f *backgroundStopper) Time() sim.VTimeInSec { return f.at }

// Handler implements sim.Event.
func (f *backgroundStopper) Handler() sim.Handler { return f }

// IsSecondary lets every component act before.
func (f *backgroundStopper) IsSecondary() bool { return true }

func (f *backgroundStopper) next() {
	f.n += farewellEvery
	f.at = instant.Of(clock.GHz, f.n)
	f.engine.Schedule(f)
}

// Handle implements sim.Handler.
func (f *backgroundStopper) Handle(sim.Event) error {
	for _, w := range f.jobs { // one that waits is enough
		if len(engine.Waits(w)) == 0 {
			continue
		}
		if f.idle.stopped() {
			return f.stuck()
		}
		f.next()
		return nil
	}
	for _, c := range f.company {
		c.JobsEnded(f.at)
	}
	return nil
}

// stuck is the error of jobs that can never go on.
func (f *backgroundStopper) stuck() error {
	var names []string
	for _, c := range f.company {
		names = append(names, c.Name())
	}
	return &engine.Stuck{
		Time: f.at, Reason: "no job can go on: nothing is scheduled but the traffic of " + strings.Join(names, ", "),
		Waits: engine.Waits(f.waiters...),
	}
}

// An idler finds out whether jobs have come to a stop for good while traffic besides them keeps
// the engine busy.
//
// A job can go on as long as something is scheduled for any node but traffic and networks, a wire
// has a message of it that moves, or a network carries one. A network that waits for a receiver
// which takes nothing counts as carrying what is behind that message.
type idler struct {
	owners   engine.EventOwners // nil: the engine is not known to have one
	wires    []*engine.Wire
	networks []carrier
	company  []system.Background
}

// A carrier is a network: it acts on messages alone.
type carrier interface {
	system.Node
	Carries(f func(sim.Msg) bool) bool
}

func newIdler(a *assembly) *idler {
	x := &idler{wires: a.Sys.Wires(), company: a.company}
	x.owners, _ = a.driver.(engine.EventOwners)
	for _, n := range a.Sys.Nodes() {
		if c, ok := n.(carrier); ok {
			x.networks = append(x.networks, c)
		}
	}
	return x
}

// stopped reports whether no job can go on.
func (x *idler) stopped() bool {
	if x.owners == nil || x.owners.Scheduled(x.acts) {
		return false
	}
	for _, n := range x.networks {
		if n.Carries(x.ofJob) {
			return false
		}
	}
	for _, w := range x.wires {
		if w.Carries(func(m sim.Msg, to sim.Port, blocked bool) bool {
			return x.ofJob(m) && (!blocked || x.network(to.Component()))
		}) {
			return false
		}
	}
	return true
}

// acts reports whether an event of a handler may let a job go on by itself.
func (x *idler) acts(h sim.Handler) bool {
	switch h := h.(type) {
	case *engine.Wire, engine.Observer:
		return false
	case sim.Component:
		if x.network(h) {
			return false
		}
	}
	return !slices.ContainsFunc(x.company, func(c system.Background) bool { return c.Acts(h) })
}

func (x *idler) network(c sim.Component) bool {
	return slices.ContainsFunc(x.networks, func(n carrier) bool { return n.Name() == c.Name() })
}

// ofJob reports whether a message is neither from traffic nor for it.
func (x *idler) ofJob(m sim.Msg) bool {
	meta := m.Meta()
	for _, p := range []sim.Port{meta.Src, meta.Dst} {
		if p == nil {
			continue
		}
		if h, ok := p.Component().(sim.Handler); ok && slices.ContainsFunc(x.company, func(c system.Background) bool { return c.Acts(h) }) {
			return false
		}
	}
	return true
}
