package systolic

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/energy"
)

// A core whose products another planner maps has the same DMA engine, vector unit, queue
// of operators and record of layers, and no array: compute units in its place, whose
// cycles and energy are the planner's. Rows and columns of the Spec are how many there
// are.

// NewPlanned is New with products mapped by p. Energies says whether p knows any.
func NewPlanned(name string, e sim.Engine, s Spec, p mapping.Planner, energies bool) *Tile {
	t := &Tile{}
	t.core = newPlanned(name, e, s, t, t, p, energies)
	t.bursts = t.transfers()
	return t
}

// NewPlannedAnalytic is NewAnalytic with products mapped by p.
func NewPlannedAnalytic(name string, e sim.Engine, s Spec, p mapping.Planner, energies bool) *Analytic {
	a := &Analytic{stop: stopper(e)}
	a.core = newPlanned(name, e, s, a, a, p, energies)
	a.estimates, a.mostWalked = true, mostWalked
	return a
}

func newPlanned(name string, e sim.Engine, s Spec, h sim.Handler, c sim.Component, p mapping.Planner, energies bool) *core {
	s.OnChip, s.Timing = OnChip(onChip[mapping.KeepNone]), Physical
	k := bare(name, e, s, h, c)
	k.planner, k.unpriced = p, !energies
	k.declare()
	return k
}

// spent is the energy of a layer by its planner. The vector unit has no figure.
func spent(o *mapping.Own) energy.Breakdown {
	return energy.Breakdown{MAC: o.Compute, SRAM: [buffers]float64{o.Storage}}
}

// priced leaves out the energy metrics where no energies are given.
func (k *core) priced(v any) any {
	if k.unpriced {
		return nil
	}
	return v
}

// ofArray drops what a core without an array has not.
func (k *core) ofArray(n int64) any {
	if k.planner != nil {
		return nil
	}
	return n
}
