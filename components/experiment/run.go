package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/experiment/bottleneck"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/components/usage"
	"github.com/causeway-sim/causeway/configs"
)

// A ProgressFunc is called every half second with the progress of a run, from one goroutine.
type ProgressFunc func(Live)

// Run runs the simulation. It returns a result however the run ended, unless the system could not
// be built; the error says why the result is not complete. progress may be nil.
func (x *Experiment) Run(ctx context.Context, progress ProgressFunc) (*result.Result, result.Process, error) {
	if x.throttles() {
		return x.runThrottled(ctx, progress)
	}
	p := result.Process{Identity: x.Identity(), Inputs: x.inputs, Build: build.Running(result.Version), Host: host(), Started: time.Now().UTC().Format(time.RFC3339), Engine: x.options.Engine, Workers: x.options.Workers}
	if p.Engine == "" {
		p.Engine = EngineNames[0]
	}
	start, cpu := time.Now(), usage.CPUSeconds()
	a := x.built
	x.built = nil
	if a == nil {
		var err error
		if a, err = untilCancelled(ctx, x.assemble); err != nil {
			return nil, p, err
		}
	}
	err := x.play(ctx, a, progress)
	if fault := (*engine.HandlerError)(nil); errors.As(err, &fault) && carried(a) {
		// Nodes that pass requests without messages may be ahead of the fault.
		if again, e := untilCancelled(ctx, x.withMessages); e == nil {
			a = again
			err = x.play(ctx, a, progress)
		}
	}
	if why := unequal(a, err); why != "" && ctx.Err() == nil {
		if again, e := untilCancelled(ctx, func() (*assembly, error) { return x.whole(why) }); e == nil {
			a = again
			err = x.play(ctx, a, progress)
		}
	}
	if stop := (*Stop)(nil); err != nil && errors.As(context.Cause(ctx), &stop) {
		err = stop
	}
	res := x.result(a, err)
	if a.observed != nil {
		workers := make([]watch.Worker, len(a.Workers))
		for i, w := range a.Workers {
			workers[i] = w
		}
		a.observed.End(a.nodes(), workers)
		res.Observed = a.observed
	}
	x.printScaling(a)
	if e, ok := a.driver.(engine.Counter); ok {
		p.Events = e.Events()
	}
	p.WallSeconds, p.CPUSeconds, p.PeakBytes = time.Since(start).Seconds(), usage.CPUSeconds()-cpu, usage.PeakBytes()
	if bad := badInput(nil); errors.As(err, &bad) {
		err = bad // the input's own words, without the simulator's
	}
	if res.Status == result.Failed && err == nil {
		err = errors.New(res.Reason)
	}
	return res, p, err
}

// play runs an assembly, with the observers and listeners to tasks that the options ask for.
func (x *Experiment) play(ctx context.Context, a *assembly, progress ProgressFunc) error {
	if x.options.Observe {
		_, stops := a.driver.(leftover)
		a.observed = watch.Observe(a.nodes(), stops)
	}
	tasks := x.listen(a)
	err := x.drive(ctx, a, progress)
	if tasks != nil {
		tasks.Close()
	}
	return err
}

// carried reports whether nodes have passed requests without messages.
func carried(a *assembly) bool {
	e, ok := a.driver.(*engine.Engine)
	return ok && e.Carried()
}

// withMessages is assemble for a run in which everything is a message.
func (x *Experiment) withMessages() (*assembly, error) {
	again := *x
	again.options.Messages = true
	return again.assemble()
}

