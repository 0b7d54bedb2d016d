package plan

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
func (a *Assignment) linked(to []work.Executor) (compute, nics []int) {
	for i, w := range a.Workers {
		if !slices.Contains(to, w) {
			continue
		}
		switch w.(type) {
		case seat.Agent, work.Communicator:
			nics = append(nics, i)
		default:
			compute = append(compute, i)
		}
	}
	return compute, nics
}

// Shares maps the workloads onto the workers: onto all of them, or onto each worker to which a
// scheduler may issue operators. Workloads of servers come last, without shares.
func (a *Assignment) Shares() ([]Share, error) {
	if len(a.Jobs) == 0 {
		return a.split()
	}
	mapper := a.Mappers.Get()
	defer a.Mappers.Put(mapper)
	a.Loads = nil
	var errs configs.Errors
	var out []Share
	for _, j := range a.Jobs {
		if j.Scheduler == nil {
			continue
		}
		first := len(a.Loads)
		shares, err := a.sharesOf(j, mapper)
		if errs.Add(err); err != nil {
			continue
		}
		out = append(out, shares...)
		more, err := a.batches(j, first, mapper, shares)
		errs.Add(err)
		out = append(out, more...)
	}
	for _, j := range a.Jobs {
		if j.Server != nil {
			a.Loads = append(a.Loads, j.Given...)
		}
	}
	return out, errs.Err()
}

