package validation

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

// templates are the runs that are made row by row only.
func (s *Study) templates() map[string]bool {
	out := map[string]bool{}
	for i := range s.Measurements {
		if m := &s.Measurements[i]; len(m.Each) > 0 {
			out[m.Run] = true
		}
	}
	for _, p := range s.Points {
		delete(out, p.Run)
		name, _, _ := strings.Cut(p.Per, ":")
		delete(out, name)
	}
	for _, t := range s.Tables {
		delete(out, t.Run)
	}
	for i := range s.Measurements {
		if m := &s.Measurements[i]; len(m.Each) == 0 {
			delete(out, m.Run)
			delete(out, m.Baseline)
		}
	}
	return out
}

// each makes the runs of a measurement, rows with the same settings once, and returns the
// times by row. The name of a row has to be its own.
func (s *Study) each(ctx context.Context, m *Measurement, points []point, run RunFunc) (map[string]float64, error) {
	r := s.Runs[m.Run]
	names := map[string]bool{}
	at := make([]int, len(points)) // of the row's run in sets
	first := map[string]int{}
	var sets [][]string
	for i := range points {
		p := &points[i]
		if names[p.name] {
			return nil, fmt.Errorf("%s: two rows are called %s", m.File, p.name)
		}
		names[p.name] = true
		set := append(slices.Clone(r.Set), m.settings(p)...)
		key := strings.Join(set, "\x00")
		if _, ok := first[key]; !ok {
			first[key] = len(sets)
			sets = append(sets, set)
		}
		at[i] = first[key]
	}
	values, errs := make([]float64, len(sets)), make([]error, len(sets))
	s.parallel(ctx, len(sets), func(i int) {
		values[i], errs[i] = timeOf(ctx, filepath.Join(s.Dir, filepath.FromSlash(r.Config)), sets[i], m.Metric, s.once(run))
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out := map[string]float64{}
	for i := range points {
		if err := errs[at[i]]; err != nil {
			return nil, fmt.Errorf("row %s: %w", points[i].name, err)
		}
		out[points[i].name] = values[at[i]]
	}
	return out, nil
}

// settings are those of the run of a row.
func (m *Measurement) settings(p *point) (out []string) {
	row := p.replacer()
	for _, e := range m.Each {
		x := row.Replace(e)
		if _, value, _ := strings.Cut(x, "="); value != "" || !strings.Contains(e, "${") {
			out = append(out, x)
		}
	}
	return out
}

// once is run, which makes runs of the same settings once for all measurements, and keeps their metrics.
func (s *Study) once(run RunFunc) RunFunc {
	return func(ctx context.Context, config string, set []string) (*result.Result, error) {
		key := config + "\x00" + strings.Join(set, "\x00")
		s.mu.Lock()
		kept, ok := s.kept[key]
		s.mu.Unlock()
		if ok {
			return kept, nil
		}
		r, err := run(ctx, config, set)
		if err != nil {
			return nil, err
		}
		kept = &result.Result{Status: r.Status, Reason: r.Reason, Metrics: r.Metrics}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.kept == nil {
			s.kept = map[string]*result.Result{}
		}
		s.kept[key] = kept
		return kept, nil
	}
}

// repeats are the differences in percent of rows that have the same settings: of the greatest and the least
// of each such set.
func (m *Measurement) repeats(all []point) (out []float64) {
	least, most := map[string]float64{}, map[string]float64{}
	var order []string
	for i := range all {
		p := &all[i]
		key := strings.Join(m.settings(p), "\x00")
		if _, ok := least[key]; !ok {
			least[key], most[key] = p.measured, p.measured
			continue
		}
		if !slices.Contains(order, key) {
			order = append(order, key)
		}
		least[key], most[key] = min(least[key], p.measured), max(most[key], p.measured)
	}
	for _, k := range order {
		out = append(out, 100*(most[k]/least[k]-1))
	}
	return out
}

// timeOf is a metric of a run, its time if none is named.
func timeOf(ctx context.Context, config string, set []string, metric string, run RunFunc) (float64, error) {
	if metric == "" {
		metric = "time"
	}
	res, err := run(ctx, config, set)
	if err != nil {
		return 0, err
	}
	if res.Status != result.Complete {
		return 0, fmt.Errorf("%s: %s", res.Status, res.Reason)
	}
	v, problem := value(res, metric)
	if problem != "" {
		return 0, errors.New(problem)
	}
	return v, nil
}

// replacer puts the cells of the row for ${column}.
func (p *point) replacer() *strings.Replacer {
	var pairs []string
	for c, cell := range p.cells {
		pairs = append(pairs, "${"+c+"}", cell)
	}
	return strings.NewReplacer(pairs...) // no column is the beginning of ${another}
}