// unequal returns why a run has to be repeated in which one part of a network was simulated for
// several; "": it has not to be.
func unequal(a *assembly, err error) string {
	if err == nil || !slices.ContainsFunc(a.nodes(), func(n system.Node) bool {
		f, ok := n.(system.Folded)
		return ok && f.Folded()
	}) {
		return ""
	}
	if u := (interface{ Unequal() string })(nil); errors.As(err, &u) {
		return u.Unequal()
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return "the run stops before its end (" + line + ")"
}

// undivided is system.Env.Whole.
func (x *Experiment) undivided() string {
	if x.options.whole == "" && len(x.options.Tasks) > 0 {
		return "tasks of all ranks are recorded"
	}
	return x.options.whole
}

// whole is assemble for a run in which no part stands for others.
func (x *Experiment) whole(why string) (*assembly, error) {
	again := *x
	again.options.whole = why
	return again.assemble()
}

// drive starts the workers and runs the engine to the end.
func (x *Experiment) drive(ctx context.Context, a *assembly, progress ProgressFunc) error {
	if e, ok := a.driver.(*engine.Engine); ok && (x.sim.MaxTime != 0 || x.sim.Sample > 0 || len(a.company) > 0) {
		e.Punctual() // the run may end at any time, or is looked at between events
	} else if ok && x.sim.Repeat == sampled {
		e.CountersRead()
	}
	if err := x.start(a); err != nil {
		return err
	}
	started := time.Now()
	if x.sim.Sample > 0 {
		var groups []*stats.Group
		for _, n := range a.nodes() {
			groups = append(groups, n.Stats())
		}
		a.sampler = watch.NewSampler(a.driver, x.sim.Sample, groups, a.waiters())
		a.sampler.Start()
	}
	if len(a.company) > 0 {
		newFarewell(a).next()
	}
	if progress != nil {
		defer every(progressEvery, func() { progress(a.live(started)) })()
	}
	if f := x.options.Live; f != nil {
		defer every(liveEvery, func() { f(a.live(started)) })()
	}
	for {
		if err := x.carryOn(ctx, a); err != nil {
			return err
		}
		more := false
		for _, n := range a.nodes() {
			if f, ok := n.(system.Finisher); ok && f.Finish(a.driver.CurrentTime()) {
				more = true
			}
		}
		if !more {
			return nil
		}
	}
}

// start starts the workers, and sets how those that can share their work do so.
func (x *Experiment) start(a *assembly) error {
	shared, why := false, ""
	for _, s := range a.starters {
		k, ok := s.(system.Sharer)
		if ok {
			k.Share(x.options.Workers)
		}
		if err := s.Start(); err != nil {
			return err
		}
		shared = shared || ok && k.Shared()
		if k, ok := s.(system.Strider); ok {
			a.observed.Stride(k.Stride())
		}
		if k, ok := s.(system.Scaler); ok && x.options.Scaling {
			k.Scale()
		}
		if w, ok := s.(system.Whole); ok && why == "" {
			why = w.Whole()
		}
	}
	if shared {
		return nil
	}
	return x.warnUnshared(a, cmp.Or(why, "no traffic drives a network"))
}

// warnUnshared reports options that have no effect because no node can share its work; why says
// why not.
func (x *Experiment) warnUnshared(a *assembly, why string) error {
	if x.sim.Quantum > 0 && a.Sys.Borders() == 0 {
		return x.doc.Root.Get("simulation").Get("quantum").Errorf(nil, "has no effect: nothing can be divided, since %s (what can: %s)", why, divided)
	}
	if x.options.Scaling && x.options.Note != nil {
		x.options.Note(fmt.Sprintf("--scaling has nothing to say: nothing of this system can be divided, since %s (what can: %s)", why, divided))
	}
	if x.options.Workers > 1 && x.options.Note != nil {
		x.options.Note(fmt.Sprintf("--workers %d has no effect: nothing of this system can be divided, since %s (what can: %s)", x.options.Workers, why, divided))
	}
	return nil
}

// divided is what several workers can share.
const divided = "a network of fidelity flit, with groups far from each other and a routing that asks for nothing outside of its group, whose terminals are all driven by traffic without replies"

// carryOn runs the engine until nothing is left to do.
func (x *Experiment) carryOn(ctx context.Context, a *assembly) error {
	limit, reached := endOfTime, error(errEndOfTime)
	if x.sim.MaxTime != 0 {
		if t := sim.VTimeInSec(float64(x.sim.MaxTime) / float64(units.Second)); t < limit {
			limit, reached = t, errMaxTime
		}
	}
	if err := a.runUntil(ctx, limit); err != nil {
		return err
	}
	if len(engine.Waits(a.waiters()...)) > 0 {
		return reached
	}
	return nil
}

// runUntil runs the engine up to limit, in steps where counters are looked at between.
func (a *assembly) runUntil(ctx context.Context, limit sim.VTimeInSec) error {
	for next, ok := a.observed.Next(); ok && next < limit && a.driver.(leftover).Left(); next, _ = a.observed.Next() {
		if err := a.driver.RunUntilContext(ctx, next); err != nil {
			return err
		}
		a.observed.Note()
	}
	return a.driver.RunUntilContext(ctx, limit)
}

// listen passes the tasks of all nodes to the listeners of the options. A report alone gets
// only the first tasks of each kind.
func (x *Experiment) listen(a *assembly) *task.Stream {
	listeners := x.options.Tasks
	if a.observed != nil {
		listeners = append(slices.Clone(listeners), a.observed.Tasks)
	}
	if len(listeners) == 0 {
		return nil
	}
	s := system.Tasks(a.driver, a.nodes(), listeners...)
	if len(x.options.Tasks) == 0 {
		s.Limit(watch.Quota)
	}
	return s
}

// endOfTime is how far clocks count: cycle 2^62 of the fastest is a picosecond
// times 4.6e18.
const endOfTime sim.VTimeInSec = 4e6

// endless is the error of a run that goes beyond the end of time.
type endless struct{}

func (endless) Error() string {
	return fmt.Sprintf("simulated time goes beyond %g s, which is as far as clocks count: is one of them too slow?", float64(endOfTime))
}

// BadInput implements badInput.
func (endless) BadInput() {}

var errEndOfTime = endless{}

// badInput is an error of a file that a run reads while it goes.
type badInput interface {
	error
	BadInput()
}

// IsBadInput reports whether err is an error of the input, such as an error with its place in a
// file, and not a failed check.
func IsBadInput(err error) bool {
	if _, placed := errors.AsType[*configs.Error](err); placed {
		return true
	}
	bad := badInput(nil)
	return errors.As(err, &bad)
}

var errMaxTime = errors.New("simulation.max_time was reached")

// every calls f periodically in a new goroutine until stop is called. Because the engine is
// stopped during f, a long call delays the next one, so that calls take at most a fiftieth of the
// time.
func every(interval time.Duration, f func()) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTimer(interval)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				began := time.Now()
				f()
				tick.Reset(max(interval, 49*time.Since(began)))
			}
		}
	}()
	return func() { close(quit); <-done }
}

