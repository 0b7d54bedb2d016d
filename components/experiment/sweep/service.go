package sweep

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/catalogue"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/experiment/sweep/remote"
	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// A Service answers requests about one configuration or sweep at a time. It reads files once, so a
// point costs little more than its simulation. Several goroutines may use it. The zero value is
// ready.
type Service struct {
	Options experiment.Options
	mu      sync.Mutex
	runner  Runner
	sweep   *Sweep // nil where a configuration is loaded
	search  explore.Method
	queue   []int           // asked for by the search and not yet handed out
	told    map[int]finding // by point
	open    map[int]bool    // handed out, outcome not known yet
	ended   bool
}

// Handle answers one request. An error is in Response.Error.
func (v *Service) Handle(ctx context.Context, line []byte) remote.Response {
	q, err := remote.Parse(line)
	if err != nil {
		return remote.Response{ID: q.ID, Error: err.Error()}
	}
	out, err := v.answer(ctx, q)
	if err != nil {
		out.Error = err.Error()
	}
	out.ID = q.ID
	return out
}

func (v *Service) answer(ctx context.Context, q *remote.Request) (remote.Response, error) {
	switch q.Op {
	case "load":
		return remote.Response{}, v.Load(ctx, q)
	case "list":
		return list(q.Name)
	case "run":
		return v.run(ctx, q)
	case "ask":
		return v.ask(q)
	case "tell":
		return remote.Response{}, v.tell(q)
	case "describe":
		return v.describe(q)
	case "front":
		return v.front()
	}
	return remote.Response{}, fmt.Errorf("unknown op %q (want one of: %s)", q.Op, strings.Join(remote.Operations, ", "))
}

