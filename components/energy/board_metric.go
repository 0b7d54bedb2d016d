package energy

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// A part is a chip or a card of which watts are published: those at rest, and what its traffic adds.
type part struct {
	name, source string
	watts        float64 // typical, or of all its ports in use
	rate         float64 // GB/s that its ports carry each way
	most         float64 // greatest watts; 0: not published, and restShare says what is there at rest
}

// restShare is what a network part takes at rest, of what it takes in use.
//
// Source: Mahadevan et al., A Power Benchmarking Framework for Network Devices, Networking 2009:
// switches without traffic take over 90 % of what they take at full load.
const restShare = 0.9

// nics lists network interfaces.
//
//   - qdr: Oracle, Dual Port 4x QDR InfiniBand HCA, product specifications: 12.23 W typical,
//     14.32 W at most; two ports of 40 Gbit/s of which 32 are data.
//   - connectx7: assumption: 25 W in use, quoted from memory of the card's user manual
//     (MCX75310AAS, one port of 400 Gbit/s, passive cables).
var nics = []part{
	{name: "qdr", source: "Oracle, Dual Port 4x QDR IB HCA, product specifications: 12.23 W typical, 14.32 W at most", watts: 12.23, most: 14.32, rate: 8},
	{name: "connectx7", source: "assumed: 25 W at 400 Gbit/s (NVIDIA, ConnectX-7 user manual, from memory), nine tenths of it at rest (Mahadevan et al., Networking 2009)", watts: 25, rate: 50},
}

// switches lists switch chips.
//
//   - spectrum: Mellanox, Introduction to Spectrum: 135 W of the chip at full throughput, 32 ports of 100 Gbit/s.
//   - rosetta: De Sensi et al., An In-Depth Analysis of the Slingshot Interconnect, SC 2020, section II:
//     64 ports of 200 Gbit/s, at most 250 W.
//   - quantum2: assumption: 747 W of a switch with passive cables, 64 ports of 400 Gbit/s, quoted from
//     memory of NVIDIA's QM9700 user manual; fans and power supplies are in it.
var switches = []part{
	{name: "spectrum", source: "Mellanox, Introduction to Spectrum: 135 W at 3.2 Tbit/s; nine tenths of it at rest (Mahadevan et al., Networking 2009)", watts: 135, rate: 400},
	{name: "rosetta", source: "De Sensi et al., SC 2020: 250 W at 64 ports of 200 Gbit/s; nine tenths of it at rest (Mahadevan et al., Networking 2009)", watts: 250, rate: 1600},
	{name: "quantum2", source: "assumed: 747 W at 64 ports of 400 Gbit/s (NVIDIA, QM9700 user manual, from memory), nine tenths of it at rest (Mahadevan et al., Networking 2009)", watts: 747, rate: 3200},
}

// rest is the watts of a part at rest.
func (p *part) rest() float64 {
	if p.most > 0 {
		return p.watts
	}
	return restShare * p.watts
}

// perByte is what a byte adds, in picojoules: what is left at all ports in use, over their rate.
func (p *part) perByte() float64 { return (max(p.watts, p.most) - p.rest()) / p.rate * 1000 }

// findPart returns the part called name; nil for none. key is for its error.
func findPart(key string, list []part, name string) (*part, error) {
	if name == "" || name == None {
		return nil, nil
	}
	want := None
	for i := range list {
		if list[i].name == name {
			return &list[i], nil
		}
		want += ", " + list[i].name
	}
	return nil, fmt.Errorf("%s: unknown %q (want one of: %s)", key, name, want)
}

// A NIC picks the energy of a network interface. The zero value is one without an energy model.
type NIC struct {
	// Card whose figures are taken; none, or nothing, takes none.
	Card string `yaml:"card" jsonschema:"enum=,enum=none,enum=qdr,enum=connectx7" doc:"Card whose published power is taken, at rest and by byte; none: the interface has no energy model"`
	// Byte and Idle replace its figures.
	Byte *units.Energy `yaml:"byte,omitempty" doc:"Energy per byte sent, both ends together, in place of the card's"`
	Idle *units.Power  `yaml:"idle,omitempty" doc:"Power at rest, from the start of the run to its end, in place of the card's"`
}

// Figures are the energy of a byte sent, at both ends together, in picojoules, and the power at rest in
// watts. ok is false for an interface without an energy model.
func (n NIC) Figures() (byte, rest float64, ok bool, err error) {
	p, err := findPart("card", nics, n.Card)
	if p != nil {
		byte, rest = 2*p.perByte(), p.rest()
	}
	byte, rest = override(byte, n.Byte), overrideWatts(rest, n.Idle)
	return byte, rest, p != nil || n.Byte != nil || n.Idle != nil, err
}

// Source says where the figures come from.
func (n NIC) Source() string {
	if p, _ := findPart("card", nics, n.Card); p != nil && (n.Byte == nil || n.Idle == nil) {
		return p.source
	}
	return "the configuration"
}

func override(pj float64, own *units.Energy) float64 {
	if own != nil {
		return float64(*own) * 1e12
	}
	return pj
}

func overrideWatts(w float64, own *units.Power) float64 {
	if own != nil {
		return float64(*own)
	}
	return w
}

// A Rest is the energy of a node at rest: watts from the start of a run to its end, whether the node works
// or not. The zero value takes none.
type Rest struct {
	Watts float64
	ns    float64
}

// Until sets the end of the run.
func (r *Rest) Until(ns float64) { r.ns = ns }

// Energy is what the node has taken at rest, in picojoules.
func (r *Rest) Energy() float64 { return 1000 * r.Watts * r.ns }

// Declare adds the metrics energy and energy_idle of a node whose traffic, or work, took so much.
func (r *Rest) Declare(g *stats.Group, text string, work func() float64) {
	g.Value("energy", stats.PJ, text, func() (float64, bool) { return work() + r.Energy(), true })
	g.Value("energy_idle", stats.PJ, "Energy at rest, from the start of the run to its end.", func() (float64, bool) { return r.Energy(), r.Watts > 0 })
}
