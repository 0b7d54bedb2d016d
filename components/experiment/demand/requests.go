package demand

import (
	"errors"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/schedule"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// ScheduleKeys lists the keys of a workload that only a schedule node reads.
var ScheduleKeys = []string{"arrivals", "frames", "probability", "deadline", "priority", "after", "form_of", "parallel", "training"}

// CheckAfter checks the key after: it names another workload with as many requests, without a
// cycle.
func (w *Workload) CheckAfter(all []*Workload) error {
	var names []string
	by := map[string]*Workload{}
	for _, o := range all {
		if by[o.Name()] = o; o.Name() != w.Name() {
			names = append(names, o.Name())
		}
	}
	at := w.At.Get("after")
	steps := 0
	for v := w; v.Spec.After != ""; steps++ {
		f := by[v.Spec.After]
		switch {
		case f == nil && v == w:
			return at.Errorf(names, "unknown workload %q", w.Spec.After)
		case f == nil:
			return nil // said at that workload
		case steps == len(all) || f == w:
			return at.Errorf(nil, "%s waits for itself", w.Name())
		case f.Nth != nil:
			return at.Errorf(nil, "%s is not there for every request: it has a probability (want a workload whose requests are all made)", f.Name())
		case v == w && f.Possible() != w.Possible():
			return at.Errorf(nil, "%s has %d requests and %s %d (want as many)", w.Name(), w.Possible(), f.Name(), f.Possible())
		}
		v = f
	}
	return nil
}

// CheckForm checks the key form_of: it names another workload.
func (w *Workload) CheckForm(all []*Workload) error {
	if w.Spec.FormOf == "" {
		return nil
	}
	at := w.At.Get("form_of")
	var names []string
	for _, o := range all {
		if o != w && o.Spec.FormOf == "" {
			names = append(names, o.Name())
		}
	}
	if !slices.Contains(names, w.Spec.FormOf) {
		return at.Errorf(names, "unknown workload %q", w.Spec.FormOf)
	}
	var errs configs.Errors
	for _, key := range []string{"arrivals", "frames", "probability", "deadline", "priority", "after", "parallel", "training", "arrival"} {
		if v := w.At.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect: requests are those of %s, of which this is a form", w.Spec.FormOf))
		}
	}
	return errs.Err()
}

// Draw removes requests by the key probability, with the seed.
func (w *Workload) Draw(seed uint64) error {
	if w.Spec.Chance == nil {
		return nil
	}
	p := *w.Spec.Chance
	if !(p >= 0 && p <= 1) {
		return w.At.Get("probability").Errorf(nil, "is %g (want 0 to 1)", p)
	}
	if w.Spec.Parallel.Ranks() > 1 {
		return w.At.Get("probability").Errorf(nil, "is not built for chips that share a model (parallel)")
	}
	r := (&system.Env{Seed: seed}).Rand("probability of " + w.Name())
	times := w.Times
	w.Times, w.Nth = nil, []int32{}
	for i, t := range times {
		if r.Float64() < p {
			w.Times, w.Nth = append(w.Times, t), append(w.Nth, int32(i))
		}
	}
	w.Drawn, w.Requests = len(times), len(w.Times)
	return nil
}

// Possible is the number of requests before Draw.
func (w *Workload) Possible() int {
	if w.Nth != nil {
		return w.Drawn
	}
	return len(w.Times)
}

// maxRequests is the greatest number of requests of one workload, as of key frames.
const maxRequests = 1 << 20

// Arrivals returns the arrival times of the workload's requests.
func (w *Workload) Arrivals(seed uint64, resolve func(configs.Value) (string, error)) ([]units.Time, error) {
	s := &w.Spec
	frames := w.At.Get("frames")
	if s.Arrivals.Name == "" {
		return slices.Repeat([]units.Time{s.Arrival}, max(s.Frames, 1)), nil
	}
	if s.Frames == 0 && s.Arrivals.Name != "trace" {
		return nil, s.Arrivals.At.Errorf(nil, "has no end: frames says how many requests arrive")
	}
	source, err := s.Arrivals.New(resolve)
	var key *schedule.KeyError
	if errors.As(err, &key) {
		return nil, s.Arrivals.Place(key.Key).Errorf(nil, "%s", key)
	}
	if err != nil {
		return nil, s.Arrivals.At.Locate(err)
	}
	r := (&system.Env{Seed: seed}).Rand("arrivals of " + w.Name())
	var out []units.Time
	for s.Frames == 0 || len(out) < s.Frames {
		at, ok := source.Next(r)
		if !ok {
			break
		}
		if at > math.MaxUint64/4 || s.Arrival > math.MaxUint64/4 {
			return nil, s.Arrivals.At.Errorf(nil, "request %d arrives after %s, which is as far as times count", len(out), units.Time(math.MaxUint64/4))
		}
		if len(out) == maxRequests {
			return nil, s.Arrivals.At.Errorf(nil, "has more than %d requests", maxRequests)
		}
		out = append(out, s.Arrival+at)
	}
	if len(out) < s.Frames {
		return nil, frames.Errorf(nil, "is %d, and the arrivals end after %d", s.Frames, len(out))
	}
	return out, nil
}

// Repeats is how often the workload is executed.
func (w *Workload) Repeats() int64 {
	if w.Requests == 0 && w.Nth == nil {
		return 1
	}
	return int64(w.Requests)
}

// sizesOfRequests reports keys that have no effect together with requests, and sets what the graph
// is built of.
func (w *Workload) sizesOfRequests() error {
	if !w.At.Get("requests").Exists() {
		return nil
	}
	var errs configs.Errors
	for _, key := range []string{"batch", "sequence", "context", "phase", "arrival", "arrivals", "frames", "deadline", "priority", "after"} {
		if k := w.At.Get(key); k.Exists() {
			errs.Add(k.Errorf(nil, "has no effect: requests says what runs, and when"))
		}
	}
	if k := w.At.Get("training"); k.Exists() {
		errs.Add(k.Errorf(nil, "does not go with requests: a server answers them and trains nothing (want training or requests)"))
	}
	w.Groups = whole
	return errs.Err()
}

// whole is a batch that takes all weights of a model, every expert included.
var whole = []zoo.Group{{Requests: 1, Tokens: 512, Context: 512, Sample: true}}
