package peertiming

import (
	"github.com/causeway-sim/causeway/accelerators/peers/eyeriss"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// An EyerissSpec is an array of Eyeriss besides its rows, columns and clock. Words have 16 bits.
type EyerissSpec struct {
	FilterSpad int         `yaml:"filter_spad" jsonschema:"minimum=1,maximum=16777216,description=Words of filters that an element keeps"`
	IfmapSpad  int         `yaml:"ifmap_spad" jsonschema:"minimum=1,maximum=16777216,description=Words of input that an element keeps"`
	PsumSpad   int         `yaml:"psum_spad" jsonschema:"minimum=1,maximum=16777216,description=Partial sums that an element keeps"`
	Buffer     units.Bytes `yaml:"buffer" jsonschema:"description=Global buffer for inputs and partial sums"`
	FilterBus  int         `yaml:"filter_bus" jsonschema:"minimum=1,maximum=65536,description=Words of filters per cycle from the buffer to the array"`
	IfmapBus   int         `yaml:"ifmap_bus" jsonschema:"minimum=1,maximum=65536,description=Words of input per cycle from the buffer to the array"`
	PsumBus    int         `yaml:"psum_bus" jsonschema:"minimum=1,maximum=65536,description=Partial sums per cycle either way"`
	// Mapping by layer; the others are searched for.
	Mapping map[string]eyeriss.Mapping `yaml:"mapping" jsonschema:"description=Passes of a layer by its name; of the others the mapping of the fewest cycles is searched for"`
	// Zeros is the share of a layer's input that is zero.
	Zeros map[string]float64 `yaml:"zeros" jsonschema:"description=Share of the input of a layer that is zero by its name; 0 to 1; it saves energy and no time"`
	// MAC and Idle make energy of counts; without MAC there is none.
	MAC  units.Energy `yaml:"mac" jsonschema:"description=Energy of one multiply-accumulate; accesses are multiples of it; 0 is no energy model"`
	Idle units.Power  `yaml:"idle" jsonschema:"description=Power of clock and leakage of the chip"`
}

// DefaultEyeriss is the chip, without an energy of its own.
func DefaultEyeriss() EyerissSpec {
	c := eyeriss.Chip()
	return EyerissSpec{FilterSpad: c.Filter, IfmapSpad: c.Ifmap, PsumSpad: c.Psum, Buffer: units.Bytes(2 * c.Buffer),
		FilterBus: c.FilterBus, IfmapBus: c.IfmapBus, PsumBus: c.PsumBus}
}

// machine is that of accelerators/peers/eyeriss.
func (r *EyerissSpec) machine(c Core) eyeriss.Machine {
	return eyeriss.Machine{Rows: c.Rows, Cols: c.Cols, Filter: r.FilterSpad, Ifmap: r.IfmapSpad, Psum: r.PsumSpad,
		Buffer: int(r.Buffer / 2), FilterBus: r.FilterBus, IfmapBus: r.IfmapBus, PsumBus: r.PsumBus}
}

// Check reports values that no such machine can have; at is the key of the section.
func (r *EyerissSpec) Check(at configs.Value) error {
	var errs configs.Errors
	if min(r.FilterSpad, r.IfmapSpad, r.PsumSpad, r.FilterBus, r.IfmapBus, r.PsumBus) < 1 {
		errs.Add(at.Errorf(nil, "scratchpads of %d, %d, %d words, buses of %d, %d, %d (want at least 1)", r.FilterSpad, r.IfmapSpad, r.PsumSpad, r.FilterBus, r.IfmapBus, r.PsumBus))
	}
	for name, z := range r.Zeros {
		if z < 0 || z > 1 {
			errs.Add(at.Place("zeros").Place(name).Errorf(nil, "is %g (want 0 to 1)", z))
		}
	}
	if r.MAC == 0 && (r.Idle > 0 || len(r.Zeros) > 0) {
		errs.Add(at.Errorf(nil, "idle and zeros have no effect without mac, the energy of a multiply-accumulate"))
	}
	return errs.Err()
}
