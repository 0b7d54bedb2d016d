package setting

import "github.com/causeway-sim/causeway/components/units"

// LDSpec is one logical device of several that share a device. Its place in the
// list is its LD-ID, and its memory follows that of those in front of it.
type LDSpec struct {
	// Tiers of the memory section that it holds.
	Tiers []string `yaml:"tiers" doc:"Ranges of the memory section whose part on this device it holds"`
	// Size of its memory; 0 is what its tiers need.
	Size units.Bytes `yaml:"size" doc:"Its part of the memory; 0B is what its tiers need"`
	// Heads that offer it; none: all.
	Heads []int `yaml:"heads" doc:"Heads of the device that offer it; none is all of them"`
	// Hosts that it is bound to; none: all that switches lead to it.
	Hosts []string `yaml:"hosts" doc:"Names of the roots that it is bound to; none is all that reach it"`
	// Min is the share of the device that it has under overload.
	Min float64 `yaml:"min" jsonschema:"minimum=0,maximum=1" doc:"Allocated share of the device's bandwidth when others want it too; 0 has none of its own"`
	// Max is the share of the memory's peak bandwidth that it never exceeds.
	Max float64 `yaml:"max" jsonschema:"minimum=0,maximum=1" doc:"Share of the memory's peak bandwidth that it never exceeds; 0 is no limit"`
}

// MaxLogical is the LD-IDs that a message has room for.
//
// Source: CXL 3.1, section 2.4: an MLD has up to 16 logical devices.
const MaxLogical = 16
