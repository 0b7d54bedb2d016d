package experiment

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
)

// accompany asks nodes without an end of their own, traffic, whether they go on as long as the
// jobs of the system: workloads and parallel programs.
func (a *assembly) accompany() error {
	jobs := len(a.jobWaiters()) > 0
	for _, n := range a.Sys.Nodes() {
		c, ok := n.(system.Companion)
		if !ok {
			continue
		}
		goes, err := c.Accompany(jobs)
		if err != nil {
			return err
		}
		if goes {
			a.company = append(a.company, c)
		}
	}
	return nil
}

// jobWaiters are the nodes that begin by themselves and have an end: those that hand workloads
// out, players of programs, and, where there are workloads, workers.
func (a *assembly) jobWaiters() (out []engine.Waiter) {
	for _, s := range a.starters {
		_, companion := s.(system.Companion)
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
type farewell struct {
	engine  sim.Engine
	jobs    []engine.Waiter
	company []system.Companion
	n       uint64 // cycles
	at      sim.VTimeInSec
}

func newFarewell(a *assembly) *farewell {
	return &farewell{engine: a.driver, jobs: a.jobWaiters(), company: a.company}
}

// Time implements sim.Event.
func (f *farewell) Time() sim.VTimeInSec { return f.at }

// Handler implements sim.Event.
func (f *farewell) Handler() sim.Handler { return f }

// IsSecondary lets every component act before.
func (f *farewell) IsSecondary() bool { return true }

func (f *farewell) next() {
	f.n += farewellEvery
	f.at = instant.Of(clock.GHz, f.n)
	f.engine.Schedule(f)
}

// Handle implements sim.Handler.
func (f *farewell) Handle(sim.Event) error {
	for _, w := range f.jobs { // one that waits is enough
		if len(engine.Waits(w)) > 0 {
			f.next()
			return nil
		}
	}
	for _, c := range f.company {
		c.Leave(f.at)
	}
	return nil
}
