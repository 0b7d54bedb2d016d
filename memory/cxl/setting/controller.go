package setting

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
)

// A ControllerSpec picks the energy of a device's controller, by events: a line is written to a buffer of
// the device's entries and read from it on its way.
type ControllerSpec struct {
	Process string        `yaml:"process" jsonschema:"enum=45nm,enum=15nm,enum=7nm,enum=none" doc:"Process whose published energy of SRAM is taken for buffers; none: the device has no energy model"`
	Line    *units.Energy `yaml:"line,omitempty" doc:"Energy of a line of 64 B in the controller, in place of that of its buffer"`
	Idle    units.Power   `yaml:"idle" doc:"Power of the device at rest, from the start of the run to its end"`
}

const lineBytes = 64

// PerLine is the energy of a line in the controller, in picojoules; ok is false for a device without an
// energy model.
func (c ControllerSpec) PerLine(entries int) (pj float64, ok bool, err error) {
	switch {
	case c.Line != nil:
		return float64(*c.Line) * 1e12, true, nil
	case c.Process == energy.None:
		return 0, false, nil
	}
	pj, err = energy.SRAMByte(c.Process, units.Bytes(entries)*lineBytes)
	return 2 * lineBytes * pj, err == nil, err
}

// Assumption says what the energy of a device is of.
func (c ControllerSpec) Assumption(name string, entries int) string {
	pj, _, _ := c.PerLine(entries)
	return fmt.Sprintf("Energy of the controller of %s is %.4g pJ per line, of its buffer of %d lines at %s, and %s at rest; what else it does for a line has no published figure.", name, pj, entries, c.Process, c.Idle)
}
