package experiment

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// connectAll makes, for each schedule, the parallel program of its transfers and the player of it.
func (x *Experiment) connectAll(a *assembly, shares []plan.Share) error {
	var errs configs.Errors
	for _, j := range a.Jobs {
		if j.Scheduler != nil {
			errs.Add(x.connect(a, j, shares))
		}
	}
	for _, n := range a.agents {
		if !slices.ContainsFunc(a.Jobs, func(j *plan.Job) bool { return j.LinkedTo(a.Assignment, n) }) {
			errs.Add(n.Unused())
		}
	}
	return errs.Err()
}

// connect makes the parallel program of all transfers of a schedule, in the order in which network
// interfaces have prepared them, and the player of it. Transfers of layers
// that are left out (simulation.repeat) are not prepared before the run: the program is then
// empty, and interfaces that prepare transfers afterwards extend it.
func (x *Experiment) connect(a *assembly, j *plan.Job, shares []plan.Share) error {
	nics := a.programOrder(j)
	if all, err := x.communicators(a, nics); len(all) > 0 || err != nil {
		a.yield(j)
		return err
	}
	for _, w := range j.Given {
		if v := w.At.Get("parallel").Get("represented"); w.Spec.Parallel.Represented == demand.RepresentedStages && len(nics) > 0 {
			return v.Errorf(nil, "ranks that are no nodes have no interface of kind nic (want nodes of kind communicator)")
		}
	}
	p := comm.NewProgram(len(nics))
	used := false
	for _, s := range shares {
		rank := slices.Index(nics, s.Worker)
		if rank < 0 || a.Loads[s.Load].Job != j {
			continue
		}
		w := a.Loads[s.Load]
		seats := make([]int32, len(w.NICs)) // of the program, by rank of the workload
		for r, k := range w.NICs {
			seats[r] = int32(slices.Index(nics, k))
		}
		for n := range w.Requests {
			for _, t := range s.Program.Jobs {
				op, err := p.TransferOf(seats, w.Graph.Ops[t.Op].Kind.(graph.Transfer), int64(s.Load-w.Rank)<<48|int64(n))
				if err != nil {
					return w.At.Errorf(nil, "%s: %v", w.Graph.Ops[t.Op].Name, err)
				}
				if used = true; x.sim.Repeat != sampled {
					p.Ranks[rank].Add(op)
				}
			}
		}
	}
	var errs configs.Errors
	var seats []seat.Seat
	for _, k := range nics {
		n := a.Workers[k].(seat.Agent)
		if !used {
			errs.Add(n.Unused())
		}
		seats = append(seats, n)
	}
	if err := errs.Err(); err != nil || !used {
		return err
	}
	return x.seatJob(a, j, p, seats)
}

// communicators has the interfaces that know the prices of transfers meet, if there are such; others
// are not among them.
func (x *Experiment) communicators(a *assembly, nics []int) (all []work.Communicator, err error) {
	for _, k := range nics {
		if c, ok := a.Workers[k].(work.Communicator); ok {
			all = append(all, c)
		}
	}
	switch {
	case len(all) == 0:
		return nil, nil
	case len(all) < len(nics):
		return nil, x.doc.Root.Get("nodes").Errorf(nil, "%s is linked to the same schedule as nodes of kind nic (want one of both kinds)", all[0].Name())
	}
	return all, all[0].Meet(all)
}

// yield tells the chips of a job which communicators are theirs.
func (a *assembly) yield(j *plan.Job) {
	for _, k := range j.Compute {
		n, err := j.InterfaceOf(a.Assignment, k)
		if y, ok := a.Workers[k].(work.Yielder); ok && err == nil {
			if c, ok := a.Workers[n].(work.Communicator); ok {
				y.Yields(c)
			}
		}
	}
}

// seatJob seals the program of a job's transfers, and makes its player.
func (x *Experiment) seatJob(a *assembly, j *plan.Job, p *comm.Program, seats []seat.Seat) error {
	for i := range p.Ranks {
		if err := p.Ranks[i].Seal(); err != nil {
			return err
		}
	}
	w := &plan.Workload{Workload: demand.Workload{At: x.doc.Root.Get("nodes"), Program: p, Spec: demand.Spec{Name: "transfers"}}}
	if len(a.Jobs) > 1 {
		w.Plays = j.Node.Name()
		w.Spec.Name += " of " + j.Node.Name()
	}
	return x.seat(a, w, seats, a.algorithms)
}

// programOrder is the interfaces of a job in the order of its program's ranks: those of its
// workloads, by name, in the order of their ranks, then the others.
func (a *assembly) programOrder(j *plan.Job) (out []int) {
	var loads []*plan.Workload
	for _, w := range a.Loads {
		if w.Job == j && w.Rank == 0 {
			loads = append(loads, w)
		}
	}
	slices.SortStableFunc(loads, func(x, y *plan.Workload) int { return configs.CompareNames(x.Name(), y.Name()) })
	all := [][]int{}
	for _, w := range loads {
		all = append(all, w.NICs)
	}
	for _, k := range slices.Concat(append(all, j.NICs)...) {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}