// Load reads the configuration or sweep for later requests.
func (v *Service) Load(ctx context.Context, q *remote.Request) error {
	o := v.Options
	o.Set = slices.Concat(o.Set, q.Set)
	if (q.File == "") == (q.Text == "") {
		return errors.New("load: want file or text")
	}
	file := q.File
	l := experiment.NewLoader(o)
	if q.Text != "" {
		file = "text"
		l.Text(file, []byte(q.Text))
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.runner, v.sweep, v.search = nil, nil, nil
	v.queue, v.told, v.open, v.ended = nil, map[int]finding{}, map[int]bool{}, false
	if q.Text == "" && (IsFile(file) || len(q.Axes) > 0) {
		s, err := Load(file, o, q.Axes...)
		if err != nil {
			return err
		}
		if err := s.Check(ctx); err != nil {
			return err
		}
		if s.search, err = s.makeMethod(); err != nil {
			return err
		}
		v.sweep, v.search, v.runner = s, s.search, s.Runner
		return nil
	}
	if len(q.Axes) > 0 {
		return errors.New("load: axes want a file")
	}
	r := &fileRunner{loader: l, base: file}
	job, err := r.Prepare(grid.Point{})
	if err == nil {
		err = job.(Checker).Check()
	}
	if err != nil {
		return err
	}
	v.runner = r
	return nil
}

func (v *Service) loaded() (Runner, *Sweep, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.runner == nil {
		return nil, nil, errors.New("nothing is loaded: load a file first")
	}
	return v.runner, v.sweep, nil
}

// run simulates one point. It also notes the outcome for the search, if it is a whole point
// of the sweep.
func (v *Service) run(ctx context.Context, q *remote.Request) (remote.Response, error) {
	runner, sweep, err := v.loaded()
	if err != nil {
		return remote.Response{}, err
	}
	names, err := q.Names()
	if err != nil {
		return remote.Response{}, err
	}
	p := grid.Point{Set: q.Set}
	if q.Point != nil {
		if sweep == nil || *q.Point < 0 || *q.Point >= sweep.Grid.Len() {
			return remote.Response{}, fmt.Errorf("point %d is not of a sweep that is loaded", *q.Point)
		}
		p = sweep.Grid.Point(*q.Point)
		p.Set = append(p.Set, q.Set...)
	}
	out, res, err := run(ctx, runner, p)
	if q.Point != nil && len(q.Set) == 0 && ctx.Err() == nil {
		f := finding{status: string(result.Failed)}
		if err == nil {
			f = finding{status: string(res.Status), values: keyed(res.Metrics)}
		}
		v.note(*q.Point, f)
	}
	if err != nil {
		return out, err
	}
	if q.Full {
		out.Full = &remote.FullResult{Sentence: res.Sentence, Metrics: res.Metrics, Layers: remote.NewFullTable(res.Layers), Series: remote.NewFullTable(res.Series)}
		return out, nil
	}
	all := keyed(res.Metrics)
	out.Metrics = make(map[string]float64, len(all))
	for k, m := range all {
		if names == nil {
			out.Metrics[k] = m.Value
		}
	}
	for _, n := range names {
		if m, ok := all[n]; ok {
			out.Metrics[n] = m.Value
			continue
		}
		return out, fmt.Errorf("there is no metric %q%s", n, didYouMean(n, slices.Sorted(maps.Keys(all))))
	}
	return out, nil
}

// run prepares and runs a point, whatever its model does.
func run(ctx context.Context, r Runner, p grid.Point) (remote.Response, *result.Result, error) {
	job, err := r.Prepare(p)
	if err != nil {
		return remote.Response{Status: result.Failed}, nil, err
	}
	out := remote.Response{Identity: job.Identity(), Status: result.Failed}
	res, err := runGuarded(ctx, job)
	if err != nil {
		return out, nil, err
	}
	if out.Status = res.Status; res.Status != result.Complete {
		return out, res, errors.New(res.Reason)
	}
	return out, res, nil
}

func keyed(ms []stats.Metric) map[string]stats.Metric {
	out := make(map[string]stats.Metric, len(ms))
	for _, m := range ms {
		out[result.Key(m)] = m
	}
	return out
}

// ask returns points of the search.
func (v *Service) ask(q *remote.Request) (remote.Response, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sweep == nil {
		return remote.Response{}, errors.New("ask wants a sweep: load one, or a configuration with axes")
	}
	if len(v.queue) == 0 && !v.ended && (len(v.open) == 0 || !v.sweep.adaptive()) {
		var failed error
		v.queue = v.search.Next(func(p int) explore.Outcome {
			o, err := v.sweep.outcome(p, v.told[p])
			if err != nil && failed == nil {
				failed = err
			}
			return o
		})
		v.ended = len(v.queue) == 0
		if failed != nil {
			return remote.Response{}, failed
		}
	}
	n := min(max(q.N, 1), len(v.queue))
	out := remote.Response{Done: v.ended, Wait: n == 0 && !v.ended, Points: []remote.AskedPoint{}}
	for _, p := range v.queue[:n] {
		v.open[p] = true
		a := remote.AskedPoint{Point: p, Set: map[string]string{}}
		for _, s := range v.sweep.Grid.Point(p).Set {
			path, value, _ := strings.Cut(s, "=")
			a.Set[path] = value
		}
		out.Points = append(out.Points, a)
	}
	v.queue = v.queue[n:]
	return out, nil
}

// tell notes the outcome of a point that another program has evaluated.
func (v *Service) tell(q *remote.Request) error {
	_, sweep, err := v.loaded()
	if err != nil || sweep == nil || q.Point == nil {
		return errors.New("tell wants a sweep that is loaded, and a point of it")
	}
	values, err := q.Values()
	if err != nil {
		return err
	}
	if q.Failed == "" && values == nil {
		return errors.New("tell wants metrics, or failed")
	}
	f := finding{status: string(result.Failed)}
	if q.Failed == "" {
		f = finding{status: string(result.Complete), values: map[string]stats.Metric{}}
		for k, x := range values {
			f.values[k] = stats.Metric{Value: x}
		}
	}
	v.mu.Lock()
	open := v.open[*q.Point]
	v.mu.Unlock()
	if !open {
		return fmt.Errorf("point %d was not asked for", *q.Point)
	}
	if _, err := sweep.outcome(*q.Point, f); err != nil {
		return err
	}
	v.note(*q.Point, f)
	return nil
}

func (v *Service) note(point int, f finding) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.open, point)
	v.told[point] = f
}

