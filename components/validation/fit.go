package validation

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/optimize"

	"github.com/causeway-sim/causeway/configs"
)

// A Fit searches the values of some keys that minimise the error of runs over rows of
// measurements.
type Fit struct {
	Free []string // paths, as after --set; each has a number in the configuration
	On   []string // measurements; their rows under fitted: count
	// Baseline fits the baselines of the measurements in place of their runs.
	Baseline bool
	// Evaluations bounds how often all runs are made.
	Evaluations int
	// Progress, if not nil, is called after each evaluation.
	Progress func(FitStep)
}

// A FitStep is an evaluation of a fit.
type FitStep struct {
	Evaluation int     // from 1 on
	Loss       float64 // with the values that were tried; infinite where no node can have them
	Best       float64 // least loss so far
	Sets       []string
}

// A Value is the fitted value of one key.
type Value struct {
	Path, Before, After string
}

// A Fitting is the outcome of a fit.
type Fitting struct {
	Values []Value
	// The loss over the fitted rows: the mean of |ln(simulated / measured)|. Unlike the mean error
	// it weighs half and twice the time equally.
	LossBefore, LossAfter float64
	Before, After         float64 // mean absolute error over the same rows, in percent
	Evaluations           int
	Reports               []Summary // errors with the values found
}

// Run performs the fit: a simplex search of Nelder and Mead over the logarithms of the values,
// from the values of the configuration. It is restarted at its best point until a restart gains
// less than a thousandth. The loss is the mean |ln(simulated / measured)|, with the same weight
// for each measurement. The same study gives the same values.
func (f Fit) Run(ctx context.Context, s *Study, run RunFunc) (*Fitting, error) {
	on, err := f.measurements(s)
	if err != nil {
		return nil, err
	}
	starts, err := s.starts(f.Free, on)
	if err != nil {
		return nil, err
	}
	l := &fitLoss{f: f, s: s, on: on, starts: starts, ctx: ctx, run: run}
	x := make([]float64, len(f.Free))
	best := l.at(x)
	if l.failed != nil {
		return nil, l.failed
	}
	out := &Fitting{LossBefore: best}
	if out.Before, _, err = l.errorsOf(l.sets(x)); err != nil {
		return nil, err
	}
	for step := 0.2; l.n < f.Evaluations; step /= 2 {
		res, err := optimize.Minimize(optimize.Problem{Func: l.at}, x, &optimize.Settings{FuncEvaluations: f.Evaluations - l.n, Concurrent: 1}, &optimize.NelderMead{SimplexSize: step})
		if l.failed != nil {
			return nil, l.failed
		}
		if res == nil || err != nil && res.F >= best {
			break
		}
		gain := best - l.best // an optimiser that is stopped may know a better point than it returns
		best, x = l.best, l.bestAt
		if gain < best/1000 {
			break
		}
	}
	if l.failed != nil {
		return nil, l.failed
	}
	best, x = l.best, l.bestAt
	after := l.sets(x)
	for i, p := range f.Free {
		_, v, _ := strings.Cut(after[i], "=")
		out.Values = append(out.Values, Value{p, starts[i].text, v})
	}
	out.Evaluations, out.LossAfter = l.n, best
	out.After, out.Reports, err = l.errorsOf(after)
	return out, err
}

// measurements are those that a fit is made on.
func (f Fit) measurements(s *Study) (on []*Measurement, err error) {
	var errs configs.Errors
	for _, name := range f.On {
		m := s.measurement(name)
		switch {
		case m == nil:
			errs = append(errs, &configs.Error{Msg: fmt.Sprintf("--on: no measurement %q", name), Want: s.measurementNames(), Nearest: configs.Nearest(name, s.measurementNames())})
		case m.Fitted.empty():
			errs = append(errs, fmt.Errorf("--on: measurement %q does not say which rows are fitted on (fitted: in published.yaml)", name))
		case f.Baseline && m.Baseline == "":
			errs = append(errs, fmt.Errorf("--on: measurement %q has no baseline", name))
		default:
			c := *m
			if f.Baseline {
				c.Run, c.Baseline = m.Baseline, ""
			}
			on = append(on, &c)
		}
	}
	if len(f.Free) == 0 || len(f.On) == 0 {
		errs = append(errs, errors.New("a fit needs --free PATH and --on MEASUREMENT"))
	}
	return on, errs.Err()
}

// A start is the value of a key before the fit: a number and its unit.
type start struct {
	text   string
	number float64
	unit   string
}

// times is the value times a factor, with five digits.
func (s start) times(factor float64) string {
	x, _ := strconv.ParseFloat(strconv.FormatFloat(s.number*factor, 'g', 5, 64), 64)
	return strconv.FormatFloat(x, 'f', -1, 64) + s.unit
}

// starts finds the values of the paths in the configurations of the measurements.
func (s *Study) starts(paths []string, on []*Measurement) ([]start, error) {
	var errs configs.Errors
	out := make([]start, len(paths))
	for _, m := range on {
		r := s.Runs[m.Run]
		doc, err := configs.Load(filepath.Join(s.Dir, filepath.FromSlash(r.Config)), configs.Options{Set: r.Set, SetDir: s.Dir, Inputs: s.Inputs})
		if err != nil {
			return nil, err
		}
		for i, p := range paths {
			v := doc.Root
			for k, part := range strings.Split(p, ".") {
				if k == 0 && part != strings.ToLower(part) {
					v = nodeOf(doc.Root, part)
					continue
				}
				v = v.Get(part)
			}
			text := v.Text()
			end := strings.LastIndexAny(text, "0123456789.") + 1
			number, err := strconv.ParseFloat(text[:end], 64)
			switch {
			case !v.Exists():
				errs = append(errs, fmt.Errorf("--free: %s has no value in run %s: give it one to start from", p, m.Run))
			case err != nil || number <= 0:
				errs = append(errs, v.Errorf(nil, "--free %s: %q is no number over 0", p, text))
			default:
				out[i] = start{text, number, text[end:]}
			}
		}
	}
	return out, errs.Err()
}

func nodeOf(root configs.Value, name string) configs.Value {
	for _, n := range root.Get("nodes").Items() {
		if n.Get("name").Text() == name {
			return n
		}
	}
	return root.Get("nodes").Get(name)
}

// YAML returns the values as the content of a FittedSuffix file, with the keys of a node in one
// item.
func (f *Fitting) YAML(study string, on []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Fitted by causeway fit %s on %s: mean error %.2f %%.\nschema: causeway/1\nnodes:\n", study, strings.Join(on, ", "), f.After)
	type tree struct {
		value string
		keys  []string
		sub   map[string]*tree
	}
	root := &tree{sub: map[string]*tree{}}
	for _, v := range f.Values {
		at := root
		for part := range strings.SplitSeq(v.Path, ".") {
			if at.sub[part] == nil {
				at.sub[part] = &tree{sub: map[string]*tree{}}
				at.keys = append(at.keys, part)
			}
			at = at.sub[part]
		}
		at.value = v.After
	}
	var text func(t *tree) string
	text = func(t *tree) string {
		if len(t.keys) == 0 {
			return t.value
		}
		var parts []string
		for _, k := range t.keys {
			parts = append(parts, k+": "+text(t.sub[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	for _, name := range root.keys {
		fmt.Fprintf(&b, "  - {name: %s, %s\n", name, strings.TrimPrefix(text(root.sub[name]), "{"))
	}
	return []byte(b.String())
}
