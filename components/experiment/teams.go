package experiment

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/configs"
)

// spread warns of ranks that have several nodes each which no memory connects.
func (a *assembly) spread(w *workload, ranks int, idx []int) {
	if each := len(idx) / ranks; ranks > 1 && each > 1 && !a.needMemory() {
		a.notes = append(a.notes, fmt.Sprintf("%s is shared by %d ranks of %d nodes each (the first: %s to %s), and what the nodes of a rank pass to each other takes no time.", w.Name(), ranks, each, a.workers[idx[0]].Name(), a.workers[idx[each-1]].Name()))
	}
}

// teams reports whether the nodes that a schedule gives a workload to share each operator.
func (x *Experiment) teams() bool { return x.doc.Root.Get("mapping").Get("split").Exists() }

func concurrent(p work.Place) bool {
	_, ok := p.Executor.(work.Concurrent)
	return ok
}

// each is one program per worker in idx: as if it did all of the workload, or its part of
// every operator.
func (x *Experiment) each(a *assembly, mapper *mapping.Mapper, w *workload, idx []int, at configs.Value) ([]mapping.Program, error) {
	if !x.teams() || len(idx) == 1 {
		return x.alone(a, mapper, w, idx, at)
	}
	for _, k := range idx {
		if !mappable(a.workers[k]) {
			return nil, x.doc.Root.Get("mapping").Get("split").Errorf(nil, "%s does not share operators (want nodes of kind systolic)", a.workers[k].Name())
		}
	}
	programs, err := x.programs(a, mapper, w, idx, at)
	for i := range programs {
		jobs := slices.Clone(programs[i].Jobs)
		for k := range jobs { // the schedule knows who waits for whom
			jobs[k].After, jobs[k].Awaited = nil, false
		}
		programs[i].Jobs = jobs
	}
	return programs, err
}
