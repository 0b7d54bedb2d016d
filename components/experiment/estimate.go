package experiment

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/components/usage"
)

// A Stop is why a run was ended from outside, other than by an interruption: the cause of its
// context (context.WithCancelCause).
type Stop struct{ Reason string }

func (s *Stop) Error() string { return s.Reason }

// An Estimate is what a run will take on this machine.
type Estimate struct {
	Seconds float64 `json:"seconds"` // of the simulation, without loading; 0 where Done is 0
	Bytes   uint64  `json:"bytes"`   // that the process has at the most
	Ran     float64 `json:"ran_s"`   // seconds of it that were run for the estimate
	Done    int64   `json:"done"`    // parts of the plan that ended in them
	Total   int64   `json:"total"`   // parts of the plan
	Unit    string  `json:"unit"`    // what the parts are
	Whole   bool    `json:"whole"`   // the run came to its end: nothing is estimated
}

// Known reports whether the parts that ended say how long the others take.
func (e Estimate) Known() bool { return e.Whole || e.Done > 0 }

// Estimate carries out the first moments of a run and extends them to its plan: nodes know how
// many parts their work has. The second half of the moment says what a part takes, in time and
// in memory that is kept, so that the begin of a run counts once. A run that ends within the
// moment is measured, not estimated. It spends what Load has built; nothing is recorded.
func (x *Experiment) Estimate(ctx context.Context, moment time.Duration) (Estimate, error) {
	a := x.built
	x.built = nil
	if a == nil {
		var err error
		if a, err = untilCancelled(ctx, x.assemble); err != nil {
			return Estimate{}, err
		}
	}
	trial, stop := context.WithTimeout(ctx, moment)
	defer stop()
	began := time.Now()
	half, seen := sampleOf{}, make(chan struct{})
	timer := time.AfterFunc(moment/2, func() {
		half = a.sampleAt(began)
		close(seen)
	})
	err := x.play(trial, a, nil)
	if !timer.Stop() {
		<-seen
	}
	end := a.sampleAt(began)
	unit, _, total := a.progress()
	out := Estimate{Ran: end.spent.Seconds(), Done: end.done, Total: total, Unit: unit}
	switch {
	case err == nil:
		out.Whole, out.Seconds, out.Bytes = true, out.Ran, usage.PeakBytes()
		return out, nil
	case ctx.Err() != nil:
		return out, ctx.Err()
	case !errors.Is(err, context.DeadlineExceeded):
		return out, err
	}
	out.extend(half, end)
	return out, nil
}

// A sampleOf is how far a run is.
type sampleOf struct {
	spent time.Duration
	done  int64
	live  uint64 // bytes in use after a collection
}

func (a *assembly) sampleAt(began time.Time) (s sampleOf) {
	s.spent = time.Since(began)
	_, s.done, _ = a.progress()
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	s.live = m.HeapAlloc
	return s
}

// extend extrapolates the rates between two samples, or those since the start where nothing
// ended between the two.
func (e *Estimate) extend(half, end sampleOf) {
	left := float64(max(0, e.Total-end.done))
	from := half
	if end.done == half.done {
		from = sampleOf{live: end.live}
	}
	live := float64(end.live)
	if n := float64(end.done - from.done); n > 0 {
		e.Seconds = end.spent.Seconds() + left*(end.spent-from.spent).Seconds()/n
		if end.live > from.live {
			live += left * float64(end.live-from.live) / n
		}
	}
	e.Bytes = max(usage.PeakBytes(), resident(live))
}

// What a process has besides what is live.
const (
	garbage = 1.6      // of large runs the command collects when 60% of what is live is garbage
	program = 64 << 20 // assumption: the program and small runs; resnet50.yaml has 32 MiB in all
)

func resident(live float64) uint64 { return uint64(garbage*live) + program }

// Memory prints bytes in binary units, rounded for people.
func Memory(n uint64) string {
	const gib = 1 << 30
	if n >= 10*gib {
		n = (n + gib/2) / gib * gib
	} else {
		const step = 16 << 20
		n = (n + step/2) / step * step
	}
	return units.Bytes(n).String()
}
