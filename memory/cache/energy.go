package cache

import (
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
)

// Energy picks the energy of the data array.
type Energy struct {
	// Process of the SRAM, or none for a cache without an energy model.
	Process string `yaml:"process" jsonschema:"enum=45nm,enum=15nm,enum=7nm,enum=none" doc:"Process whose published energy of SRAM is taken; none: the cache has no energy model"`
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

// dcoUnit is the area of the tensor management unit of policy dco in mm2, at 15 nm: the
// abstract of DCO, arXiv 2512.07312.
const dcoUnit = 0.064
