package energy

import "github.com/causeway-sim/causeway/components/units"

// drams lists kinds of DRAM in picojoules per byte.
var drams = []figure{
	{"hbm2", "O'Connor et al., MICRO 2017, section 2: 3.92 pJ/bit", 3.92 * 8},
	// assumption: of newer stacks nothing is published that is as good; vendors say that they take less per bit.
	{"hbm2e", "O'Connor et al., MICRO 2017, section 2: 3.92 pJ/bit, of HBM2", 3.92 * 8},
	{"hbm3", "O'Connor et al., MICRO 2017, section 2: 3.92 pJ/bit, of HBM2", 3.92 * 8},
	{"hbm3e", "O'Connor et al., MICRO 2017, section 2: 3.92 pJ/bit, of HBM2", 3.92 * 8},
	{"gddr5", "O'Connor et al., MICRO 2017, section 2: 14.0 pJ/bit", 14.0 * 8},
	{"gddr6", "Jouppi et al., ISCA 2021, table 2: 350 to 480 pJ per 64 bits, the middle", 415.0 / 8},
	{"lpddr4", "Dally et al., Domain-Specific Hardware Accelerators, CACM 63(7), 2020: 4 pJ/bit", 4.0 * 8},
	{"ddr4", "Jouppi et al., ISCA 2021, table 2: 1300 pJ per 64 bits", 1300.0 / 8},
}

// None stands for a memory without an energy model.
const None = "none"

// A Memory picks the energy per byte of a memory that counts bytes and no
// commands. The zero value is one without an energy model.
type Memory struct {
	// DRAM kind whose published figure is taken; none, or nothing, takes none.
	DRAM string `yaml:"dram" jsonschema:"enum=none,enum=hbm2,enum=hbm2e,enum=hbm3,enum=hbm3e,enum=gddr5,enum=gddr6,enum=lpddr4,enum=ddr4" doc:"Kind of DRAM whose published energy per byte is taken; none: the memory has no energy model"`
	// Byte replaces the figure.
	Byte *units.Energy `yaml:"byte,omitempty" doc:"Energy per byte read or written, in place of the figure of a kind"`
}

// PerByte is the energy per byte read or written, in picojoules. ok is false for a
// memory without an energy model.
func (m Memory) PerByte() (pj float64, ok bool, err error) {
	pj, ok, err = pick("dram", drams, m.DRAM, m.Byte)
	return pj, ok, err
}

// Source says where the figure comes from, "" for a memory without an energy model.
func (m Memory) Source() string { return sourceOf(drams, m.DRAM, m.Byte) }

// DRAMs lists the kinds of DRAM with figures.
func DRAMs() (out []string) {
	for i := range drams {
		out = append(out, drams[i].name)
	}
	return out
}
