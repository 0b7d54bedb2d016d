package plan

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/configs"
)

// WarnSpread adds a warning if each rank has several nodes and no memory connects them.
func (a *Assignment) WarnSpread(w *Workload, ranks int, idx []int) {
	if each := len(idx) / ranks; ranks > 1 && each > 1 && !a.NeedsMemory() {
		a.Notes = append(a.Notes, fmt.Sprintf("%s is shared by %d ranks of %d nodes each (the first: %s to %s), and what the nodes of a rank pass to each other takes no time.", w.Name(), ranks, each, a.Workers[idx[0]].Name(), a.Workers[idx[each-1]].Name()))
	}
}

// Teams reports whether the nodes of a scheduled workload share each operator.
func (a *Assignment) Teams() bool { return a.Doc.Root.Get("mapping").Get("split").Exists() }

func concurrent(p work.Place) bool {
	_, ok := p.Executor.(work.Concurrent)
	return ok
}

// Programs returns one program per worker in idx: of the whole workload, or of its part of every
// operator.
func (a *Assignment) Programs(mapper *mapping.Mapper, w *Workload, idx []int, at configs.Value) ([]mapping.Program, error) {
	if !a.Teams() || len(idx) == 1 {
		return a.alone(mapper, w, idx, at)
	}
	for _, k := range idx {
		if !Mappable(a.Workers[k]) {
			return nil, a.Doc.Root.Get("mapping").Get("split").Errorf(nil, "%s does not share operators (want nodes of kind systolic)", a.Workers[k].Name())
		}
	}
	programs, err := a.programs(mapper, w, idx, at)
	for i := range programs {
		jobs := slices.Clone(programs[i].Jobs)
		for k := range jobs { // the schedule knows who waits for whom
			jobs[k].After, jobs[k].Awaited = nil, false
		}
		programs[i].Jobs = jobs
	}
	return programs, err
}
