package energy

import "github.com/causeway-sim/causeway/components/units"

// instruction45 is what an instruction takes besides its operation, at 45 nm: 25 pJ for the access of
// the instruction cache, 6 pJ for the registers and the rest of 70 pJ for control.
//
// Source: Horowitz, ISSCC 2014, figure 1.1.9, of a core that issues in order.
const instruction45 = 70.0

// A Core picks the energy of a processor core. A core without keys has the figures of DefaultProcess.
type Core struct {
	Process     string        `yaml:"process" jsonschema:"enum=45nm,enum=15nm,enum=7nm,enum=none" doc:"Process of the core, by which the published energy of an instruction at 45 nm scales; none: the core has no energy model"`
	Instruction *units.Energy `yaml:"instruction,omitempty" doc:"Energy of an instruction, caches of data left out, in place of the process's; a core that issues out of order takes several times as much"`
	Idle        units.Power   `yaml:"idle" doc:"Power at rest, from the start of the run to its end"`
}

// PerInstruction is the energy of an instruction without its data, in picojoules; ok is false for a core
// without an energy model. A load, a store or a step of a loop adds or compares once.
//
// assumption: other processes take as much less as they do for an operation of a vector unit.
func (c Core) PerInstruction() (pj float64, ok bool, err error) {
	switch {
	case c.Instruction != nil:
		return float64(*c.Instruction) * 1e12, true, nil
	case c.Process == None:
		return 0, false, nil
	}
	v, err := Vector(c.Process)
	if err != nil {
		return 0, false, err
	}
	return instruction45 * v / nm45.vector, true, nil
}

// Source says where the figure comes from.
func (c Core) Source() string {
	if c.Instruction != nil {
		return "the configuration"
	}
	return "Horowitz, ISSCC 2014: 70 pJ at 45 nm of a core that issues in order, scaled to " + c.Process
}
