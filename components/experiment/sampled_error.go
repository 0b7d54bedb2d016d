package experiment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A SampledError is a small case of a configuration with simulation.repeat: sampled, run both ways.
type SampledError struct {
	Case          string // how the case is smaller
	Taken         uint64 // layers or steps that the sampled run did not simulate, because they equal others
	Full, Sampled *result.Result
}

// A small case has at most so many requests, whose answers have at most so many tokens, and the
// fewest of 4, 6, 8, 16, 32, ... layers of which a sampled run takes some as equal; four times as
// many where overlap or t3 has four repeat as one.
const (
	smallRequests = 2
	smallOutput   = 5
	smallLayers   = 4
)

// Sampled returns an error if SampledError has no meaning for this configuration.
func (x *Experiment) Sampled() error {
	if x.sim.Repeat != sampled {
		return errors.New("simulation.repeat is exact: every layer is simulated, and there is no error of a sampled run (want simulation.repeat: sampled)")
	}
	return nil
}

// SampledError runs a small case of the configuration sampled and in full. It does not change the
// experiment.
func (x *Experiment) SampledError(ctx context.Context, progress ProgressFunc) (*SampledError, error) {
	if err := x.Sampled(); err != nil {
		return nil, err
	}
	w := x.workloads[0]
	first, all := numbered(w)
	one := together(w)
	for k := smallLayers; ; k = more(k) {
		n := min(k*one, all)
		set, text := x.small(w, first, n, all)
		some, err := x.smallRun(ctx, progress, set, sampled)
		if err == nil && some.Repeats == 0 && n < all {
			continue
		}
		out := &SampledError{Case: text, Sampled: some}
		if err == nil {
			out.Taken = some.Repeats
			out.Full, err = x.smallRun(ctx, progress, set, "exact")
		}
		if err != nil {
			return nil, fmt.Errorf("the small case (%s): %w", text, err)
		}
		return out, nil
	}
}

// more is how many to try after n, of which none was taken as equal.
func more(n int) int {
	if n < 2*smallLayers {
		return n + 2
	}
	return 2 * n
}

// numbered are the first of the layers that are carried out, and their number.
func numbered(w *plan.Workload) (first, n int) {
	last := -1
	for i := range w.Graph.Ops {
		if l, ok := graph.LayerOf(w.Graph.Ops[i].Name); ok {
			if last < 0 {
				first = l
			}
			first, last = min(first, l), max(last, l)
		}
	}
	return first, last - first + 1
}

// small are the settings of the small case with n of all layers, and the same in words.
func (x *Experiment) small(w *plan.Workload, first, n, all int) (set []string, text string) {
	at := "workload"
	if !x.doc.Root.Get(at).Exists() {
		at = "workloads[0]"
	}
	words := []string{fmt.Sprintf("all %d layers", all)}
	if n < all {
		words[0] = fmt.Sprintf("layers %d..%d, %d of %d", first, first+n-1, n, all)
		set = append(set, fmt.Sprintf("%s.layers=%d..%d", at, first, first+n-1))
	}
	if w.At.Get("requests").Exists() {
		more, said := smallServed(w, at+".requests.")
		set, words = append(set, more...), append(words, said...)
	}
	if x.doc.Root.Get("simulation").Get("record").Exists() {
		set = append(set, "simulation.record=null")
	}
	return set, strings.Join(words, "; ")
}

// smallServed are the settings of few requests with short answers. Answers of a file are as
// long as it says.
func smallServed(w *plan.Workload, at string) (set, words []string) {
	r := &w.Spec.Requests
	n := min(max(r.Count, 1), smallRequests)
	set, words = []string{fmt.Sprintf("%scount=%d", at, n)}, []string{fmt.Sprintf("%d of the requests", n)}
	if r.Prefixes > n {
		set = append(set, fmt.Sprintf("%sprefixes=%d", at, n))
	}
	if r.Output.Most > smallOutput {
		set = append(set, fmt.Sprintf("%soutput=%d", at, smallOutput))
		words = append(words, fmt.Sprintf("answers of %d tokens", smallOutput))
	}
	return set, words
}

// smallRun runs the configuration with more settings, and nothing that a run is watched by.
func (x *Experiment) smallRun(ctx context.Context, progress ProgressFunc, set []string, repeat string) (*result.Result, error) {
	o := x.options
	o.Tasks, o.Observe, o.Live, o.Scaling, o.Note = nil, false, nil, false, nil
	o.Set = append(append([]string(nil), o.Set...), append(set, "simulation.repeat="+repeat)...)
	y, err := NewLoader(o).whole(x.read)
	if err != nil {
		return nil, err
	}
	r, _, err := y.Run(ctx, progress)
	if err == nil && r.Status != result.Complete {
		err = errors.New(r.Reason)
	}
	return r, err
}

// repeats is how often the run of an assembly took layers or steps as equal.
func (a *assembly) repeats() uint64 {
	if a.meter == nil {
		return 0
	}
	return a.meter.repeats
}
