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

// A Repeater is an executor that can skip periods of its program and count them as a simulated
// one. Periods, such as the layers of a transformer, follow each other in the program.
type Repeater interface {
	Executor
	// Repeat is called before Start. The executor then calls p.Arrived at the end of each period,
	// as member m; of is the period of each operator. It begins the next period after Resume,
	// when all work of earlier periods is done.
	Repeat(p *Periods, m int, of []int32) error
	// Resume starts the next period, and reports whether the executor has work in it.
	Resume(r Resumption) (busy bool)
}

// A Resumption tells a Repeater where to continue after a period.
type Resumption struct {
	Next    int32  // period to come
	Skipped int    // skipped periods, all like the one that ended ...
	Took    uint64 // ... which took so many cycles each
	At      uint64 // cycle from which on the next period may begin
}

// Periods synchronises the Repeaters of a workload. When all have ended a period, a
// schedule.Sampler decides how many of the following periods are skipped; their counts are added
// to all counters.
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

// NewPeriods makes the Periods of members, whose clocks must be equal. shapes has one entry per
// period; equal shapes are equal periods for every member.
func NewPeriods(members []Repeater, shapes []schedule.Shape, m Meter) *Periods {
	return &Periods{clock: members[0].Clock(), meter: m, sampler: schedule.NewSampler(tolerance), ledger: NewLedger(m), shapes: shapes, members: members, marks: map[uint64][2]Mark{}}
}

// Arrived reports that a member ended the current period in this cycle. It may resume members,
// the caller among them.
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

// Doubts returns warnings: in what skipped periods may differ from simulated ones.
func (p *Periods) Doubts() []string { return p.sampler.Doubts() }

// Assumption returns a sentence on what was simulated.
func (p *Periods) Assumption() string {
	return fmt.Sprintf("Of the parts of the workload (layers, and what comes before and after them; simulation.repeat), %s.", p.sampler.Count)
}
