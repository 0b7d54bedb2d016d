package validation

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// A Row is one published number and the simulated one.
type Row struct {
	Study, Run, Metric, Unit string
	Published, Simulated     float64
	Tolerance, Label, Source string
	// Rule is what gives the verdict: the greatest error of the row's label, as 10%, or the row's
	// own bound where there is no error in percent.
	Rule string
	OK   bool // within the rule; its own bound holds too, or is marked as not reached
	// Problem says why there is no simulated value; OK is false then.
	Problem string
	// NoInput is set if the run needs external input files that this machine does not have.
	NoInput bool
	// Gate is set if the row's own bound holds, or it has none.
	Gate bool
	// Missed is set if the row is outside the rule and the study says why: Because.
	Missed  bool
	Because string
	// Reached is set if the row holds although the study marks its own bound as not reached.
	Reached bool

	limit     bool // Published bounds an error; the row is no error itself
	outside   bool // outside the rule
	unreached bool // the study marks the row's own bound as not reached
}

// Error is the deviation in percent of the published value; ok is false if that value is 0 or a
// bound, or if there is no simulated value.
func (r Row) Error() (percent float64, ok bool) {
	if r.Problem != "" || r.Published == 0 || r.limit || bound(r.Tolerance) {
		return 0, false
	}
	return 100 * (r.Simulated - r.Published) / r.Published, true
}

// A Report is a study with all its compared rows.
type Report struct {
	Study     *Study
	Rows      []Row
	Summaries []Summary  // errors of its measurements
	Measured  []Measured // their rows, one by one
}

// OK reports whether no row fails: each compared one holds or misses for a reason that the study
// gives, and no own bound of a row is exceeded that was not marked as such.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Rows, func(r Row) bool { return r.Failed() })
}

// RunFunc runs a configuration with settings. File names in the settings are
// relative to the configuration's folder. It is called from Jobs goroutines.
type RunFunc func(ctx context.Context, config string, set []string) (*result.Result, error)

// Check runs each run of a study once and compares the results. The error is that of ctx, or of a
// study that cannot be compared; a failed run is a Problem of its rows.
func Check(ctx context.Context, s *Study, run RunFunc) (*Report, error) {
	rep := &Report{Study: s}
	results, problems, noInput := s.makeRuns(ctx, run)
	if ctx.Err() != nil {
		return rep, ctx.Err()
	}
	for _, p := range s.Points {
		row := Row{Study: s.Name, Run: p.Run, Metric: p.Metric, Unit: p.Unit, Published: p.Published,
			Tolerance: p.Tolerance, Label: shown(p.Label, p.Tolerance), Source: p.Source, Problem: problems[p.Run],
			NoInput: noInput[p.Run]}
		if row.Problem == "" {
			row.Simulated, row.Problem = value(results[p.Run], p.Metric)
		}
		if row.Problem == "" && p.Per != "" {
			name, metric, _ := strings.Cut(p.Per, ":")
			row.Metric += " / " + p.Per
			row.NoInput = noInput[name]
			if row.Problem = problems[name]; row.Problem == "" {
				var d float64
				if d, row.Problem = value(results[name], metric); d == 0 && row.Problem == "" {
					row.Problem = p.Per + " is 0"
				} else {
					row.Simulated /= d
				}
			}
		}
		row.judgeValue(p.Missed)
		rep.Rows = append(rep.Rows, row)
	}
	for _, t := range s.Tables {
		rows, err := s.table(t, results[t.Run], problems[t.Run])
		if err != nil {
			return rep, fmt.Errorf("%s: the table of run %s: %w", filepath.Join(s.Dir, "published.yaml"), t.Run, err)
		}
		for i := range rows {
			rows[i].NoInput = noInput[t.Run]
		}
		rep.Rows = append(rep.Rows, rows...)
	}
	for i := range s.Measurements {
		m := &s.Measurements[i]
		c, err := s.compare(ctx, m, results, run)
		if ctx.Err() != nil {
			return rep, ctx.Err()
		}
		if err != nil {
			row := Row{Study: s.Name, Run: m.Run, Metric: m.Name, Label: m.Label, Source: m.Source, limit: true,
				Problem: err.Error(), NoInput: errors.Is(err, configs.ErrNoInputs)}
			for _, name := range []string{m.Baseline, m.Run} {
				if p := problems[name]; p != "" {
					row.Problem, row.NoInput = p, noInput[name]
				}
			}
			rep.Rows = append(rep.Rows, row)
			continue
		}
		sums, err := c.summaries()
		if err != nil {
			return rep, fmt.Errorf("%s: %s: %w", filepath.Join(s.Dir, "published.yaml"), m.Name, err)
		}
		rep.Summaries = append(rep.Summaries, sums...)
		rep.Rows = append(rep.Rows, c.rows(s.Name)...)
		rep.Measured = append(rep.Measured, c.each(s.Name)...)
	}
	if err := s.explainMisses(rep.Rows); err != nil {
		return rep, fmt.Errorf("%s: %w", filepath.Join(s.Dir, File), err)
	}
	return rep, nil
}

