package spatial

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/systolic"
	"github.com/causeway-sim/causeway/components/energy"
)

// priced is what a core around a nest knows of energy and area. The memory behind its port
// has its own. Of units whose type only a workload says no area is known; typed says that
// the description does.
func (s *Spec) priced(d *nest.Description, typed bool) (x systolic.Priced) {
	x.Energies = d.Energies
	if p := &s.Energy; p.Vector != nil {
		x.Vector = float64(*p.Vector) * 1e12
	} else if p.On() {
		x.Vector, _ = energy.Vector(p.Process) // the name has been checked
	}
	if d.Areas {
		outside := &d.Arch.Levels[0]
		x.Area = (d.Arch.Area() - outside.Area*float64(outside.Mesh.Count())) / 1e6
		if c := &d.Arch.Compute; !typed {
			x.Area -= c.Area * float64(c.Mesh.Count()) / 1e6
		}
	}
	return x
}

// needsEnergies reports whether an objective of a search means nothing without energies.
func needsEnergies(objective string) bool { return objective == "energy" || objective == "edp" }

func unpriced(objective string) error {
	return fmt.Errorf("search.objective (map: --objective) is %s, which needs energies (energy.process, energy of levels, or ert_file; without them want one of: cycles, traffic, time)", objective)
}
