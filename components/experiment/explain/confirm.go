package explain

import (
	"context"
	"errors"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
)

// A Confirmed is what whole runs, with and without the best change, say of it.
type Confirmed struct {
	Set   []string `json:"set"`
	Base  float64  `json:"base"`  // the metric without the change
	Value float64  `json:"value"` // the metric with it
	Ratio float64  `json:"ratio"`
	Error float64  `json:"error_percent"` // of the ratio that the explanation says, against this one
}

// confirm runs the configuration and its best change as a whole.
func (e *Explanation) confirm(ctx context.Context, loader *experiment.Loader, file string, x *experiment.Experiment, o Options) error {
	if len(e.Levers) == 0 {
		return nil
	}
	best := &e.All()[0]
	sets := best.settings()
	trials := sweep.Try(ctx, loader, file, [][]string{o.Set, slices.Concat(o.Set, sets)}, max(o.Workers, 1), func() {})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, t := range trials {
		switch {
		case t.Err != nil:
			return t.Err
		case t.Result.Status != result.Complete:
			return errors.New("a whole run is " + string(t.Result.Status) + ": " + t.Result.Reason)
		}
	}
	goal, err := x.Goal(trials[0].Result)
	if err != nil {
		return err
	}
	out := &Confirmed{Set: sets}
	for i, v := range []*float64{&out.Base, &out.Value} {
		var why string
		if *v, why = outcome(goal, trials[i]); why != "" {
			return errors.New(why)
		}
	}
	out.Ratio = goal.Gain(out.Base, out.Value) * max(best.Work, 1)
	out.Error = 100 * (best.Ratio/out.Ratio - 1)
	e.Confirmed = out
	return nil
}

// settings are all that make the change.
func (l *LeverResult) settings() []string {
	if len(l.Sets) > 0 {
		return l.Sets
	}
	return []string{l.Set}
}
