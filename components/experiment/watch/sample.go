package watch

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// A Sampler writes down, every so often, by how much each counter of the system
// has grown. It looks after everything else of an instant has happened, so its
// rows are the same under every engine. It ends with the last worker.
type Sampler struct {
	engine  sim.Engine
	groups  []*stats.Group
	clock   clock.Clock
	n       uint64 // samples taken
	list    []stats.Counter
	last    []uint64
	table   *stats.Table
	waiters []engine.Waiter
	event   sampleEvent
}

// sampleEvent is the one event of a sampler, used again and again.
type sampleEvent struct {
	at sim.VTimeInSec
	s  *Sampler
}

func (e *sampleEvent) Time() sim.VTimeInSec { return e.at }
func (e *sampleEvent) Handler() sim.Handler { return e.s }

// IsSecondary lets every component act before the sample of the same time.
func (e *sampleEvent) IsSecondary() bool { return true }

// NewSampler makes a sampler of the counters of groups, which runs as long as a waiter waits.
func NewSampler(e sim.Engine, every units.Time, groups []*stats.Group, waiters []engine.Waiter) *Sampler {
	s := &Sampler{engine: e, groups: groups, clock: clock.Period(uint64(every), uint64(units.Second)), waiters: waiters, table: &stats.Table{}}
	s.event.s = s
	s.table.Columns = []stats.Column{{Name: "time", Unit: stats.NS, Text: "End of the interval."}}
	for _, g := range groups {
		for _, c := range g.Counters() {
			s.list = append(s.list, c)
			s.table.Columns = append(s.table.Columns, stats.Column{Name: c.Where + "." + c.Name, Unit: c.Unit, Text: "In the interval: " + c.Text})
		}
	}
	s.last = make([]uint64, len(s.list))
	return s
}

// Observes implements engine.Observer.
func (s *Sampler) Observes() {}

// Table has a row for each sample so far.
func (s *Sampler) Table() *stats.Table { return s.table }

// Start schedules the first sample.
func (s *Sampler) Start() { s.next() }

func (s *Sampler) next() {
	s.n++
	s.event.at = instant.Of(s.clock, s.n)
	s.engine.Schedule(&s.event)
}

// Handle implements sim.Handler.
func (s *Sampler) Handle(sim.Event) error {
	for _, g := range s.groups {
		g.Settle(float64(s.event.at))
	}
	row := make([]any, len(s.list)+1)
	row[0] = s.clock.Nanoseconds(s.n)
	for i, c := range s.list {
		row[i+1] = *c.N - s.last[i]
		s.last[i] = *c.N
	}
	s.table.Rows = append(s.table.Rows, row)
	if len(engine.Waits(s.waiters...)) > 0 && s.goesOn() {
		s.next()
	}
	return nil
}

// goesOn reports whether anything but observers is scheduled: a system that can never go on is not
// looked at for ever.
func (s *Sampler) goesOn() bool {
	c, ok := s.engine.(engine.EventOwners)
	return !ok || c.Scheduled(func(h sim.Handler) bool {
		_, looks := h.(engine.Observer)
		return !looks
	})
}
