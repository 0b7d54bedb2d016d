package spatial

import (
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/systolic"
	"github.com/causeway-sim/causeway/components/energy"
)

// priced is what a core around a nest knows of energy and area. The memory behind its port
// has its own.
func (s *Spec) priced(d *nest.Description) (x systolic.Priced) {
	x.Energies = d.Energies
	if p := &s.Energy; p.Vector != nil {
		x.Vector = float64(*p.Vector) * 1e12
	} else if p.On() {
		x.Vector, _ = energy.Vector(p.Process) // the name has been checked
	}
	if d.Areas {
		outside := &d.Arch.Levels[0]
		x.Area = (d.Arch.Area() - outside.Area*float64(outside.Mesh.Count())) / 1e6
	}
	return x
}