// front lists the Pareto-optimal points among those with a known outcome.
func (v *Service) front() (remote.Response, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sweep == nil || len(v.sweep.Objectives) == 0 {
		return remote.Response{}, errors.New("front wants a sweep with objectives")
	}
	outcomes := map[int]explore.Outcome{}
	for p, f := range v.told {
		o, err := v.sweep.outcome(p, f)
		if err != nil {
			o = explore.Failed
		}
		outcomes[p] = o
	}
	out := remote.Response{Points: []remote.AskedPoint{}}
	points := slices.Sorted(maps.Keys(outcomes))
	workloads := v.sweep.workloads(points, func(i int) finding { return v.told[points[i]] })
	for _, p := range v.sweep.front(points, workloads, func(p int) explore.Outcome { return outcomes[p] }) {
		a := remote.AskedPoint{Point: p, Set: map[string]string{}}
		for _, s := range v.sweep.Grid.Point(p).Set {
			path, value, _ := strings.Cut(s, "=")
			a.Set[path] = value
		}
		for i, x := range outcomes[p].Values {
			if v.sweep.Objectives[i].Max {
				x = -x // outcomes are to be minimised
			}
			a.Values = append(a.Values, x)
		}
		out.Points = append(out.Points, a)
	}
	return out, nil
}

// describe describes the loaded configuration, or the items called name.
func (v *Service) describe(q *remote.Request) (remote.Response, error) {
	if q.Name != "" {
		found := catalogue.Find(q.Name)
		if keys := catalogue.FindKey(q.Name); len(found) == 0 && len(keys) > 0 {
			return remote.Response{About: keys}, nil
		}
		if len(found) == 0 {
			return remote.Response{}, fmt.Errorf("nothing is called %q%s", q.Name, didYouMean(q.Name, []string{catalogue.Nearest(q.Name)}))
		}
		return remote.Response{About: found}, nil
	}
	runner, sweep, err := v.loaded()
	if err != nil {
		return remote.Response{}, err
	}
	about := map[string]any{"version": result.Version}
	p := grid.Point{}
	if sweep != nil {
		axes := []sweepAxis{}
		for _, a := range sweep.Grid {
			axes = append(axes, sweepAxis{Paths: a.Paths, Values: a.Values})
		}
		objectives := map[string]string{}
		for _, o := range sweep.Objectives {
			objectives[o.Name] = "min"
			if o.Max {
				objectives[o.Name] = "max"
			}
		}
		about["axes"], about["objectives"], about["method"], about["grid"] = axes, objectives, sweep.methodName, sweep.Grid.Len()
		p = sweep.Grid.Point(sweep.points[0])
	}
	job, err := runner.Prepare(p)
	if err != nil {
		return remote.Response{}, err
	}
	if c, ok := job.(Checker); ok {
		names, err := c.MetricNames()
		if err != nil {
			return remote.Response{}, err
		}
		about["metrics"] = names
	}
	return remote.Response{About: about}, nil
}

// list lists the registered names.
func list(what string) (remote.Response, error) {
	out := map[string][]string{}
	for _, s := range catalogue.Index() {
		if what != "" && what != s.What && what != s.Plural() {
			continue
		}
		for _, it := range s.Items {
			out[s.Plural()] = append(out[s.Plural()], it.Name)
		}
	}
	if len(out) == 0 {
		return remote.Response{}, fmt.Errorf("nothing is called %q (want one of: %s)", what, strings.Join(catalogue.Names(), ", "))
	}
	return remote.Response{About: out}, nil
}

func didYouMean(name string, all []string) string {
	if near := configs.Nearest(name, all); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
