package issue

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// Tolerance is how far the times of two periods may lie apart that count as equal.
//
// assumption: a third of the error of 3 % that a sampled run may have.
const Tolerance = 0.01

// A Sampling has periods of what a node issues (Periods) take what periods alike took before
// them: nothing of those is issued, time passes, and all counters go on.
type Sampling struct {
	Sampler    *schedule.Sampler
	meter      work.Meter
	state      *schedule.State
	operators  *uint64 // that the node has carried out
	marks      map[uint64][2]mark
	signatures []uint64 // of the periods
	began      units.Time
	mark       mark
	before     [2]work.Mark // of the period before
	hold       units.Time
	until      int32 // last period that is skipped
}

// A mark is where everything stood.
type mark struct {
	nodes     work.Mark
	state     schedule.Mark
	operators uint64
}

// NewSampling is for a node whose state issues nothing yet; its counters are not the meter's.
func NewSampling(m work.Meter, s *schedule.State, operators *uint64) *Sampling {
	s.ByPeriod()
	return &Sampling{Sampler: schedule.NewSampler(Tolerance), meter: m, state: s, operators: operators, marks: map[uint64][2]mark{}}
}

// Begin says that periods begin, with a number for each, equal for those that are alike.
func (x *Sampling) Begin(now units.Time, signatures []uint64) {
	x.signatures = append(x.signatures[:0], signatures...)
	x.Sampler.Begin()
	x.began, x.mark = now, x.here()
	x.state.OpenPeriod(0)
}

// Begun reports whether Begin was called.
func (x *Sampling) Begun() bool { return x.signatures != nil }

// Hold is until when what is skipped goes on; 0: nothing is.
func (x *Sampling) Hold() units.Time { return x.hold }

func (x *Sampling) here() mark { return mark{x.meter.Mark(), x.state.Mark(), *x.operators} }

// Look sees whether a period has ended, and opens the next one that is simulated: at once, or
// after Hold. It returns how many operators were done without having been issued.
func (x *Sampling) Look(now units.Time) (skipped int) {
	if x.hold > 0 {
		if now < x.hold {
			return 0
		}
		k, _ := x.state.Period()
		skipped = x.state.Skip(now, k+1, x.until)
		x.hold = 0
		x.open(now, x.until)
		return skipped
	}
	k, over := x.state.Period()
	if !over {
		return 0
	}
	sum, took, here := x.signatures[k], now-x.began, x.here()
	after := 0
	for i := int(k) + 1; i < len(x.signatures) && x.signatures[i] == sum; i++ {
		after++
	}
	if int(k)+after == len(x.signatures)-1 {
		after-- // somebody has to end it all
	}
	moved, nodes := 0.0, [2]work.Mark{x.mark.nodes, here.nodes}
	if k > 0 && x.signatures[k-1] == sum {
		moved = x.meter.Differ(x.before, nodes)
	}
	x.before = nodes
	skip := x.Sampler.Ended(sum, took, moved, max(after, 0))
	if _, ok := x.marks[sum]; !ok || skip == 0 || x.Sampler.Fresh() {
		x.marks[sum] = [2]mark{x.mark, here}
	}
	if skip == 0 {
		x.open(now, k)
		return 0
	}
	m := x.marks[sum]
	x.hold, x.until = now+units.Time(skip)*x.Sampler.Took(), k+int32(skip)
	x.meter.Repeat(m[0].nodes, m[1].nodes, uint64(skip), x.hold)
	x.state.Repeat(m[0].state, m[1].state, skip)
	*x.operators += (m[1].operators - m[0].operators) * uint64(skip)
	return 0
}

// open lets the period after k go.
func (x *Sampling) open(now units.Time, k int32) {
	x.began, x.mark = now, x.here()
	x.state.OpenPeriod(k + 1)
}
