package systolic

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A core whose products another planner maps has the same DMA engine, vector unit, queue
// of operators and record of layers, and no array: compute units in its place, whose
// cycles and energy are the planner's. Rows and columns of the Spec are how many there
// are.

// Priced is what is known of the energy and area of a planned core.
type Priced struct {
	Energies bool    // the planner knows energies
	Vector   float64 // pJ of an operation of the vector unit
	Area     float64 // mm2 of levels on the chip; 0: none is known
	Units    float64 // how many multiply
	Compute  float64 // mm2 of those whose type the description says
	Process  string  // of units whose type only a workload says, and of what leaks; "": none is known
}

// units is the area of what multiplies: as the description has it, or for the widest type of the
// products carried out.
func (k *core) units() (mm2 float64) {
	x := &k.priced
	mm2 = x.Compute
	for d := range k.models { // the largest, whatever the order
		if a, ok := energy.MACArea(x.Process, d.Element().String()); ok && x.Compute == 0 {
			mm2 = max(mm2, a*x.Units)
		}
	}
	return mm2
}

// NewPlanned is New with products mapped by p.
func NewPlanned(name string, e sim.Engine, s Spec, p machine.Planner, x Priced) *Tile {
	t := &Tile{}
	t.core = newPlanned(name, e, s, t, t, p, x)
	t.bursts = t.transfers()
	return t
}

// NewPlannedAnalytic is NewAnalytic with products mapped by p.
func NewPlannedAnalytic(name string, e sim.Engine, s Spec, p machine.Planner, x Priced) *Analytic {
	a := &Analytic{stop: stopper(e)}
	a.core = newPlanned(name, e, s, a, a, p, x)
	a.estimates, a.mostWalked = true, mostWalked
	a.group.Sum(a.sums)
	return a
}

func newPlanned(name string, e sim.Engine, s Spec, h sim.Handler, c sim.Component, p machine.Planner, x Priced) *core {
	s.OnChip, s.Timing = OnChip(onChip[machine.KeepNone]), Physical
	k := bare(name, e, s, h, c)
	k.planner, k.priced = p, x
	k.declare()
	return k
}

// spent is the energy of a layer by its planner, whose products are of type d.
func (k *core) spent(p *mapping.Plan, d graph.DType) (b energy.Breakdown) {
	if p.Matrix {
		k.models[d] = energy.Model{}
	}
	if o := p.Own(); o != nil {
		b = energy.Breakdown{MAC: o.Compute, SRAM: [buffers]float64{o.Storage}}
	}
	b.Vector = float64(p.Vector) * k.priced.Vector
	return b
}

// unpriced reports whether a planner knows no energies.
func (k *core) unpriced() bool { return k.planner != nil && !k.priced.Energies }

// ofPriced leaves out the energy metrics where no energies are given.
func (k *core) ofPriced(v any) any {
	if k.unpriced() {
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
