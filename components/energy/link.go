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

const ucie = "Das Sharma et al., On-package memory with UCIe, Hot Interconnects 2025"

// phys lists serial links in picojoules per bit on the wire, both ends together.
var phys = []figure{
	{"nvlink4", "NVIDIA, What Is NVLink?, 2023: 1.3 pJ/bit", 1.3},
	{"pcie5", "NVIDIA, What Is NVLink?, 2023: five times the 1.3 pJ/bit of NVLink 4", 5 * 1.3},
	// assumption: as PCIe 5. Among the goals of 6.0 is that a bit takes less (Das Sharma, PCI Express 6.0
	// Specification, IEEE Micro 41(1), 2021); no figure of a whole link was found.
	{"pcie6", "assumed: as PCIe 5, five times the 1.3 pJ/bit of NVLink 4 (NVIDIA, What Is NVLink?, 2023)", 5 * 1.3},
	// Of UCIe by package and rate of a lane. assumption: at 48 and 64 GT/s as above 16 GT/s.
	{"ucie_standard", ucie + ": 0.6 pJ/bit above 16 GT/s on a standard package", 0.6},
	{"ucie_standard_16", ucie + ": 0.5 pJ/bit up to 16 GT/s on a standard package", 0.5},
	{"ucie_advanced", ucie + ": 0.3 pJ/bit above 16 GT/s on an advanced package", 0.3},
	{"ucie_advanced_16", ucie + ": 0.25 pJ/bit up to 16 GT/s on an advanced package", 0.25},
	// assumption: as PCIe 5 for 8 and 16 GT/s, whose links are no longer.
	{"pcie4", "assumed: as PCIe 5, five times the 1.3 pJ/bit of NVLink 4 (NVIDIA, What Is NVLink?, 2023)", 5 * 1.3},
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
	PHY string `yaml:"phy" jsonschema:"enum=,enum=none,enum=nvlink4,enum=pcie4,enum=pcie5,enum=pcie6,enum=ucie_standard,enum=ucie_standard_16,enum=ucie_advanced,enum=ucie_advanced_16" doc:"Physical layer whose published energy per bit is taken; none: the link has no energy model"`
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
	Router string `yaml:"router" jsonschema:"enum=,enum=none,enum=piton,enum=spectrum,enum=rosetta,enum=quantum2" doc:"Chip whose published energy is taken: piton per hop on a chip; spectrum and rosetta and quantum2 by the power of a switch, at rest by the rate of its ports and by byte; none: the network has no energy model"`
	// Byte and Idle replace the figures.
	Byte *units.Energy `yaml:"byte,omitempty" doc:"Energy per byte of flits and router that they pass, with the channel that follows, in place of a figure"`
	Idle *units.Power  `yaml:"idle,omitempty" doc:"Power of each router at rest, from the start of the run to its end, in place of a figure"`
}

// PerByte is the energy per byte and hop, in picojoules. ok is false for a network without
// an energy model.
func (r Router) PerByte() (pj float64, ok bool, err error) {
	if p, _ := findPart("router", switches, r.Router); p != nil {
		return override(p.perByte(), r.Byte), true, nil
	}
	pj, ok, err = pick("router", routers, r.Router, r.Byte)
	if err != nil {
		return 0, false, fmt.Errorf("router: unknown %q (want one of: none, %s)", r.Router, strings.Join(routerNames(), ", "))
	}
	return pj, ok || r.Idle != nil, nil
}

func routerNames() (names []string) {
	for _, f := range routers {
		names = append(names, f.name)
	}
	for _, p := range switches {
		names = append(names, p.name)
	}
	return names
}

// Rest is the power at rest of routers whose ports carry so many GB/s each way, all together, in watts.
func (r Router) Rest(routers int, ports float64) float64 {
	if r.Idle != nil {
		return float64(*r.Idle) * float64(routers)
	}
	if p, _ := findPart("router", switches, r.Router); p != nil {
		return p.rest() * ports / p.rate
	}
	return 0
}

// Source says where the figure comes from, "" for a network without an energy model.
func (r Router) Source() string {
	if p, _ := findPart("router", switches, r.Router); p != nil && (r.Byte == nil || r.Idle == nil) {
		return p.source
	}
	if r.Byte == nil && r.Idle != nil {
		return "the configuration"
	}
	return sourceOf(routers, r.Router, r.Byte)
}

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
