package experiment

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/components/usage"
)

// A Stop is the cause of a context (context.WithCancelCause) that ended a run, other than an
// interruption.
type Stop struct{ Reason string }

func (s *Stop) Error() string { return s.Reason }

// An Estimate is the predicted processor time and memory of a run on this machine.
type Estimate struct {
	Seconds float64 `json:"seconds"`               // of processor time, without loading; 0 if Done is 0
	Bytes   uint64  `json:"bytes"`                 // peak of the process
	Ran     float64 `json:"ran_s"`                 // processor time spent on the estimate, in seconds
	Done    int64   `json:"done"`                  // parts of the plan that ended in that time
	Total   int64   `json:"total"`                 // parts of the plan
	Unit    string  `json:"unit"`                  // what the parts are
	Rows    int64   `json:"rows"`                  // of layers.csv, counted on the plan
	Metrics int64   `json:"metrics"`               // that the nodes declare
	Live    uint64  `json:"live_bytes"`            // in use before the first event; 0 if that is little
	Whole   bool    `json:"whole"`                 // the run came to its end: nothing is estimated
	Fewer   int     `json:"fewer_nodes,omitempty"` // nodes of the system that was run in place of all

	rows float64 // bytes of the rows; 0 where none are counted
}

// Known reports whether Seconds is valid: the run ended, or at least one part of its plan did.
func (e Estimate) Known() bool { return e.Whole || e.Done > 0 }

// Count estimates the memory of a run from its plan, without running it: the live bytes and the
// rows of results.
func (x *Experiment) Count() (e Estimate) {
	if x.built == nil {
		return e
	}
	e.Rows, e.rows = x.built.rows()
	for _, n := range x.built.nodes() {
		e.Metrics += int64(len(n.Stats().Declared()))
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if float64(m.HeapAlloc)+e.rows > small {
		e.Live = liveBytes()
		e.Bytes = Resident(float64(e.Live) + e.rows)
	}
	return e
}

// rows counts the rows of the plan's operators and their bytes. Rows of a server's batches are not
// counted, because the batches are made during the run.
func (a *assembly) rows() (n int64, bytes float64) {
	for i := range a.shares {
		s := &a.shares[i]
		k := int64(len(s.Program.Jobs)) * int64(max(1, a.Loads[s.Load].Requests))
		each := rowBytes
		if c, ok := a.Workers[s.Worker].(system.Compact); ok {
			each = c.RowBytes()
		}
		n, bytes = n+k, bytes+float64(k)*float64(each)
	}
	return n, bytes
}

// patience is the greatest number of moments that a run is simulated for its estimate if no part
// ends.
const patience = 10

// Estimate runs the begin of the experiment for the time moment and extrapolates to all parts of
// its plan. The parts are operators, requests and the like, or the bursts and steps of Active
// workers. The second half of that time gives the processor time and the memory of a part, so
// that the begin of the run counts once. If no part ends in the first half, the run continues
// until two parts have ended, for at most ten times moment. If the run ends in that time, the
// values are measured. Estimate uses up what Load has built, and records nothing.
func (x *Experiment) Estimate(ctx context.Context, moment time.Duration) (Estimate, error) {
	if x.built == nil {
		var err error
		if x.built, err = untilCancelled(ctx, x.assemble); err != nil {
			return Estimate{}, err
		}
	}
	out, a := x.Count(), x.built
	x.built = nil
	trial, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	began := usage.CPUSeconds()
	half, seen := sampleOf{}, make(chan struct{})
	go func() {
		defer close(seen)
		half = a.watchTrial(trial, began, moment.Seconds(), stop)
	}()
	err := x.play(trial, a, nil)
	stop(nil)
	<-seen
	end := a.sampleAt(began)
	out.Unit, _, out.Total = a.progress()
	out.Ran, out.Done = end.spent, end.done
	switch {
	case err == nil:
		out.Whole, out.Seconds, out.Bytes = true, out.Ran+out.Writing(), usage.PeakBytes()+pageBytes
		return out, nil
	case ctx.Err() != nil:
		return out, ctx.Err()
	case !errors.Is(err, context.Canceled) || !errors.Is(context.Cause(trial), errMoment):
		return out, err
	}
	if planned := a.planned(); planned > 0 && end.active > half.active {
		end.done, half.done = end.active, half.active
		out.Done, out.Total, out.Unit = end.active, max(planned, end.active), activities
	}
	out.extend(half, end)
	return out, nil
}

// activities are what Active workers count.
const activities = "bursts and steps"

// actives are the workers that a run goes by, if all of them are Active; nil otherwise.
func (a *assembly) actives() (out []system.Active) {
	for _, w := range a.starters {
		p, ok := w.(system.Worker)
		if !ok || a.isIssuedTo(p) {
			continue
		}
		if _, total := p.Progress(); total == 0 {
			continue
		}
		k, ok := w.(system.Active)
		if !ok {
			return nil
		}
		out = append(out, k)
	}
	return out
}

// activity is that of all Active workers so far.
func (a *assembly) activity() (n int64) {
	for _, w := range a.actives() {
		n += w.Activity()
	}
	return n
}

// counted is how many workers are asked what they have planned; of more, as many are taken as the others.
const counted = 256

// planned is about the activity of the whole run, 0 where it is not known.
func (a *assembly) planned() (n int64) {
	all := a.actives()
	asked := min(len(all), counted)
	for i := range asked {
		n += all[i*len(all)/asked].Planned()
	}
	return n * int64(len(all)) / int64(max(1, asked))
}

// errMoment ends a trial.
var errMoment = errors.New("the moment is over")

// watchTrial takes a sample in the middle of the moment, or when the first part has ended, and ends
// the trial half a moment and a part after it. Of Active workers a part is a hundredth of what they
// have planned: the first bursts take longer than others.
func (a *assembly) watchTrial(trial context.Context, began, moment float64, stop context.CancelCauseFunc) (half sampleOf) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	part, asked, sampled := int64(1), false, false
	for n := 0; ; n++ {
		select {
		case <-trial.Done():
			return half
		case <-tick.C:
		}
		spent := usage.CPUSeconds() - began
		if spent < moment/2 || asked && part > 1 && n%stillEvery != 0 {
			continue
		}
		_, done, _ := a.progress()
		if !asked {
			asked = true
			a.still(func() { part = max(1, a.planned()/100) })
		}
		if part > 1 {
			a.still(func() { done = a.activity() })
		}
		if last := half.parts(part); !sampled || last < part && done >= part {
			sampled = true
			if half = (sampleOf{}); !a.still(func() { half = a.sampleAt(began) }) {
				half = a.sampleAt(began)
			}
		} else if spent-half.resumed >= moment/2 && last >= part && done >= last+part || spent >= patience*moment {
			stop(errMoment)
			return half
		}
	}
}