// makeRuns makes the runs that a study names, and says why some have no result.
func (s *Study) makeRuns(ctx context.Context, run RunFunc) (results map[string]*result.Result, problems map[string]string, noInput map[string]bool) {
	results, problems, noInput = map[string]*result.Result{}, map[string]string{}, map[string]bool{}
	templates := s.templates()
	names := slices.DeleteFunc(sortedKeys(s.Runs), func(name string) bool { return templates[name] }) // their rows have runs of their own
	made, errs := make([]*result.Result, len(names)), make([]error, len(names))
	s.parallel(ctx, len(names), func(i int) {
		r := s.Runs[names[i]]
		made[i], errs[i] = run(ctx, filepath.Join(s.Dir, filepath.FromSlash(r.Config)), r.Set)
	})
	for i, name := range names {
		switch res, err := made[i], errs[i]; {
		case ctx.Err() != nil:
			return
		case err != nil:
			problems[name], noInput[name] = err.Error(), errors.Is(err, configs.ErrNoInputs)
		case res.Status != result.Complete:
			problems[name] = fmt.Sprintf("%s: %s", res.Status, res.Reason)
		default:
			results[name] = res
		}
	}
	return
}

// parallel calls do for 0 to n-1, Jobs at a time, until ctx ends.
func (s *Study) parallel(ctx context.Context, n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(max(s.Jobs, 1), n) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// compare reads a measurement and finds the times of its runs.
func (s *Study) compare(ctx context.Context, m *Measurement, results map[string]*result.Result, run RunFunc) (*compared, error) {
	points, all, err := s.points(m)
	if err != nil {
		return nil, err
	}
	c := &compared{m: m, points: points}
	if m.Repeated {
		c.repeats = m.repeats(all)
	}
	if len(m.Each) > 0 {
		c.times, err = s.each(ctx, m, points, run)
		return c, err
	}
	if results[m.Run] == nil {
		return nil, fmt.Errorf("run %s has not ended", m.Run)
	}
	c.times = times(results[m.Run], m.Where, m.Metric)
	if m.Baseline != "" {
		if results[m.Baseline] == nil {
			return nil, fmt.Errorf("run %s has not ended", m.Baseline)
		}
		c.baseline = times(results[m.Baseline], m.Where, m.Metric)
	}
	return c, nil
}

// shown is the label of a row: with a tolerance the label exact becomes closed form.
func shown(label, tol string) string {
	if label == "exact" && tol != "0" && tol != "" {
		return ClosedForm
	}
	return label
}

// value finds a metric by its key: name, Where.name, either with @phase.
func value(r *result.Result, key string) (v float64, problem string) {
	for _, m := range r.Metrics {
		if result.Key(m) == key {
			return m.Value, ""
		}
	}
	return 0, fmt.Sprintf("the run has no metric %q", key)
}

// table compares rows of layers.csv with those of a file, by key.
func (s *Study) table(t Table, r *result.Result, problem string) ([]Row, error) {
	want, err := readCSV(filepath.Join(s.Dir, filepath.FromSlash(t.File)))
	if err != nil {
		return nil, err
	}
	ki := slices.Index(want[0], t.Key)
	if ki < 0 {
		return nil, fmt.Errorf("%s: no column %q (it has %s)", t.File, t.Key, strings.Join(want[0], ", "))
	}
	var layers *stats.Table
	byName := map[string][]any{}
	if r != nil && r.Layers != nil {
		layers = r.Layers
		for _, row := range layers.All() {
			byName[fmt.Sprint(row[0])] = row
		}
	}
	var out []Row
	for _, w := range want[1:] {
		for _, col := range slices.Sorted(maps.Keys(t.Columns)) {
			wi := slices.Index(want[0], t.Columns[col])
			if wi < 0 {
				return nil, fmt.Errorf("%s: no column %q (it has %s)", t.File, t.Columns[col], strings.Join(want[0], ", "))
			}
			pub, err := strconv.ParseFloat(strings.TrimSpace(w[wi]), 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %s of %s: %w", t.File, t.Columns[col], w[ki], err)
			}
			row := Row{Study: s.Name, Run: t.Run, Metric: w[ki] + "." + col, Published: pub,
				Tolerance: t.Tolerance, Label: shown(t.Label, t.Tolerance), Source: t.Source, Problem: problem}
			if row.Problem == "" {
				row.Simulated, row.Unit, row.Problem = cell(layers, byName[w[ki]], w[ki], col)
			}
			row.judgeValue(false)
			out = append(out, row)
		}
	}
	return out, nil
}

func cell(t *stats.Table, row []any, layer, col string) (v float64, unit, problem string) {
	if row == nil {
		return 0, "", fmt.Sprintf("the run has no layer %q", layer)
	}
	i := t.Index(col)
	if i < 0 || row[i] == nil {
		return 0, "", fmt.Sprintf("layers.csv has no %q", col)
	}
	switch x := row[i].(type) {
	case float64:
		v = x
	case int64:
		v = float64(x)
	case uint64:
		v = float64(x)
	case int:
		v = float64(x)
	default:
		return 0, "", fmt.Sprintf("%q is no number", col)
	}
	return v, string(t.Columns[i].Unit), ""
}

func readCSV(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.TrimLeadingSpace = true
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err == nil && len(rows) < 2 {
		err = fmt.Errorf("no rows")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows, nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
