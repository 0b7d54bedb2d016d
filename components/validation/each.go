package validation

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment"
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
	metric := m.Metric
	if metric == "" {
		metric = "time"
	}
	r := s.Runs[m.Run]
	out, made := map[string]float64{}, map[string]float64{}
	for i := range points {
		p := &points[i]
		if _, twice := out[p.name]; twice {
			return nil, fmt.Errorf("%s: two rows are called %s", m.File, p.name)
		}
		var pairs []string
		for c, cell := range p.cells {
			pairs = append(pairs, "${"+c+"}", cell)
		}
		row := strings.NewReplacer(pairs...) // no column is the beginning of ${another}
		set := slices.Clone(r.Set)
		for _, e := range m.Each {
			set = append(set, row.Replace(e))
		}
		key := strings.Join(set, "\x00")
		v, ok := made[key]
		if !ok {
			res, err := run(ctx, filepath.Join(s.Dir, filepath.FromSlash(r.Config)), set)
			if err != nil {
				return nil, fmt.Errorf("row %s: %w", p.name, err)
			}
			if res.Status != experiment.Complete {
				return nil, fmt.Errorf("row %s: %s: %s", p.name, res.Status, res.Reason)
			}
			var problem string
			if v, problem = value(res, metric); problem != "" {
				return nil, fmt.Errorf("row %s: %s", p.name, problem)
			}
			made[key] = v
		}
		out[p.name] = v
	}
	return out, nil
}
