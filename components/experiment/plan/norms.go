package plan

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
)

// idleNorms notes the cores that were to make the statistics of norms during the products
// before them, and have none to make.
func idleNorms(a *Assignment, w *Workload, idx []int, cores []machine.Core, programs []mapping.Program) (notes []string) {
	lacks := func(c machine.Core) bool { return !c.Norms }
	sums := func(p mapping.Program) bool {
		return slices.ContainsFunc(p.Jobs, func(j mapping.Job) bool { return len(j.Sums) > 0 })
	}
	if slices.ContainsFunc(programs, sums) {
		return nil
	}
	why := fmt.Sprintf("no layer or rms norm of %s reads what a product writes", w.Name())
	if slices.ContainsFunc(cores, lacks) {
		why = fmt.Sprintf("not all cores that share %s have it", w.Name())
	}
	for i, c := range cores {
		if c.Norms {
			notes = append(notes, fmt.Sprintf("%s: vector.norms: beside has no effect: %s", a.Workers[idx[i]].Name(), why))
		}
	}
	return notes
}
