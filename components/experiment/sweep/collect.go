package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/journal"
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
		{"sweep.csv", result.TableCSV(out.Table)},
		{"mean.csv", result.TableCSV(out.Means)},
		{"tables.md", s.crosstabs(out.Table)},
		{"pareto.csv", result.TableCSV(out.Pareto)},
		{"sensitivity.csv", result.TableCSV(out.Effects)},
		{"pairs.csv", result.TableCSV(out.Pairs)},
		{"failures.csv", result.TableCSV(s.failures(out))},
		{"sweep.json", out.summary},
	} {
		path := filepath.Join(s.Dir, f.name)
		if f.data == nil {
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				return err
			}
			continue
		}
		if err := atomicfile.Write(path, f.data); err != nil {
			return err
		}
	}
	return nil
}

// collect reads the finished points back and lays them out in grid order, so
// that the table is the same however the sweep came about.
func (s *Sweep) collect(run *sharing) (t *stats.Table, points []finding, unknown []error, err error) {
	defer run.folder.Close()
	if points, err = s.findings(run); err != nil {
		return nil, nil, nil, err
	}
	units := map[string]stats.Metric{}
	var names []string
	for i := range points {
		for key, m := range points[i].values {
			if _, ok := units[key]; !ok {
				units[key] = m
				names = append(names, key)
			}
		}
	}
	slices.SortFunc(names, configs.CompareNames)
	unknown = s.unknown(names)
	if len(s.Metrics) > 0 {
		names = s.Metrics
	}
	t = &stats.Table{Columns: []stats.Column{
		{Name: "point", Text: "Position in the grid, from 0."},
		{Name: "identity", Text: "Hash of resolved configuration and inputs."},
		{Name: "status", Text: "complete, stuck or failed; empty: not run."},
	}}
	settings := s.Grid.SettingColumns()
	for _, c := range settings {
		t.Columns = append(t.Columns, c.Column)
	}
	for _, n := range names {
		t.Columns = append(t.Columns, stats.Column{Name: n, Unit: units[n].Unit})
	}
	for i, id := range s.identities {
		row := []any{int64(s.points[i]), id, points[i].status}
		set := s.Grid.Point(s.points[i]).Set
		for _, c := range settings {
			row = append(row, c.Cell(set))
		}
		for _, n := range names {
			if m, ok := points[i].values[n]; ok {
				row = append(row, m.Value)
			} else {
				row = append(row, nil)
			}
		}
		t.Append(row...)
	}
	return t, points, unknown, nil
}

// findings are what became of each point, and the metrics of those that are complete: of
// those that did not run here from the journals.
func (s *Sweep) findings(run *sharing) ([]finding, error) {
	points, errs := make([]finding, len(s.identities)), make([]error, len(s.identities))
	s.share(context.Background(), len(points), func(i int) {
		e := run.known[s.identities[i]]
		points[i].status = e.Status
		switch {
		case s.identities[i] == "":
			points[i].status = string(result.Failed)
		case e.Status == string(result.Complete):
			points[i].values, errs[i] = run.values(e)
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return points, nil
}

// values are the metrics of a complete point, by key.
func (r *sharing) values(e Entry) (map[string]stats.Metric, error) {
	if v, ok := r.found[e.Identity]; ok {
		return v, nil
	}
	return found(r.folder, e)
}

// found reads the metrics of a complete point, by key.
func found(folder *journal.Folder, e Entry) (map[string]stats.Metric, error) {
	b, err := folder.Result(e)
	if err != nil {
		return nil, err
	}
	var metrics []stats.Metric
	if err := json.Unmarshal(b, &metrics); err != nil {
		return nil, fmt.Errorf("journal %s, point %s: %w", e.Writer, e.Identity, err)
	}
	out := make(map[string]stats.Metric, len(metrics))
	for _, m := range metrics {
		out[result.Key(m)] = m
	}
	return out, nil
}

// A finding is what became of a point, and its metrics by key where it is complete.
type finding struct {
	status string
	values map[string]stats.Metric
}

// unknown lists the metrics asked for that are not among names, if there are any.
func (s *Sweep) unknown(names []string) (out []error) {
	if len(names) == 0 {
		return nil
	}
	lacks := func(path, n string) {
		if n != "" && !slices.Contains(names, n) {
			out = append(out, &configs.Error{Path: path, Msg: fmt.Sprintf("no point has a metric %q", n), Nearest: configs.Nearest(n, names)})
		}
	}
	for _, t := range s.Tables {
		for _, n := range []string{t.Metric, t.Unless} {
			if !slices.Contains(s.Metrics, n) {
				lacks("tables."+t.Name, n)
			}
		}
	}
	for _, n := range s.Metrics {
		lacks("metrics", n)
	}
	uses := func(path string, f sweepFormula) {
		for _, n := range f.Names() {
			if _, stated := s.stated[n.Path]; !stated && !slices.Contains(s.Grid.Paths(), n.Path) {
				lacks(path, n.Path)
			}
		}
	}
	for _, o := range s.Objectives {
		uses("objectives", o.f)
	}
	for _, c := range s.constraints {
		uses("constraints", c)
	}
	return out
}