// result collects what the nodes have counted, however the run ended.
func (x *Experiment) result(a *assembly, runErr error) *result.Result {
	a.charge()
	r := &result.Result{
		Schema: result.Schema, Version: result.Version, Identity: x.Identity(), Status: result.Complete,
		Inputs: x.inputs, Config: x.config, Assumptions: a.assumptions(), Warnings: a.warnings(), Repeats: a.repeats(),
	}
	if r.Inputs == nil {
		r.Inputs = []result.Input{}
	}
	var stuck *engine.Stuck
	var stop *Stop
	switch {
	case runErr == nil:
	case errors.As(runErr, &stop):
		r.Status, r.Reason = result.Incomplete, stop.Reason
	case errors.Is(runErr, context.Canceled), errors.Is(runErr, context.DeadlineExceeded):
		r.Status, r.Reason = result.Incomplete, "interrupted"
	case errors.Is(runErr, errMaxTime):
		r.Status, r.Reason = result.Incomplete, runErr.Error()
	case errors.As(runErr, &stuck):
		r.Status, r.Reason = result.Stuck, runErr.Error()
	default:
		r.Status, r.Reason = result.Failed, runErr.Error()
		if bad := badInput(nil); errors.As(runErr, &bad) {
			r.Reason = bad.Error()
		}
	}
	var broken []error
	for _, n := range a.nodes() {
		g := n.Stats()
		r.Metrics = append(r.Metrics, g.Metrics()...)
		if w, ok := n.(system.Attacher); ok {
			r.Attachments = append(r.Attachments, w.Attachments()...)
		}
		if r.Status == result.Complete {
			broken = append(broken, g.Verify()...)
		}
	}
	if r.Status == result.Complete {
		broken = append(broken, a.conserved(r.Metrics)...)
	}
	files, doubts := a.record.Traces()
	r.Attachments, r.Warnings = append(r.Attachments, files...), append(r.Warnings, doubts...)
	r.Layers, r.Levels, r.Requests, r.Channels = a.layers(), a.levels(), a.requests(), a.record.Channels()
	if a.sampler != nil {
		r.Series = a.sampler.Table()
	}
	r.Metrics = a.issued(a.rest(r.Metrics))
	result.Sort(r.Metrics)
	r.Warnings = append(r.Warnings, a.unasked(r.Metrics)...)
	r.Assumptions = append(r.Assumptions, a.unmeasured(r.Metrics)...)
	sums := ownedBy(a.Sys.Made(), r.Metrics)
	r.WithoutEnergy = sums.without
	r.Metrics = append(append(r.Metrics, a.systemMetrics(r.Metrics)...), sums.metrics()...)
	r.Metrics = append(r.Metrics, a.rowTimes(r.Layers)...)
	var unevaluated error
	if t := x.options.throttled; r.Status == result.Complete && (t == nil || !t.Trial) {
		unevaluated = a.evaluate(r, t)
	}
	undefined := r.DropNonFinite() // whether the run is complete or not: it must be possible to write it
	if r.Status == result.Complete {
		broken = append(broken, undefined...)
		if unevaluated != nil {
			broken = append(broken, unevaluated)
		}
	}
	result.Sort(r.Metrics)
	of := a.bottleneck()
	r.Causes = of.Causes(r)
	r.Sentence = of.Sentence(r)
	if r.Status == result.Complete {
		broken = append(broken, r.Causes.Check()...)
		broken = append(broken, a.unfinished()...)
	}
	if len(broken) > 0 {
		r.Status = result.Failed
		r.Reason = "a check at the end of the run failed: " + errors.Join(broken...).Error()
	}
	return r
}

