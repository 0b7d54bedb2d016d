package experiment

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// write leaves the tables of the sweep in its folder, and none of an earlier one
// that this one does not have.
func (s *Sweep) write(out *Outcome) error {
	if len(s.Average) > 0 {
		out.Means = s.means(out.Table)
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{"sweep.csv", TableCSV(out.Table)},
		{"mean.csv", TableCSV(out.Means)},
		{"tables.md", s.crosstabs(out.Table)},
	} {
		path := filepath.Join(s.Dir, f.name)
		if f.data == nil {
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				return err
			}
			continue
		}
		if err := WriteFile(path, f.data); err != nil {
			return err
		}
	}
	return nil
}

// collect reads the finished points back and lays them out in grid order, so
// that the table is the same however the sweep came about.
func (s *Sweep) collect(entries map[string]Entry) (t *stats.Table, unknown []error, err error) {
	values := make([]map[string]stats.Metric, len(s.identities))
	units := map[string]stats.Metric{}
	var names []string
	for i, id := range s.identities {
		e := entries[id]
		if e.Status != string(Complete) {
			continue
		}
		b, err := os.ReadFile(s.pointPath(e.Identity))
		if err != nil {
			return nil, nil, err
		}
		var r pointResult
		if err := json.Unmarshal(b, &r); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.pointPath(e.Identity), err)
		}
		values[i] = map[string]stats.Metric{}
		for _, m := range r.Metrics {
			key := MetricKey(m)
			values[i][key] = m
			if _, ok := units[key]; !ok {
				units[key] = m
				names = append(names, key)
			}
		}
	}
	slices.SortFunc(names, configs.CompareNames)
	lacks := func(path, n string) {
		if _, ok := units[n]; !ok && n != "" && len(names) > 0 && !slices.Contains(s.Metrics, n) {
			unknown = append(unknown, &configs.Error{Path: path, Msg: fmt.Sprintf("no point has a metric %q", n), Nearest: configs.Nearest(n, names)})
		}
	}
	for _, t := range s.Tables {
		lacks("tables."+t.Name, t.Metric)
		lacks("tables."+t.Name, t.Unless)
	}
	if len(s.Metrics) > 0 {
		for _, n := range s.Metrics {
			if _, ok := units[n]; ok || len(names) == 0 {
				continue
			}
			e := &configs.Error{Path: "metrics", Msg: fmt.Sprintf("no point has a metric %q", n), Nearest: configs.Nearest(n, names)}
			unknown = append(unknown, e)
		}
		names = s.Metrics
	}
	t = &stats.Table{Columns: []stats.Column{
		{Name: "point", Text: "Position in the grid, from 0."},
		{Name: "identity", Text: "Hash of resolved configuration, inputs and version."},
		{Name: "status", Text: "complete, stuck or failed; empty: not run."},
	}}
	paths := s.Grid.Paths()
	for _, p := range paths {
		t.Columns = append(t.Columns, stats.Column{Name: p, Text: "Value set."})
	}
	for _, n := range names {
		t.Columns = append(t.Columns, stats.Column{Name: n, Unit: units[n].Unit})
	}
	for i, id := range s.identities {
		row := []any{int64(i), id, entries[id].Status}
		for _, set := range s.Grid.Point(i).Set {
			_, v, _ := strings.Cut(set, "=")
			row = append(row, v)
		}
		for _, n := range names {
			if m, ok := values[i][n]; ok {
				row = append(row, m.Value)
			} else {
				row = append(row, nil)
			}
		}
		t.Append(row...)
	}
	return t, unknown, nil
}

// MetricKey names a metric in one word: total_cycles, Core.total_cycles, or
// Core.total_cycles@layer:conv1 for a phase other than "all".
func MetricKey(m stats.Metric) string {
	key := m.Name
	if m.Where != "" {
		key = m.Where + "." + key
	}
	if m.Phase != "all" {
		key += "@" + m.Phase
	}
	return key
}
