package experiment

import (
	"errors"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

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
		if w.At.Get("placement").Exists() && w.Spec.FormOf == "" {
			_, w.idx, w.nics, err = x.coresOf(a, w, w.Spec.Parallel.Ranks())
			errs.Add(err)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	for _, w := range j.given {
		errs.Add(x.requestsOf(j, w))
		at, idx, nics := w.At.Get("placement"), w.idx, w.nics
		if idx == nil {
			if at, idx, nics, err = x.coresOf(a, w, w.Spec.Parallel.Ranks()); err != nil {
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
			if p := transfers(s.Graph); p.Jobs != nil {
				if k >= len(nics) {
					errs.Add(at.Errorf(nil, "%s has transfers, and %s has no interface for its rank %d", w.Name(), j.node.Name(), k))
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
	times, err := w.Arrivals(x.sim.Seed, x.doc.ResolveFile)
	errs.Add(err)
	errs.Add(w.CheckForm(demands(j.given)))
	if w.Spec.FormOf != "" {
		times, w.Nth = nil, []int32{}
	}
	w.Times, w.Requests = times, len(times)
	errs.Add(w.Draw(x.sim.Seed))
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
		for i := range w.Graph.Ops {
			_, transfer := w.Graph.Ops[i].Kind.(graph.Transfer)
			if m, ok := w.Graph.Ops[i].Kind.(graph.Move); !transfer && (!ok || m.Elements > 0) {
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
			return nil, at.Errorf(nil, "%s cuts %s into other operators than %s", a.workers[k].Name(), w.Name(), a.workers[idx[0]].Name())
		}
	}
	return out, nil
}

// schedule hands the workloads, which the executors have prepared, to the scheduler.
func (x *Experiment) schedule(a *assembly, j *job, shares []share) error {
	var out []work.Workload
	var mine []*demand.Workload
	for _, w := range a.loads {
		if w.job == j && w.batch <= 1 { // a batch is of a workload that is here too
			mine = append(mine, &w.Workload)
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
		errs.Add(w.CheckAfter(mine))
		l := work.Workload{Name: w.Name(), Part: w.Rank < w.Spec.Parallel.Ranks()-1, ID: int32(i), Graph: w.Graph, Times: w.Times, Nth: w.Nth, Deadline: w.Spec.Deadline, Priority: w.Spec.Priority, After: w.Spec.After, FormOf: w.Spec.FormOf}
		l.Before, l.Source = w.pieces()
		if p := &w.Spec.Parallel; p.Overlap != 0 || p.T3 != 0 {
			l.Layers = together
		}
		known := make([]bool, len(w.Graph.Ops))
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
			job := make([]int32, len(w.Graph.Ops)) // by operator: its number and one; 0: none
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
		return x.doc.Root.Get("nodes").Locate(err)
	}
	return x.repeatScheduled(a, j, out)
}
