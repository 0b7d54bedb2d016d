package plan

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// cutsProducts are the splits that give several cores a part of each product.
var cutsProducts = []string{"row", "column", "head"}

// ownPlanner reports whether a core maps its operators itself, as loop nests do.
func ownPlanner(c machine.Core) bool { return c.Planner != nil }

// cutNests refuses, once, a split that cuts operators where cores are loop nests.
func cutNests(section configs.Value, split string, cores []machine.Core) error {
	if len(cores) < 2 || !slices.Contains(cutsProducts, split) || !slices.ContainsFunc(cores, ownPlanner) {
		return nil
	}
	return section.Place("split").Errorf(nil, "%s cuts operators, and a loop nest carries out whole ones (want split: layer, or cores of their own)", split)
}

// idleNests are warnings about loop nests that share a workload and get none of its
// products.
func idleNests(a *Assignment, w *Workload, idx []int, cores []machine.Core, programs []mapping.Program, split string) (notes []string) {
	if len(cores) < 2 || split == "layer" || w.Graph.MACs() == 0 {
		return nil
	}
	for i := range programs {
		products := slices.ContainsFunc(programs[i].Jobs, func(j mapping.Job) bool { return w.Graph.Ops[j.Op].MACs() > 0 })
		if ownPlanner(cores[i]) && !products {
			notes = append(notes, fmt.Sprintf("%s: gets no product of %s: a loop nest carries out whole operators, and mapping.split: %s shares out parts (want split: layer, or mapping.cores without it)", a.Workers[idx[i]].Name(), w.Name(), split))
		}
	}
	return notes
}

// idleObjective refuses mapping.objective where all that map operators are loop nests, which
// have an objective of their own. The default says nothing: files of causeway map hold it.
func idleObjective(section configs.Value, a *Assignment) error {
	v := section.Get("objective")
	if !v.Exists() || v.Text() == mapping.Objectives()[0] {
		return nil
	}
	for _, w := range a.Workers {
		if Mappable(w) && !ownPlanner(w.(work.Mappable).Core(graph.DTypes{})) {
			return nil
		}
	}
	return v.Errorf(nil, "has no effect: loop nests search with an objective of their own (key search.objective of the node)")
}