// stillEvery is in how many looks at a trial the engine stands still once.
const stillEvery = 10

// A sampleOf is how far a run is.
type sampleOf struct {
	spent   float64 // seconds of processor time
	resumed float64 // when the run went on
	done    int64
	active  int64  // of Active workers
	live    uint64 // bytes in use after a collection
}

// parts is what is done of parts that are one operator each, or so much activity.
func (s sampleOf) parts(part int64) int64 {
	if part > 1 {
		return s.active
	}
	return s.done
}

func (a *assembly) sampleAt(began float64) (s sampleOf) {
	s.spent = usage.CPUSeconds() - began
	_, s.done, _ = a.progress()
	s.active = a.activity()
	s.live = liveBytes()
	s.resumed = usage.CPUSeconds() - began
	return s
}

func liveBytes() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// extend extrapolates the rates between two samples, or since the start if no part ended in
// between. Counted rows have a fixed size each.
func (e *Estimate) extend(half, end sampleOf) {
	left := float64(max(0, e.Total-end.done))
	from := half
	if end.done == half.done {
		from = sampleOf{live: end.live}
	}
	live := float64(end.live)
	if n := float64(end.done - from.done); n > 0 {
		e.Seconds = end.spent - (half.resumed - half.spent) + left*(end.spent-from.resumed)/n + e.Writing()
		live += e.growth(from, end, left/n)
	}
	e.Bytes = max(usage.PeakBytes(), Resident(live), e.Bytes)
}

// growth is the memory kept for the remaining parts, which are a multiple of the parts between two
// samples. For counted rows it is at most their bytes; growth at the begin counts once.
func (e *Estimate) growth(from, end sampleOf, times float64) float64 {
	if end.live < from.live {
		return 0
	}
	n := times * float64(end.live-from.live)
	if e.rows > 0 {
		n = min(n, e.rows*float64(e.Total-end.done)/float64(e.Total))
	}
	return n
}

// Memory of a process in addition to live bytes, and of a row of layers.csv when kept, read for
// the report and written. Measured with pipeline.yaml of 3,000 frames (582,000 rows) and
// multicore.yaml of 1,000 cores.
const (
	garbage    = 1.6       // of large runs the command collects when 60% of what is live is garbage
	seldom     = 4         // of others so many times what is live, up to large
	large      = 1 << 30   // as in cmd/causeway
	program    = 40 << 20  // the program itself; roofline.yaml has 42 MiB in all
	small      = 256 << 20 // bytes of which a count does not ask the collector
	rowBytes   = 3900      // of nodes that keep rows whole, as multicore.yaml of 10,000 cores: 48 cells, what they are made of, and time series
	rowSeconds = 8e-6
	// The report of cxl-latency.yaml takes 0.03 s and 8 MiB.
	pageSeconds = 0.03
	pageBytes   = 8 << 20
	// The results of 10,000 cores have 490,000 metrics.
	metricSeconds = 12e-6
)

// RowBytes is what the rows of a plan take; 0 where none are counted.
func (e *Estimate) RowBytes() float64 { return e.rows }

// Writing is the time to write the files of a run.
func (e *Estimate) Writing() float64 {
	return pageSeconds + rowSeconds*float64(e.Rows) + metricSeconds*float64(e.Metrics)
}

// Resident is the peak of a process that has so many bytes in use.
func Resident(live float64) uint64 {
	return uint64(max(garbage*live, min(seldom*live, large))) + program
}

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
