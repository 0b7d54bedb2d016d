package experiment

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/issue"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// repeatOnCores lets the cores that carry a workload out take layers that repeat for what
// they took before (simulation.repeat: sampled, without a server).
func (x *Experiment) repeatOnCores(a *assembly) error {
	if x.sim.Repeat != sampled || len(a.Jobs) > 0 {
		return nil
	}
	v := x.doc.Root.Get("simulation").Get("repeat")
	members, err := repeaters(a)
	if err == nil && x.sim.Quantum > 0 {
		err = errors.New("systems that simulation.quantum divides have no common end of a layer")
	}
	if err != nil {
		return v.Errorf(nil, "has no effect: %s", err)
	}
	of, err := periodsOn(a)
	if err != nil {
		return v.Errorf(nil, "has no effect: %s", err)
	}
	p := work.NewPeriods(members, shapes(a, [][]int32{of}), newMeter(a, ""))
	a.periods = p
	var errs configs.Errors
	for m, r := range members {
		if err := r.Repeat(p, m, of); err != nil {
			errs.Add(v.Errorf(nil, "%s", err))
		}
	}
	return errs.Err()
}

// noRepeat refuses simulation.repeat: sampled in a system without operators.
func (x *Experiment) noRepeat() error {
	if x.sim.Repeat != sampled {
		return nil
	}
	return x.doc.Root.Get("simulation").Get("repeat").Errorf(nil, "has no effect: there is no workload whose layers repeat")
}

// repeaters are the workers of the one workload.
func repeaters(a *assembly) (out []work.Repeater, err error) {
	if len(a.Loads) != 1 {
		return nil, fmt.Errorf("there are %d workloads (want one)", len(a.Loads))
	}
	for i := range a.shares {
		w := a.Workers[a.shares[i].Worker]
		r, ok := w.(work.Repeater)
		if !ok {
			return nil, fmt.Errorf("%s carries out every operator (want kind systolic with timing physical, kind gpu of fidelity tile, or a node of kind schedule or serve)", w.Name())
		}
		if i > 0 && r.Clock() != out[0].Clock() {
			return nil, fmt.Errorf("clocks of %s and %s differ", out[0].Name(), r.Name())
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, errors.New("no core carries out a workload")
	}
	return out, nil
}

// periodsOn is the period of each operator: a layer of the model each, what comes before
// them, and what after.
func periodsOn(a *assembly) ([]int32, error) {
	g := a.Loads[0].Graph
	all := make([]work.Job, len(g.Ops))
	for i := range all {
		all[i].Op = i
	}
	of := issue.Periods(g, all, 1)
	if len(of) == 0 || of[len(of)-1] == 0 {
		return nil, fmt.Errorf("%s has no numbered layers (operators called L0., L1. and so on)", a.Loads[0].Name())
	}
	for i := range a.shares {
		jobs := a.shares[i].Program.Jobs
		for j := 1; j < len(jobs); j++ {
			if of[jobs[j].Op] < of[jobs[j-1].Op] {
				return nil, fmt.Errorf("layers overlap (%s begins before %s is done; mapping.micro_batches does that, and on one core a batch in slices, which on_chip: none prevents)", g.Ops[jobs[j-1].Op].Name, g.Ops[jobs[j].Op].Name)
			}
		}
	}
	return of, nil
}

// shapes are of all periods, equal for those in which every executor has equal
// work: operators of equal kinds on tensors of equal sizes, with equal mappings, of which
// the same stays on the chip. of says the period of each operator, by workload.
func shapes(a *assembly, of [][]int32) []schedule.Shape {
	last := int32(0)
	for i := range of {
		last = max(last, slices.Max(of[i]))
	}
	out := make([]schedule.Shape, last+1)
	texts := make([][]byte, len(out))
	for i := range a.shares {
		p, g, of := &a.shares[i].Program, a.Loads[a.shares[i].Load].Graph, of[a.shares[i].Load]
		for j := range p.Jobs {
			job := &p.Jobs[j]
			text := &texts[of[job.Op]]
			*text = fmt.Appendf(*text, "|%d", i)
			if plan := job.Plan; plan != nil {
				*text = fmt.Appendf(*text, " %v %s %d %d %d %d %d %+v %+v %d %v", plan.Tile, plan.Order, plan.Folds, plan.Steps, plan.Cycles, plan.MACs, plan.Vector, plan.SRAM, plan.Traffic, plan.Time, plan.Multicast())
			}
			for _, n := range job.All() {
				op := &g.Ops[n]
				*text = fmt.Appendf(*text, "%T%+v", op.Kind, op.Kind)
				for _, id := range slices.Concat(op.In, op.Out) {
					if id != graph.None {
						t := g.Tensor(id)
						out[of[job.Op]].Bytes += uint64(t.Bytes())
						*text = fmt.Appendf(*text, "%v%v%v%v", t.Shape, t.Role, t.DType, p.Residents != nil && p.Residents.Stays[id])
					}
				}
			}
		}
	}
	for k := range out {
		h := fnv.New64a()
		h.Write(texts[k])
		out[k].Signature = h.Sum64()
	}
	return out
}

// checkRepeatLimits returns an error for nodes that cannot skip layers (simulation.repeat:
// sampled), and notes metrics that have gaps there.
func (x *Experiment) checkRepeatLimits(a *assembly) error {
	if x.sim.Repeat != sampled {
		return nil
	}
	s := x.doc.Root.Get("simulation")
	if x.sim.MaxTime != 0 {
		return s.Get("max_time").Errorf(nil, "does not go with simulation.repeat: sampled: what is taken as equal passes in one step, the limit within (want repeat: exact)")
	}
	if x.sim.Sample != 0 {
		a.Notes = append(a.Notes, "simulation.sample: what simulation.repeat takes as equal counts in the interval in which it begins, and those after have nothing of it.")
	}
	if a.record.Ports() > 0 {
		a.Notes = append(a.Notes, "simulation.record.requests: traces lack the requests of what simulation.repeat takes as equal.")
	}
	return nil
}

// aloneForRepeat returns an error for simulation.repeat: sampled if other nodes run at the same
// time, because they would not see the traffic of skipped layers.
func (x *Experiment) aloneForRepeat(a *assembly) error {
	if x.sim.Repeat != sampled {
		return nil
	}
	v := x.doc.Root.Get("simulation").Get("repeat")
	if len(a.Jobs) > 1 {
		return v.Errorf(nil, "has no effect: %s and %s go on at the same time, and have no common end of a layer (want repeat: exact)", a.Jobs[0].Node.Name(), a.Jobs[1].Node.Name())
	}
	for _, s := range a.starters {
		_, core := s.(work.Executor)
		if len(a.Loads) > 0 && !core && !slices.ContainsFunc(a.Jobs, func(j *plan.Job) bool { return j.Node.Name() == s.Name() }) {
			return v.Errorf(nil, "has no effect: %s goes on at the same time, and has no end of a layer (want repeat: exact)", s.Name())
		}
	}
	return nil
}