// sharesOf maps the workloads of a schedule onto its workers, and adds them to those of the
// assignment: one for each rank.
func (a *Assignment) sharesOf(j *Job, mapper *mapping.Mapper) (out []Share, err error) {
	var errs configs.Errors
	for _, w := range j.byName() { // that choose chips
		if w.At.Get("placement").Exists() && w.Spec.FormOf == "" {
			_, w.idx, w.NICs, err = a.CoresOf(w, w.Spec.Parallel.Ranks())
			errs.Add(err)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	for _, w := range j.Given {
		errs.Add(a.requestsOf(j, w))
		at, idx, nics := w.At.Get("placement"), w.idx, w.NICs
		if idx == nil {
			if at, idx, nics, err = a.CoresOf(w, w.Spec.Parallel.Ranks()); err != nil {
				errs.Add(err)
				continue
			}
		}
		if err := errs.Err(); err != nil {
			continue
		}
		if err := errors.Join(w.Skipped(a, idx), w.Fuse(a, mapper, idx), a.cut(w, idx)); err != nil {
			errs.Add(err)
			continue
		}
		ranks, err := w.RankLoads(len(idx), w.Job.Interfaces(nics))
		if err != nil {
			errs.Add(err)
			continue
		}
		a.WarnSpread(w, len(ranks), idx)
		each := len(idx) / len(ranks)
		for k, s := range ranks {
			programs, err := a.Programs(mapper, s, idx[k*each:(k+1)*each], at)
			errs.Add(err)
			for i, p := range programs {
				out = append(out, Share{Worker: idx[k*each+i], Load: len(a.Loads), Program: p, Scratch: -1, Late: true})
			}
			if p := Transfers(s.Graph); p.Jobs != nil {
				if k >= len(nics) {
					errs.Add(at.Errorf(nil, "%s has transfers, and %s has no interface for its rank %d", w.Name(), j.Node.Name(), k))
					continue
				}
				out = append(out, Share{Worker: nics[k], Load: len(a.Loads), Program: p, Scratch: -1, Late: true})
			}
			s.NICs = nics
			a.Loads = append(a.Loads, s)
		}
	}
	return out, errs.Err()
}

// Interfaces is the number of interfaces that a workload may use: those chosen for its ranks, or
// else all of the job.
func (j *Job) Interfaces(nics []int) int {
	if nics == nil {
		return len(j.NICs)
	}
	return len(nics)
}

// requestsOf makes the times at which requests of a workload arrive.
func (a *Assignment) requestsOf(j *Job, w *Workload) error {
	var errs configs.Errors
	times, err := w.Arrivals(a.Seed, a.Doc.ResolveFile)
	errs.Add(err)
	errs.Add(w.CheckForm(demands(j.Given)))
	if w.Spec.FormOf != "" {
		times, w.Nth = nil, []int32{}
	}
	w.Times, w.Requests = times, len(times)
	errs.Add(w.Draw(a.Seed))
	return errs.Err()
}

// Transfers returns the jobs of a graph that network interfaces execute.
func Transfers(g *graph.Graph) (p mapping.Program) {
	for i := range g.Ops {
		if _, ok := g.Ops[i].Kind.(graph.Transfer); ok {
			p.Jobs = append(p.Jobs, mapping.Job{Op: i})
		}
	}
	return p
}

// alone is one program per worker in idx, each as if that worker did all of the
// workload: of the same jobs, with the mapping of each.
func (a *Assignment) alone(mapper *mapping.Mapper, w *Workload, idx []int, at configs.Value) ([]mapping.Program, error) {
	var errs configs.Errors
	out := make([]mapping.Program, len(idx))
	var jobs []mapping.Job
	for i, k := range idx {
		if _, peer := a.Workers[k].(work.Peer); peer {
			errs.Add(at.Errorf(nil, "%s counts layers as another program does, and takes no single operators", a.Workers[k].Name()))
			continue
		}
		if _, ok := a.Workers[k].(work.Mappable); !ok {
			continue
		}
		one, err := a.programs(mapper, w, []int{k}, at)
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
			return nil, at.Errorf(nil, "%s cuts %s into other operators than %s", a.Workers[k].Name(), w.Name(), a.Workers[idx[0]].Name())
		}
	}
	return out, nil
}

// Schedule passes the workloads, which the executors have prepared, to the scheduler, and returns
// them.
func (a *Assignment) Schedule(j *Job, shares []Share) (out []work.Workload, err error) {
	var mine []*demand.Workload
	for _, w := range a.Loads {
		if w.Job == j && w.Batch <= 1 { // a batch is of a workload that is here too
			mine = append(mine, &w.Workload)
		}
	}
	var errs configs.Errors
	of := make([][]Share, len(a.Loads))
	for _, s := range shares {
		of[s.Load] = append(of[s.Load], s)
	}
	for i, w := range a.Loads {
		if w.Job != j || w.Batch > 1 {
			continue // of the workload that it is a batch of
		}
		shares := of[i]
		errs.Add(w.CheckAfter(mine))
		l := work.Workload{Name: w.Name(), Part: w.Rank < w.Spec.Parallel.Ranks()-1, ID: int32(i), Graph: w.Graph, Times: w.Times, Nth: w.Nth, Deadline: w.Spec.Deadline, Priority: w.Spec.Priority, After: w.Spec.After, FormOf: w.Spec.FormOf}
		l.Before, l.Source = w.Pieces()
		if p := &w.Spec.Parallel; p.Overlap != 0 || p.T3 != 0 {
			l.Layers = Together
		}
		l.Jobs = jobsOf(shares, len(w.Graph.Ops))
		l.Batches, l.Feet = w.Batches, w.Feet
		for _, s := range shares {
			p := work.Place{Executor: a.Workers[s.Worker], Job: make([]int32, len(l.Jobs))}
			job := make([]int32, len(w.Graph.Ops)) // by operator: its number and one; 0: none
			for k := range slices.Backward(s.Program.Jobs) {
				job[s.Program.Jobs[k].Op] = int32(k) + 1
			}
			for k, j := range l.Jobs {
				p.Job[k] = job[j.Op] - 1
			}
			if a.Teams() && len(l.On) > 0 && !concurrent(p) {
				l.On[0].With = append(l.On[0].With, p)
				continue
			}
			l.On = append(l.On, p)
		}
		out = append(out, l)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if err := a.assign(j, out); err != nil {
		return nil, err
	}
	if err := j.Scheduler.Schedule(out); err != nil {
		return nil, a.Doc.Root.Get("nodes").Locate(err)
	}
	return out, nil
}

// jobsOf are the jobs of all shares of a workload with so many operators, each once, in order.
func jobsOf(shares []Share, ops int) (jobs []work.Job) {
	known := make([]bool, ops)
	for _, s := range shares {
		for _, j := range s.Program.Jobs {
			if !known[j.Op] {
				known[j.Op] = true
				jobs = append(jobs, work.Job{Op: j.Op, Fused: j.Fused})
			}
		}
	}
	slices.SortFunc(jobs, func(a, b work.Job) int { return a.Op - b.Op })
	return jobs
}

// Together is the number of layers that repeat as one period if transfers of a layer overlap with
// the next layer. A sampled run waits once per period for their end, which costs at most one
// collective; a longer period makes that cost a smaller share of the time.
const Together = 4
