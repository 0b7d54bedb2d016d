package issue

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// Tolerance is the greatest relative difference of time of two periods that count as equal.
//
// assumption: a third of the error of 3 % that a sampled run may have.
const Tolerance = 0.01

// Error is the greatest relative error of a sampled run before it warns.
const Error = 0.03

// A Sampling skips periods of a node's operators (Periods) that equal earlier ones: their
// operators are not issued, they take the time of the earlier periods, and all counters advance.
type Sampling struct {
	Sampler   *schedule.Sampler
	Again     func() bool    // the last periods occur again in another step; nil: they do not
	Edge      func(end bool) // called before counters are read, at the begin and the end of each simulated period; may be nil
	meter     work.Meter
	ledger    *work.Ledger
	state     *schedule.State
	operators *uint64 // that the node has carried out
	marks     map[uint64][2]mark
	shapes    []schedule.Shape // of the periods
	began     units.Time
	mark      mark
	hold      units.Time
	until     int32 // last period that is skipped
}

// A mark is where everything stood.
type mark struct {
	nodes     work.Mark
	state     schedule.Mark
	operators uint64
}

// NewSampling makes a sampling for a state without issued operators; operators counts those of the
// node and must not be counted by the meter.
func NewSampling(m work.Meter, s *schedule.State, operators *uint64) *Sampling {
	s.ByPeriod()
	return &Sampling{Sampler: schedule.NewSampler(Tolerance), meter: m, ledger: work.NewLedger(m), state: s, operators: operators, marks: map[uint64][2]mark{}}
}

// Begin begins the periods with these shapes.
func (x *Sampling) Begin(now units.Time, shapes []schedule.Shape) {
	x.shapes = append(x.shapes[:0], shapes...)
	x.Sampler.Begin()
	x.edge(false)
	x.began, x.mark = now, x.here()
	x.state.OpenPeriod(0)
}

// Begun reports whether Begin was called.
func (x *Sampling) Begun() bool { return x.shapes != nil }

// Hold returns the end of the skipped periods; 0 if none is being skipped.
func (x *Sampling) Hold() units.Time { return x.hold }

// Like returns the begin of the period that the skipped periods equal; that period ended when Look
// skipped.
func (x *Sampling) Like() units.Time { return x.began }

func (x *Sampling) edge(end bool) {
	if x.Edge != nil {
		x.Edge(end)
	}
}

func (x *Sampling) here() mark { return mark{x.meter.Mark(), x.state.Mark(), *x.operators} }

// Look checks whether a period has ended, and opens the next simulated one, at once or after Hold.
// It returns the number of skipped operators.
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
	x.edge(true)
	sum, took, here := x.shapes[k].Signature, now-x.began, x.here()
	after, rest := schedule.Ahead(x.shapes, int(k))
	if int(k)+after == len(x.shapes)-1 {
		after-- // the last period is simulated, since it ends the run
	}
	of := schedule.Period{Signature: sum, Took: took, After: max(after, 0), Rest: rest, Again: x.Again != nil && x.Again()}
	x.ledger.Compare(&of, k > 0 && x.shapes[k-1].Signature == sum, [2]work.Mark{x.mark.nodes, here.nodes})
	skip := x.Sampler.Ended(of)
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
	x.edge(false)
	x.began, x.mark = now, x.here()
	x.state.OpenPeriod(k + 1)
}
