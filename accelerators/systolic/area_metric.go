package systolic

import (
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// areaStats declares the area of the parts of the core that have a published figure.
func (k *core) areaStats(g *stats.Group) {
	s := &k.spec
	sram := func() (float64, bool) {
		return energy.SRAMArea(s.Energy.Process, units.Bytes(s.SRAM.Ifmap+s.SRAM.Filter+s.SRAM.Ofmap))
	}
	array := func() (most float64, ok bool) {
		for d := range k.models { // the largest, whatever the order
			if a, known := energy.MACArea(s.Energy.Process, d.Element().String()); known {
				most, ok = max(most, a*float64(s.Rows)*float64(s.Cols)), true
			}
		}
		return most, ok
	}
	g.Value("area", stats.MM2, "Area of the parts of the core that have a published figure.", func() (float64, bool) {
		a, ok := sram()
		b, _ := array()
		return a + b, ok
	})
	g.Value("area_sram", stats.MM2, "Area of the cells of the three buffers.", sram)
	g.Value("area_array", stats.MM2, "Area of the multipliers and adders of the array, for the widest products that it made; absent where nothing is published.", array)
}

// plannedArea declares the area of a core without an array.
func (k *core) plannedArea(g *stats.Group) {
	g.Value("area", stats.MM2, "Area of the parts of the core that have a published figure.", func() (float64, bool) {
		return k.priced.Area, k.priced.Area > 0
	})
}
