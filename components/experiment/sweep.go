package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// A Runner resolves and runs the points of a sweep. Prepare is cheap and says
// what the point is; Run does the work. Both are called from several goroutines.
type Runner interface {
	Prepare(p Point) (Job, error)
}

// A Job is a point that is ready to run.
type Job interface {
	Identity() string
	Run(ctx context.Context) (*Result, error)
}

// A Sweep runs the points of a grid and keeps what they find in a folder:
// journal.jsonl, points/IDENTITY.json, and once it is collected sweep.csv, with
// Average mean.csv, with Tables tables.md.
type Sweep struct {
	Grid    Grid
	Metrics []string   // columns of sweep.csv, "Where.name" or "name"; empty: all
	Average []string   // paths of the axes that means are taken over
	Tables  []Crosstab // what tables.md shows
	Runner  Runner
	Dir     string
	Workers int
	// Progress, if set, is told after every point, one call at a time.
	Progress func(done, failed, total int)
	// Retry runs failed points again; otherwise a recorded failure stands.
	Retry bool
}

// An Outcome is what a sweep came to.
type Outcome struct {
	Total    int // points of the grid
	Reused   int // found in the journal
	Finished int // run now
	Failed   int // recorded as failed, now or before
	Table    *stats.Table
	Means    *stats.Table // nil without Average
	Failures []Entry      // in grid order
	Unknown  []error      // metrics asked for that no point has, if any point is complete
}

// pointResult is the file of one point.
type pointResult struct {
	Identity string         `json:"identity"`
	Metrics  []stats.Metric `json:"metrics"`
}

// Run runs every point that the journal does not have, writes sweep.csv, and
// returns the outcome. A point that fails is recorded, and the rest carried on.
// When ctx ends, running points are abandoned, the finished ones kept, and the
// error is ctx's.
func (s *Sweep) Run(ctx context.Context) (*Outcome, error) {
	if err := os.MkdirAll(filepath.Join(s.Dir, "points"), 0o755); err != nil {
		return nil, err
	}
	j, old, err := OpenJournal(filepath.Join(s.Dir, "journal.jsonl"))
	if err != nil {
		return nil, err
	}
	defer j.Close()

	known := map[string]Entry{}
	for _, e := range old {
		known[e.Identity] = e
	}
	n := s.Grid.Len()
	out := &Outcome{Total: n}
	entries := make([]Entry, n) // by index; Identity "" where the point is missing

	var (
		next       atomic.Int64
		mu         sync.Mutex // guards out, done and the first write error
		done       int
		writeError error
		wg         sync.WaitGroup
	)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	record := func(i int, e Entry, reused bool, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			if writeError == nil {
				writeError = err
			}
			cancel()
			return
		}
		entries[i] = e
		done++
		if reused {
			out.Reused++
		} else {
			out.Finished++
		}
		if e.Status != Complete {
			out.Failed++
		}
		if s.Progress != nil {
			s.Progress(done, out.Failed, n)
		}
	}
	for range max(1, s.Workers) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				e, reused, err := s.point(ctx, i, known, j)
				if ctx.Err() != nil && err == nil && e.Identity == "" {
					return // abandoned
				}
				record(i, e, reused, err)
			}
		})
	}
	wg.Wait()
	if writeError != nil {
		return nil, writeError
	}
	for _, e := range entries {
		if e.Identity != "" && e.Status != Complete {
			out.Failures = append(out.Failures, e)
		}
	}
	if out.Table, out.Unknown, err = s.collect(entries); err != nil {
		return nil, err
	}
	if err := s.write(out); err != nil {
		return nil, err
	}
	return out, context.Cause(ctx)
}

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

// point brings one point to an entry. The error is one of the folder, not of the
// simulation. An abandoned point has an empty entry.
func (s *Sweep) point(ctx context.Context, i int, known map[string]Entry, j *Journal) (e Entry, reused bool, err error) {
	p := s.Grid.Point(i)
	job, err := s.Runner.Prepare(p)
	if err != nil {
		// No identity without a resolved configuration: the settings stand for it.
		e = Entry{Identity: Identity([]byte(strings.Join(p.Set, "\n")), nil), Index: i, Status: Failed, Error: err.Error()}
		if old, ok := known[e.Identity]; ok && old.Error == e.Error {
			return e, true, nil
		}
		return e, false, j.Append(e)
	}
	id := job.Identity()
	path := s.pointPath(id)
	if old, ok := known[id]; ok && (old.Status == Complete || !s.Retry) {
		old.Index = i
		if old.Status != Complete {
			return old, true, nil
		}
		if _, err := os.Stat(path); err == nil {
			return old, true, nil
		}
	}
	e = Entry{Identity: id, Index: i, Status: Complete}
	res, err := runGuarded(ctx, job)
	switch {
	case ctx.Err() != nil:
		return Entry{}, false, nil
	case err != nil:
		e.Status, e.Error = Failed, err.Error()
	case res.Status != Complete:
		e.Status, e.Error = res.Status, res.Reason
	default:
		b, err := json.Marshal(pointResult{id, res.Metrics})
		if err == nil {
			err = WriteFile(path, append(b, '\n'))
		}
		if err != nil {
			return e, false, err
		}
	}
	return e, false, j.Append(e)
}

// runGuarded turns a panic of a model into the failure of its point.
func runGuarded(ctx context.Context, job Job) (res *Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v\n%s", p, debug.Stack())
		}
	}()
	res, err = job.Run(ctx)
	if err == nil && res == nil {
		err = errors.New("the run returned no result")
	}
	return res, err
}

func (s *Sweep) pointPath(id string) string {
	return filepath.Join(s.Dir, "points", id+".json")
}

// collect reads the finished points back and lays them out in grid order, so
// that the table is the same however the sweep came about.
func (s *Sweep) collect(entries []Entry) (t *stats.Table, unknown []error, err error) {
	values := make([]map[string]stats.Metric, len(entries))
	units := map[string]stats.Metric{}
	var names []string
	for i, e := range entries {
		if e.Identity == "" || e.Status != Complete {
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
	for i, e := range entries {
		row := []any{int64(i), e.Identity, string(e.Status)}
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
