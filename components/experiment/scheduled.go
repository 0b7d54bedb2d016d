package experiment

import (
	"errors"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// requestKeys are the keys of a workload that only a schedule node reads.
var requestKeys = []string{"arrivals", "frames", "probability", "deadline", "priority", "after", "form_of", "parallel", "training"}

// linked are the workers that a scheduler, or a server, is linked to: those that compute, and the
// network interfaces.
func (a *assembly) linked(to []work.Executor) (compute, nics []int) {
	for i, w := range a.workers {
		if !slices.Contains(to, w) {
			continue
		}
		if _, ok := w.(seat.Agent); ok {
			nics = append(nics, i)
		} else {
			compute = append(compute, i)
		}
	}
	return compute, nics
}

// shares maps the workloads onto the workers: all before the run, or for each worker that
// a scheduler may give operators to. Workloads of servers come last, without shares.
func (x *Experiment) shares(a *assembly) ([]share, error) {
	if len(a.jobs) == 0 {
		return x.split(a)
	}
	mapper := x.loader.mapper()
	defer x.loader.mappers.Put(mapper)
	a.loads = nil
	var errs configs.Errors
	var out []share
	for _, j := range a.jobs {
		if j.scheduler == nil {
			continue
		}
		first := len(a.loads)
		shares, err := x.sharesOf(a, j, mapper)
		if errs.Add(err); err != nil {
			continue
		}
		out = append(out, shares...)
		more, err := x.batches(a, j, first, mapper, shares)
		errs.Add(err)
		out = append(out, more...)
	}
	for _, j := range a.jobs {
		if j.server != nil {
			a.loads = append(a.loads, j.given...)
		}
	}
	return out, errs.Err()
}

// sharesOf maps the workloads of a schedule onto its workers, and adds them to those of the
// assembly: one for each rank.
func (x *Experiment) sharesOf(a *assembly, j *job, mapper *mapping.Mapper) (out []share, err error) {
	var errs configs.Errors
	for _, w := range j.byName() { // that choose chips
		if w.at.Get("placement").Exists() && w.spec.FormOf == "" {
			_, w.idx, w.nics, err = x.coresOf(a, w, w.spec.Parallel.ranks())
			errs.Add(err)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	for _, w := range j.given {
		errs.Add(x.requestsOf(j, w))
		at, idx, nics := w.at.Get("placement"), w.idx, w.nics
		if idx == nil {
			if at, idx, nics, err = x.coresOf(a, w, w.spec.Parallel.ranks()); err != nil {
				errs.Add(err)
				continue
			}
		}
		if err := errs.Err(); err != nil {
			continue
		}
		if err := errors.Join(w.skipped(a, idx), w.fuse(a, mapper, idx), x.cut(a, w, idx)); err != nil {
			errs.Add(err)
			continue
		}
		ranks, err := w.ranks(len(idx), w.job.interfaces(nics))
		if err != nil {
			errs.Add(err)
			continue
		}
		a.spread(w, len(ranks), idx)
		each := len(idx) / len(ranks)
		for k, s := range ranks {
			programs, err := x.each(a, mapper, s, idx[k*each:(k+1)*each], at)
			errs.Add(err)
			for i, p := range programs {
				out = append(out, share{worker: idx[k*each+i], load: len(a.loads), program: p, scratch: -1, late: true})
			}
			if p := transfers(s.graph); p.Jobs != nil {
				if k >= len(nics) {
					errs.Add(at.Errorf(nil, "%s has transfers, and %s has no interface for its rank %d", w.name(), j.node.Name(), k))
					continue
				}
				out = append(out, share{worker: nics[k], load: len(a.loads), program: p, scratch: -1, late: true})
			}
			s.nics = nics
			a.loads = append(a.loads, s)
		}
	}
	return out, errs.Err()
}

// interfaces is how many a workload may have: those chosen for its ranks, or else all of the job.
func (j *job) interfaces(nics []int) int {
	if nics == nil {
		return len(j.nics)
	}
	return len(nics)
}

// requestsOf makes the times at which requests of a workload arrive.
func (x *Experiment) requestsOf(j *job, w *workload) error {
	var errs configs.Errors
	times, err := w.arrivals(x)
	errs.Add(err)
	errs.Add(w.checkForm(j.given))
	if w.spec.FormOf != "" {
		times, w.nth = nil, []int32{}
	}
	w.times, w.requests = times, len(times)
	errs.Add(w.draw(x))
	return errs.Err()
}

// transfers are the jobs of a graph that network interfaces carry out.
func transfers(g *graph.Graph) (p mapping.Program) {
	for i := range g.Ops {
		if _, ok := g.Ops[i].Kind.(graph.Transfer); ok {
			p.Jobs = append(p.Jobs, mapping.Job{Op: i})
		}
	}
	return p
}

// alone is one program per worker in idx, each as if that worker did all of the
// workload: of the same jobs, with the mapping of each.
func (x *Experiment) alone(a *assembly, mapper *mapping.Mapper, w *workload, idx []int, at configs.Value) ([]mapping.Program, error) {
	var errs configs.Errors
	out := make([]mapping.Program, len(idx))
	var jobs []mapping.Job
	for i, k := range idx {
		if _, peer := a.workers[k].(work.Peer); peer {
			errs.Add(at.Errorf(nil, "%s counts layers as another program does, and takes no single operators", a.workers[k].Name()))
			continue
		}
		if _, ok := a.workers[k].(work.Mappable); !ok {
			continue
		}
		one, err := x.programs(a, mapper, w, []int{k}, at)
		if err != nil {
			errs.Add(err)
			continue
		}
		out[i] = one[0]
		if jobs == nil {
			jobs = one[0].Jobs
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if jobs == nil {
		for i := range w.graph.Ops {
			_, transfer := w.graph.Ops[i].Kind.(graph.Transfer)
			if m, ok := w.graph.Ops[i].Kind.(graph.Move); !transfer && (!ok || m.Elements > 0) {
				jobs = append(jobs, mapping.Job{Op: i})
			}
		}
	}
	for i, k := range idx {
		if out[i].Jobs == nil {
			for _, j := range jobs {
				out[i].Jobs = append(out[i].Jobs, mapping.Job{Op: j.Op, Fused: j.Fused})
			}
		}
		if !slices.EqualFunc(jobs, out[i].Jobs, func(a, b mapping.Job) bool { return a.Op == b.Op && slices.Equal(a.Fused, b.Fused) }) {
			return nil, at.Errorf(nil, "%s cuts %s into other operators than %s", a.workers[k].Name(), w.name(), a.workers[idx[0]].Name())
		}
	}
	return out, nil
}

// checkAfter looks up the workload that this one comes after: another one, with as many
// requests, and no circle.
func (w *workload) checkAfter(all []*workload) error {
	var names []string
	by := map[string]*workload{}
	for _, o := range all {
		if o.batch > 1 {
			continue // of a workload that is here too
		}
		if by[o.name()] = o; o.name() != w.name() {
			names = append(names, o.name())
		}
	}
	at := w.at.Get("after")
	steps := 0
	for v := w; v.spec.After != ""; steps++ {
		f := by[v.spec.After]
		switch {
		case f == nil && v == w:
			return at.Errorf(names, "unknown workload %q", w.spec.After)
		case f == nil:
			return nil // said at that workload
		case steps == len(all) || f == w:
			return at.Errorf(nil, "%s waits for itself", w.name())
		case f.nth != nil:
			return at.Errorf(nil, "%s is not there for every request: it has a probability (want a workload whose requests are all made)", f.name())
		case v == w && f.possible() != w.possible():
			return at.Errorf(nil, "%s has %d requests and %s %d (want as many)", w.name(), w.possible(), f.name(), f.possible())
		}
		v = f
	}
	return nil
}

// checkForm looks up the workload that this one is a form of.
func (w *workload) checkForm(all []*workload) error {
	if w.spec.FormOf == "" {
		return nil
	}
	at := w.at.Get("form_of")
	var names []string
	for _, o := range all {
		if o != w && o.spec.FormOf == "" {
			names = append(names, o.name())
		}
	}
	if !slices.Contains(names, w.spec.FormOf) {
		return at.Errorf(names, "unknown workload %q", w.spec.FormOf)
	}
	var errs configs.Errors
	for _, key := range []string{"arrivals", "frames", "probability", "deadline", "priority", "after", "parallel", "training", "arrival"} {
		if v := w.at.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect: requests are those of %s, of which this is a form", w.spec.FormOf))
		}
	}
	return errs.Err()
}

// schedule hands the workloads, which the executors have prepared, to the scheduler.
func (x *Experiment) schedule(a *assembly, j *job, shares []share) error {
	var out []work.Workload
	var mine []*workload
	for _, w := range a.loads {
		if w.job == j {
			mine = append(mine, w)
		}
	}
	var errs configs.Errors
	of := make([][]share, len(a.loads))
	for _, s := range shares {
		of[s.load] = append(of[s.load], s)
	}
	for i, w := range a.loads {
		if w.job != j || w.batch > 1 {
			continue // of the workload that it is a batch of
		}
		shares := of[i]
		errs.Add(w.checkAfter(mine))
		l := work.Workload{Name: w.name(), Part: w.rank < w.spec.Parallel.ranks()-1, ID: int32(i), Graph: w.graph, Times: w.times, Nth: w.nth, Deadline: w.spec.Deadline, Priority: w.spec.Priority, After: w.spec.After, FormOf: w.spec.FormOf}
		l.Before, l.Source = w.pieces()
		if p := &w.spec.Parallel; p.Overlap != 0 || p.T3 != 0 {
			l.Layers = together
		}
		known := make([]bool, len(w.graph.Ops))
		for _, s := range shares {
			for _, j := range s.program.Jobs {
				if !known[j.Op] {
					known[j.Op] = true
					l.Jobs = append(l.Jobs, work.Job{Op: j.Op, Fused: j.Fused})
				}
			}
		}
		slices.SortFunc(l.Jobs, func(a, b work.Job) int { return a.Op - b.Op })
		l.Batches, l.Feet = w.batches, w.feet
		for _, s := range shares {
			p := work.Place{Executor: a.workers[s.worker], Job: make([]int32, len(l.Jobs))}
			job := make([]int32, len(w.graph.Ops)) // by operator: its number and one; 0: none
			for k := range slices.Backward(s.program.Jobs) {
				job[s.program.Jobs[k].Op] = int32(k) + 1
			}
			for k, j := range l.Jobs {
				p.Job[k] = job[j.Op] - 1
			}
			if x.teams() && len(l.On) > 0 && !concurrent(p) {
				l.On[0].With = append(l.On[0].With, p)
				continue
			}
			l.On = append(l.On, p)
		}
		out = append(out, l)
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := x.assign(a, j, out); err != nil {
		return err
	}
	if err := j.scheduler.Schedule(out); err != nil {
		return located(x.doc.Root.Get("nodes"), err)
	}
	return x.repeatScheduled(a, j, out)
}

// draw leaves of the requests those that chance makes.
func (w *workload) draw(x *Experiment) error {
	if w.spec.Chance == nil {
		return nil
	}
	p := *w.spec.Chance
	if !(p >= 0 && p <= 1) {
		return w.at.Get("probability").Errorf(nil, "is %g (want 0 to 1)", p)
	}
	if w.spec.Parallel.ranks() > 1 {
		return w.at.Get("probability").Errorf(nil, "is not built for chips that share a model (parallel)")
	}
	r := (&system.Env{Seed: x.sim.Seed}).Rand("probability of " + w.name())
	times := w.times
	w.times, w.nth = nil, []int32{}
	for i, t := range times {
		if r.Float64() < p {
			w.times, w.nth = append(w.times, t), append(w.nth, int32(i))
		}
	}
	w.drawn, w.requests = len(times), len(w.times)
	return nil
}

// possible is how many requests there would be if all were made.
func (w *workload) possible() int {
	if w.nth != nil {
		return w.drawn
	}
	return len(w.times)
}

// maxRequests bounds the requests of one workload, as key frames says.
const maxRequests = 1 << 20

// arrivals are the times at which requests of the workload arrive.
func (w *workload) arrivals(x *Experiment) ([]units.Time, error) {
	s := &w.spec
	frames := w.at.Get("frames")
	if s.Arrivals.Name == "" {
		return slices.Repeat([]units.Time{s.Arrival}, max(s.Frames, 1)), nil
	}
	if s.Frames == 0 && s.Arrivals.Name != "trace" {
		return nil, s.Arrivals.At.Errorf(nil, "has no end: frames says how many requests arrive")
	}
	source, err := s.Arrivals.New(x.doc.ResolveFile)
	var key *schedule.KeyError
	if errors.As(err, &key) {
		return nil, s.Arrivals.Place(key.Key).Errorf(nil, "%s", key)
	}
	if err != nil {
		return nil, located(s.Arrivals.At, err)
	}
	r := (&system.Env{Seed: x.sim.Seed}).Rand("arrivals of " + w.name())
	var out []units.Time
	for s.Frames == 0 || len(out) < s.Frames {
		at, ok := source.Next(r)
		if !ok {
			break
		}
		if at > math.MaxUint64/4 || s.Arrival > math.MaxUint64/4 {
			return nil, s.Arrivals.At.Errorf(nil, "request %d arrives after %s, which is as far as times count", len(out), units.Time(math.MaxUint64/4))
		}
		if len(out) == maxRequests {
			return nil, s.Arrivals.At.Errorf(nil, "has more than %d requests", maxRequests)
		}
		out = append(out, s.Arrival+at)
	}
	if len(out) < s.Frames {
		return nil, frames.Errorf(nil, "is %d, and the arrivals end after %d", s.Frames, len(out))
	}
	return out, nil
}

// repeats is how often the workload is carried out.
func (w *workload) repeats() int64 {
	if w.requests == 0 && w.nth == nil {
		return 1
	}
	return int64(w.requests)
}
