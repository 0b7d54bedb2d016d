package systolic

import (
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// An area is what the parts of a core take, in mm2.
type area struct{ sram, array, registers float64 }

// area of the parts of the core that have a published figure. Arithmetic is that of the types
// that key pe lists, else of the products carried out: of each type as many multipliers as its
// rate asks for, and the largest of those areas, since a multiplier of a wide type is taken to
// do the narrow ones. A processing element has a register each for two operands and a partial
// sum; the registers at the edges of the array are those that skew the wavefront.
func (k *core) area() (a area, ok bool) {
	s := &k.spec
	if a.sram, ok = energy.SRAMArea(s.Energy.Process, units.Bytes(s.SRAM.Ifmap+s.SRAM.Filter+s.SRAM.Ofmap)); !ok {
		return a, false
	}
	elements := float64(s.Rows) * float64(s.Cols)
	for _, d := range k.multiplied() { // the largest, whatever the order
		rate, has := s.PE.Of(d)
		mac, known := energy.MACArea(s.Energy.Process, d.Element().String())
		if !has || !known {
			continue
		}
		a.array = max(a.array, mac*rate.Float()*elements)
		operand, sum := d.Element().Width(), k.accumulator(d).Width()
		bits := elements*(2*operand+sum) + operand*float64(k.skew.A+k.skew.B) + sum*float64(k.skew.Sums)
		registers, _ := energy.RegisterArea(s.Energy.Process, bits)
		a.registers = max(a.registers, registers)
	}
	return a, true
}

// multiplied are the element types that the array multiplies.
func (k *core) multiplied() (list []graph.DType) {
	if len(k.spec.PE) > 0 {
		for name := range k.spec.PE {
			if d, err := graph.ParseDType(name); err == nil {
				list = append(list, d)
			}
		}
		return list
	}
	for d := range k.models {
		list = append(list, d)
	}
	return list
}

// static is the energy that arithmetic and registers of the array take in so many cycles,
// whatever they do, in pJ. energy.cycle stands in its place where it is given.
func (k *core) static(cycles uint64) float64 {
	a, process := area{}, k.spec.Energy.Process
	switch {
	case k.planner != nil:
		a.array, process = k.units(), k.priced.Process
	case k.spec.Energy.Cycle == nil:
		a, _ = k.area()
	}
	watts, _ := energy.Static(process, a.array, a.registers)
	return watts * 1e3 * k.clock.Nanoseconds(cycles) // 1 W is 1,000 pJ/ns
}

// areaStats declares the area of the parts of the core that have a published figure.
func (k *core) areaStats(g *stats.Group) {
	part := func(name, text string, of func(area) float64) {
		g.Value(name, stats.MM2, text, func() (float64, bool) {
			a, ok := k.area()
			return of(a), ok && of(a) > 0
		})
	}
	part("area", "Area of the parts of the core that have a published figure: array, registers and buffers.", func(a area) float64 { return a.sram + a.array + a.registers })
	part("area_sram", "Area of the cells of the three buffers.", func(a area) float64 { return a.sram })
	part("area_array", "Area of the multipliers and adders of the array, for the data types of its products.", func(a area) float64 { return a.array })
	part("area_registers", "Area of the registers of the array and of those that skew operands and results beside it.", func(a area) float64 { return a.registers })
}

// plannedArea declares the area of a core without an array.
func (k *core) plannedArea(g *stats.Group) {
	part := func(name, text string, of func() float64) {
		g.Value(name, stats.MM2, text, func() (float64, bool) { v := of(); return v, v > 0 })
	}
	part("area", "Area of the parts of the core that have a published figure: levels and units.", func() float64 { return k.priced.Area + k.units() })
	part("area_sram", "Area of the levels on the chip.", func() float64 { return k.priced.Area })
	part("area_array", "Area of the units that multiply, of the type that the description says, else for the widest products carried out.", k.units)
}