// bottleneck is what finds the causes of the time of a run.
func (a *assembly) bottleneck() *bottleneck.Run {
	return &bottleneck.Run{
		Nodes: a.nodes(), Jobs: a.Jobs, Home: a.Sys.Home,
		Staged:  slices.ContainsFunc(a.Loads, func(w *plan.Workload) bool { return w.Spec.Parallel.Pipeline > 1 }),
		Sampled: a.meter != nil && a.meter.repeats > 0,
	}
}

// levels joins the tables of levels of all nodes. With several nodes the last column has the node.
func (a *assembly) levels() *stats.Table {
	var nodes []system.Leveled
	for _, n := range a.nodes() {
		if w, ok := n.(system.Leveled); ok {
			nodes = append(nodes, w)
		}
	}
	if len(nodes) < 2 {
		for _, n := range nodes {
			return n.Levels()
		}
		return nil
	}
	out := &stats.Table{Columns: append(slices.Clone(nodes[0].Levels().Columns), stats.Column{Name: "where", Text: "Node that has the level."})}
	for _, n := range nodes {
		for _, row := range n.Levels().All() {
			out.Append(append(slices.Clone(row), n.Name())...)
		}
	}
	return out
}

// requests joins the tables of all Servers. With several nodes the last columns have the node and
// the workload of a request.
func (a *assembly) requests() *stats.Table {
	var names []string
	var tables []*stats.Table
	for _, n := range a.nodes() {
		if s, ok := n.(system.Server); ok {
			names, tables = append(names, s.Name()), append(tables, s.Requests())
		}
	}
	switch len(tables) {
	case 0:
		return nil
	case 1:
		return tables[0]
	}
	out := result.Join(names, tables, stats.Column{Name: "node", Text: "Node that handed the request out."}).Held()
	if out.Index("workload") < 0 {
		out.Columns = append(out.Columns, stats.Column{Name: "workload", Text: "Name of the workload."})
	}
	node, load := out.Index("node"), out.Index("workload")
	for i, row := range out.Rows {
		for len(row) < len(out.Columns) {
			row = append(row, nil)
		}
		for _, j := range a.Jobs {
			if j.Server != nil && row[node] == j.Node.Name() {
				row[load] = j.Given[0].Name()
			}
		}
		out.Rows[i] = row
	}
	return out
}

// layers puts the tables of all workers, and of players that have one, under one
// header, by node.
func (a *assembly) layers() *stats.Table {
	var names []string
	var tables []*stats.Table
	for _, n := range a.nodes() {
		if w, ok := n.(system.Tabled); ok {
			if t := w.Layers(); t != nil {
				names, tables = append(names, w.Name()), append(tables, t)
			}
		}
	}
	return result.Join(names, tables, stats.Column{Name: "where", Text: "Node that carried out the layer."})
}

// issued leaves out the metrics of executors that get no operators, since their batches have
// prices: what they count would be 0, and their energy with it, unless they are told it.
func (a *assembly) issued(ms []stats.Metric) []stats.Metric {
	idle, told := map[string]bool{}, map[string]bool{}
	for _, j := range a.Jobs {
		for _, e := range j.Executors() {
			idle[e.Name()] = j.Priced
		}
	}
	for _, m := range ms {
		told[m.Where] = told[m.Where] || m.Name == work.PlannedEnergy
	}
	return slices.DeleteFunc(ms, func(m stats.Metric) bool {
		power := strings.HasPrefix(m.Name, "energy") || strings.HasPrefix(m.Name, "power_")
		return idle[m.Where] && !(power && told[m.Where])
	})
}

// waiters returns the nodes that are Waiters.
func (a *assembly) waiters() []engine.Waiter {
	var out []engine.Waiter
	for _, n := range a.nodes() {
		if w, ok := n.(engine.Waiter); ok {
			out = append(out, w)
		}
	}
	return out
}
