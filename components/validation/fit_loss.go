package validation

import (
	"context"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

// A fitLoss is the loss of a fit as a function of the logarithms of its values.
type fitLoss struct {
	f      Fit
	s      *Study
	on     []*Measurement
	starts []start
	ctx    context.Context
	run    RunFunc
	n      int // evaluations
	best   float64
	bestAt []float64
	failed error // of the first, or since ctx is cancelled
}

// sets are the settings with the values multiplied by exp(x).
func (l *fitLoss) sets(x []float64) []string {
	out := make([]string, len(x))
	for i := range x {
		out[i] = l.f.Free[i] + "=" + l.starts[i].times(math.Exp(x[i]))
	}
	return out
}

// runs makes each run of the measurements once with some settings, side by side.
func (l *fitLoss) runs(set []string) (map[string]*result.Result, error) {
	var names []string
	for _, m := range l.on {
		if !slices.Contains(names, m.Run) {
			names = append(names, m.Run)
		}
	}
	all := make([]*result.Result, len(names))
	errs := make([]error, len(names))
	var wait sync.WaitGroup
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, name := range names {
		wait.Add(1)
		room <- struct{}{}
		go func() {
			defer func() { <-room; wait.Done() }()
			r := l.s.Runs[name]
			all[i], errs[i] = l.run(l.ctx, filepath.Join(l.s.Dir, filepath.FromSlash(r.Config)), slices.Concat(r.Set, set))
		}()
	}
	wait.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return nil, errs[i]
	}
	out := make(map[string]*result.Result, len(names))
	for i, name := range names {
		out[name] = all[i]
	}
	return out, nil
}

// compare compares the measurements with runs of some settings.
func (l *fitLoss) compare(set []string) (out []*compared, err error) {
	results, err := l.runs(set)
	if err != nil {
		return nil, err
	}
	for _, m := range l.on {
		points, _, err := l.s.points(m)
		if err != nil {
			return nil, err
		}
		out = append(out, &compared{m: m, points: points, times: times(results[m.Run], m.Where, m.Metric)})
	}
	return out, nil
}

// at is the loss; infinite for values that no node can have.
func (l *fitLoss) at(x []float64) float64 {
	l.n++
	loss := math.Inf(1)
	set := l.sets(x)
	all, err := l.compare(set)
	switch {
	case err == nil:
		loss = lossOf(all)
	case l.n == 1 || l.ctx.Err() != nil:
		l.failed = err
		return loss
	}
	if l.n == 1 || loss < l.best {
		l.best, l.bestAt = loss, slices.Clone(x)
	}
	if l.f.Progress != nil {
		l.f.Progress(FitStep{Evaluation: l.n, Loss: loss, Best: l.best, Sets: set})
	}
	return loss
}

// lossOf is the mean over measurements of the loss over the rows that are fitted on.
func lossOf(all []*compared) float64 {
	total := 0.0
	for _, c := range all {
		sum, rows := 0.0, 0
		for _, p := range c.points {
			if p.set == fittedRows {
				sum += math.Abs(math.Log(c.times[p.name] / p.measured))
				rows++
			}
		}
		total += sum / float64(rows)
	}
	return total / float64(len(all))
}

// errorsOf are the errors with some settings: the mean over the rows fitted on, and
// all sets of rows.
func (l *fitLoss) errorsOf(set []string) (mean float64, all []Summary, err error) {
	comparisons, err := l.compare(set)
	if err != nil {
		return 0, nil, err
	}
	for _, c := range comparisons {
		sums, err := c.summaries()
		if err != nil {
			return 0, nil, err
		}
		for _, x := range sums {
			if x.Rows == fittedRows+" rows" {
				mean += x.Error.Mean / float64(len(l.on))
			}
		}
		all = append(all, sums...)
	}
	return mean, all, nil
}
