package energy

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
)

// A figure is a published energy in picojoules.
type figure struct {
	name, source string
	pj           float64
}

// phys lists serial links in picojoules per bit on the wire, both ends together.
var phys = []figure{
	{"nvlink4", "NVIDIA, What Is NVLink?, 2023: 1.3 pJ/bit", 1.3},
	{"pcie5", "NVIDIA, What Is NVLink?, 2023: five times the 1.3 pJ/bit of NVLink 4", 5 * 1.3},
}

// routers lists networks on a chip in picojoules per byte and router passed, with the
// channel that follows.
var routers = []figure{
	{"piton", "McKeown et al., Piton, HPCA 2018, figure 12: 11.16 pJ for a hop of a 64-bit flit half of whose bits switch, 32 nm, 1.1 mm", 11.16 / 8},
}

// A Link picks the energy of a serial link. The zero value is one without an energy
// model.
type Link struct {
	// PHY whose published figure is taken; none, or nothing, takes none.
	PHY string `yaml:"phy" jsonschema:"enum=,enum=none,enum=nvlink4,enum=pcie5" doc:"Physical layer whose published energy per bit is taken; none: the link has no energy model"`
	// Bit replaces the figure.
	Bit *units.Energy `yaml:"bit,omitempty" doc:"Energy per bit on the wire, both ends together, in place of the figure of a physical layer"`
}

// PerBit is the energy per bit on the wire, in picojoules. ok is false for a link without
// an energy model.
func (l Link) PerBit() (pj float64, ok bool, err error) {
	pj, ok, err = pick("phy", phys, l.PHY, l.Bit)
	return pj, ok, err
}

// Source says where the figure comes from, "" for a link without an energy model.
func (l Link) Source() string { return sourceOf(phys, l.PHY, l.Bit) }

// A Router picks the energy of a network's routers and channels. The zero value is one
// without an energy model.
type Router struct {
	// Router whose published figure is taken; none, or nothing, takes none.
	Router string `yaml:"router" jsonschema:"enum=,enum=none,enum=piton" doc:"Chip whose published energy per hop is taken, of networks on a chip; none: the network has no energy model"`
	// Byte replaces the figure.
	Byte *units.Energy `yaml:"byte,omitempty" doc:"Energy per byte of flits and router that they pass, with the channel that follows, in place of a figure"`
}

// PerByte is the energy per byte and hop, in picojoules. ok is false for a network without
// an energy model.
func (r Router) PerByte() (pj float64, ok bool, err error) {
	pj, ok, err = pick("router", routers, r.Router, r.Byte)
	return pj, ok, err
}

// Source says where the figure comes from, "" for a network without an energy model.
func (r Router) Source() string { return sourceOf(routers, r.Router, r.Byte) }

// pick is the figure of a name, unless another is given in its place.
func pick(key string, list []figure, name string, own *units.Energy) (pj float64, ok bool, err error) {
	if own != nil {
		return float64(*own) * 1e12, true, nil
	}
	if name == "" || name == None {
		return 0, false, nil
	}
	names := []string{None}
	for _, f := range list {
		if f.name == name {
			return f.pj, true, nil
		}
		names = append(names, f.name)
	}
	return 0, false, fmt.Errorf("%s: unknown %q (want one of: %s)", key, name, strings.Join(names, ", "))
}

func sourceOf(list []figure, name string, own *units.Energy) string {
	if own != nil {
		return "the configuration"
	}
	for _, f := range list {
		if f.name == name {
			return f.source
		}
	}
	return ""
}
