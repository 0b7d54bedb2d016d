package kernel

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// sums is the bytes of a partial sum.
const sums = 4

// spend is the energy of an operator by events: each multiply-accumulate moves its operand and its partial
// sum on by a register; VMEM gives an operand to a row of the array, which all columns use, and takes a
// partial sum of a column and gives it back, after all rows; what moves between VMEM and memory passes it
// once.
func (k *record) spend(r *row, d graph.DType) (b energy.Breakdown) {
	m, ok := k.models[d]
	if !ok {
		var err error
		if m, err = energy.New(k.spec.Energy, d, [3]units.Bytes{0, 0, k.spec.VMEM}); err != nil {
			return b // checked
		}
		k.models[d] = m
	}
	done := int64(r.macs - r.skipped)
	wide := d.Bytes(1)
	return m.Energy(energy.Counts{MACs: done, Vector: int64(r.vector), Registers: done * (wide + sums),
		SRAM: [3]int64{2: done/int64(k.spec.Cols)*wide + 2*sums*(done/int64(k.spec.Rows)) + int64(r.Bytes())}})
}

// energyMetrics declares the energies of a node whose last event is in cycle end.
func (k *record) energyMetrics(g *stats.Group, end *uint64) {
	k.end, k.rest.Watts = end, k.spec.Idle
	b := &k.sum.energy
	k.rest.Declare(g, "Energy of the core: its arrays, vector units and VMEM, and at rest, without memory.", b.Total)
	for _, x := range []struct {
		name, text string
		of         func() float64
	}{
		{"energy_mac", "Energy of multiply-accumulates.", func() float64 { return b.MAC }},
		{"energy_vector", "Energy of the vector units.", func() float64 { return b.Vector }},
		{"energy_register", "Energy of moving operands and partial sums on in the arrays.", func() float64 { return b.Register }},
		{"energy_sram", "Energy of VMEM.", func() float64 { return b.SRAM[2] }},
	} {
		g.Value(x.name, stats.PJ, x.text, func() (float64, bool) { return x.of(), true })
	}
}

// Assumptions implements system.Assumer.
func (k *record) Assumptions() []string {
	return []string{fmt.Sprintf("Energy of cores of timing kernel is by events at %s: operations, registers of the array, VMEM, and at rest %g W; leakage is part of the rest.", k.spec.Energy.Process, k.spec.Idle)}
}

// LastActivity implements system.Rester.
func (k *record) LastActivity() float64 { return k.spec.Clock.Nanoseconds(*k.end) }

// RestUntil implements system.Rester.
func (k *record) RestUntil(ns float64) { k.rest.Until(ns) }
