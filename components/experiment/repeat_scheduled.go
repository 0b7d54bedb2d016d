package experiment

import (
	"errors"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/workloads/player/issue"
)

// repeatScheduled lets the schedule take layers of a request that repeat for what they took
// before (simulation.repeat: sampled); loads are what it was given.
func (x *Experiment) repeatScheduled(a *assembly, j *plan.Job, loads []work.Workload) error {
	if x.sim.Repeat != sampled {
		return nil
	}
	r, ok := j.Scheduler.(work.Repeating)
	err := x.repeatable(a)
	if err == nil && !ok {
		err = fmt.Errorf("%s issues every operator", j.Node.Name())
	}
	of := make([][]int32, len(loads))
	for i := range loads {
		of[i] = make([]int32, len(loads[i].Graph.Ops))
		for k, p := range issue.Periods(loads[i].Graph, loads[i].Jobs, loads[i].Layers) {
			of[i][loads[i].Jobs[k].Op] = p
		}
		if err == nil && slices.Max(of[i]) == 0 {
			err = fmt.Errorf("%s has no numbered layers (operators called L0., L1. and so on)", loads[i].Name)
		}
	}
	if err != nil {
		return x.doc.Root.Get("simulation").Get("repeat").Errorf(nil, "has no effect: %s", err)
	}
	r.Repeat(newMeter(a, j.Node.Name()), shapes(a, of))
	return nil
}

// repeatable returns an error if the layers of a scheduled workload have no common end.
func (x *Experiment) repeatable(a *assembly) error {
	if len(x.workloads) > 1 {
		return fmt.Errorf("there are %d workloads, whose layers go on at the same time (want one)", len(x.workloads))
	}
	w := a.Loads[0]
	if w.Requests != 1 {
		return fmt.Errorf("%s has %d requests, whose layers go on at the same time (want one, or a node of kind serve)", w.Name(), w.Requests)
	}
	if p := &w.Spec.Parallel; w.Trains() || p.Shift.Cores > 0 || p.Grid().Ranks() > p.Sharing() {
		return errors.New("chips are in different layers at a time (want none but parallel: {tensor: N}, and no training)")
	}
	if x.sim.Quantum > 0 {
		return errors.New("systems that simulation.quantum divides have no common end of a layer")
	}
	return nil
}
