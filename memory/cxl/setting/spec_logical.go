package setting

import "github.com/causeway-sim/causeway/components/units"

// LDSpec is one of several logical devices of a device. Its index in the list is its LD-ID, and
// its memory follows that of lower LD-IDs.
type LDSpec struct {
	// Tiers are the ranges of the memory section that it holds.
	Tiers []string `yaml:"tiers" doc:"Ranges of the memory section whose part on this device it holds"`
	// Size is its memory; 0 is that of its tiers.
	Size units.Bytes `yaml:"size" doc:"Its part of the memory; 0B is what its tiers need"`
	// Heads are the device's heads that offer it; empty is all.
	Heads []int `yaml:"heads" doc:"Heads of the device that offer it; none is all of them"`
	// Hosts are the roots bound to it; empty is all that reach it.
	Hosts []string `yaml:"hosts" doc:"Names of the roots that it is bound to; none is all that reach it"`
	// Min is its share of the device under overload.
	Min float64 `yaml:"min" jsonschema:"minimum=0,maximum=1" doc:"Allocated share of the device's bandwidth when others want it too; 0 has none of its own"`
	// Max bounds its share of the memory's peak bandwidth.
	Max float64 `yaml:"max" jsonschema:"minimum=0,maximum=1" doc:"Share of the memory's peak bandwidth that it never exceeds; 0 is no limit"`
}

// MaxLogical is the most logical devices of a device.
//
// Source: CXL 3.1, section 2.4: an MLD has up to 16 logical devices.
const MaxLogical = 16
