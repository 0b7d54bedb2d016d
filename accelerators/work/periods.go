package work

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// tolerance is how far the times of two periods may lie apart that count as equal.
//
// assumption: as of a server's periods, a third of the error of 3 % that a sampled run may
// have.
const tolerance = 0.01

// A Repeater is an executor that can take periods of its program for what they took before. Its
// program goes through periods in order, such as the layers of a transformer.
type Repeater interface {
	Executor
	// Repeat has the executor report the end of each period to p, before Start: as member
	// number m, with the period of each operator of its workload. It begins the next period
	// when Resume says so. It waits for nothing of an earlier period: all is done then.
	Repeat(p *Periods, m int, of []int32) error
	// Resume lets the executor go on, and reports whether it has anything to do in the period
	// to come.
	Resume(r Resumption) (busy bool)
}

// A Resumption says how a Repeater goes on after the end of a period.
type Resumption struct {
	Next    int32  // period to come
	Skipped int    // periods between, all alike the one that ended ...
	Took    uint64 // ... which took so many cycles each
	At      uint64 // cycle from which on the next period may begin
}

// Periods are what the Repeaters that share a workload go through together. When all have
// ended one, a schedule.Sampler says how many after it need not be simulated: all counters
// go on by what the period counted.
type Periods struct {
	clock   clock.Clock
	meter   Meter
	sampler *schedule.Sampler
	shapes  []schedule.Shape
	members []Repeater
	ledger  *Ledger
	marks   map[uint64][2]Mark // of a period of each signature: before it and after it

	now     int32
	began   uint64
	at      uint64 // the latest end of a member
	arrived int
	mark    Mark
}

// NewPeriods is for members with equal clocks; shapes are of all periods, equal for those that
// are alike for every member.
func NewPeriods(members []Repeater, shapes []schedule.Shape, m Meter) *Periods {
	return &Periods{clock: members[0].Clock(), meter: m, sampler: schedule.NewSampler(tolerance), ledger: NewLedger(m), shapes: shapes, members: members, marks: map[uint64][2]Mark{}}
}

// Arrived says that a member has ended the period under way in this cycle. It may resume
// members, that one among them.
func (p *Periods) Arrived(cycle uint64) {
	for p.arrived++; ; {
		p.at = max(p.at, cycle)
		if p.arrived < len(p.members) {
			return
		}
		idle := p.next()
		if p.arrived = idle; int(p.now) == len(p.shapes) {
			return
		}
		cycle = p.at
	}
}

// next ends a period, and returns how many members have nothing to do in the next one.
func (p *Periods) next() (idle int) {
	sum, took, mark := p.shapes[p.now].Signature, p.at-p.began, p.meter.Mark()
	after, rest := schedule.Ahead(p.shapes, int(p.now))
	period := [2]Mark{p.mark, mark}
	of := schedule.Period{Signature: sum, Took: units.Time(took), After: after, Rest: rest}
	p.ledger.Compare(&of, p.now > 0 && p.shapes[p.now-1].Signature == sum, period)
	skip := p.sampler.Ended(of)
	if skip > 0 && skip == after { // the weights that are fetched already are those of such a period
		skip--
		p.sampler.Count.Skipped--
	}
	if _, ok := p.marks[sum]; !ok || skip == 0 || p.sampler.Fresh() {
		p.marks[sum] = period
	}
	r := Resumption{Next: p.now + 1 + int32(skip), Skipped: skip, At: p.at}
	if skip > 0 {
		r.Took = uint64(p.sampler.Took())
		r.At += uint64(skip) * r.Took
		m := p.marks[sum]
		p.meter.Repeat(m[0], m[1], uint64(skip), units.Time(p.clock.Nanoseconds(r.At)*float64(units.Nanosecond)))
	}
	if len(p.members) > 1 { // those that ended before learn of it a cycle later; so do all
		r.At++
	}
	p.now, p.began, p.at, p.mark = r.Next, r.At, r.At, p.meter.Mark()
	for _, m := range p.members {
		if !m.Resume(r) {
			idle++
		}
	}
	return idle
}

// Doubts are what of the skipped periods is not as said.
func (p *Periods) Doubts() []string { return p.sampler.Doubts() }

// Assumption says what was simulated.
func (p *Periods) Assumption() string {
	return fmt.Sprintf("Of the parts of the workload (layers, and what comes before and after them; simulation.repeat), %s.", p.sampler.Count)
}
