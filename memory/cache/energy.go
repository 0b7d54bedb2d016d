package cache

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// Energy picks the energy of the data array.
type Energy struct {
	// Process of the SRAM, or none for a cache without an energy model.
	Process string `yaml:"process" jsonschema:"enum=45nm,enum=7nm,enum=none" doc:"Process whose published energy of SRAM is taken; none: the cache has no energy model"`
	// Byte replaces the figure.
	Byte *units.Energy `yaml:"byte,omitempty" doc:"Energy per byte that the data array reads or writes, in place of the figure of a process"`
}

// perByte is the energy per byte of a data array of that capacity, in picojoules. ok
// is false for a cache without an energy model.
func (e Energy) perByte(array units.Bytes) (pj float64, ok bool, err error) {
	switch {
	case e.Byte != nil:
		return float64(*e.Byte) * 1e12, true, nil
	case e.Process == "", e.Process == energy.None:
		return 0, false, nil
	}
	pj, err = energy.SRAMByte(e.Process, array)
	return pj, err == nil, err
}

// energyStats declares the energy of the data array, which is cut into that many
// arrays of equal size. Each byte that crosses the upper or the lower port is read or
// written once in it: a hit is read, a fill and a write are written, a victim is read.
//
// assumption: a miss that leaves no line behind passes the array like a fill; tags
// and the wires between arrays are not counted.
func (b *base) energyStats(g *stats.Group, arrays int) {
	b.areaStats(g)
	array := b.spec.Size / units.Bytes(arrays)
	perByte, ok, _ := b.spec.Energy.perByte(array) // checked
	if !ok {
		return
	}
	g.Value("energy", stats.PJ, "Energy of the data array: bytes through the upper and the lower port.", func() (float64, bool) {
		n, l := &b.count, &b.below
		return perByte * float64(n.ReadBytes+n.WriteBytes+l.readBytes+l.writeBytes), true
	})
	b.assumptions = []string{fmt.Sprintf("Energy of %s is %.4g pJ per byte read or written in an array of %s (see go doc components/energy); tags are not in it. Its area is that of SRAM cells, without tags, decoders and wires.", b.Name(), perByte, array)}
}

// dcoUnit is the area of the tensor management unit of policy dco in mm2, at 15 nm: the
// abstract of DCO, arXiv 2512.07312.
const dcoUnit = 0.064

// areaStats declares the area of what has a published figure: the cells of the data
// array, and the unit of policy dco.
func (b *base) areaStats(g *stats.Group) {
	cells := func() (float64, bool) { return energy.SRAMArea(b.spec.Energy.Process, b.spec.Size) }
	unit := func() (float64, bool) { return dcoUnit, b.spec.Policy.Name == "dco" }
	g.Value("area", stats.MM2, "Area of what has a published figure: the cells of the data array, and the unit of policy dco.", func() (float64, bool) {
		sum, ok := cells()
		if u, has := unit(); has {
			sum, ok = sum+u, true
		}
		return sum, ok
	})
	g.Value("area_policy", stats.MM2, "Area of the unit that policy dco needs, as published for 15 nm.", unit)
}

// Assumptions lists what the cache takes for granted, for the report.
func (b *base) Assumptions() []string { return b.assumptions }
