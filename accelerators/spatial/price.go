package spatial

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/systolic"
	"github.com/causeway-sim/causeway/components/energy"
)

// priced is the energy and area of a core around a nest. The memory below its port has its own.
// typed reports whether the description says the type of the units; else only a workload does.
func (s *Spec) priced(d *nest.Description, typed bool) (x systolic.Priced) {
	x.Energies = d.Energies
	if p := &s.Energy; p.Vector != nil {
		x.Vector = float64(*p.Vector) * 1e12
	} else if p.On() {
		x.Vector, _ = energy.Vector(p.Process) // the name has been checked
	}
	c := &d.Arch.Compute
	if x.Units = float64(c.Mesh.Count()); s.Energy.On() {
		x.Process = s.Energy.Process
	}
	if d.Areas {
		outside := &d.Arch.Levels[0]
		x.Area = (d.Arch.Area() - c.Area*x.Units - outside.Area*float64(outside.Mesh.Count())) / 1e6
		if typed {
			x.Compute = c.Area * x.Units / 1e6
		}
	}
	return x
}

// needsEnergies reports whether an objective of a search means nothing without energies.
func needsEnergies(objective string) bool { return objective == "energy" || objective == "edp" }

func unpriced(objective string) error {
	return fmt.Errorf("search.objective (map: --objective) is %s, which needs energies (energy.process, energy of levels, or ert_file; without them want one of: cycles, traffic, time)", objective)
}
