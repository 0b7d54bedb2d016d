package cxl

import "github.com/causeway-sim/causeway/memory/cxl/transit"

// A wire is a link whose energy is a node's: those below it, and the channels between the
// switches of a fabric.
type wire struct {
	hop    *transit.Hop
	bits   float64 // per ps, of all lanes of a direction
	perBit float64 // pJ
}

// own makes a link one of the node.
func (f *face) own(h *transit.Hop, s LinkSpec) {
	perBit, _, _ := s.perBit() // checked with the link
	f.wires = append(f.wires, wire{h, float64(s.Lanes*s.Rate) / 1000, perBit})
}

// wireEnergy is the energy of the bits that flits took on all wires, both ways.
func (f *face) wireEnergy() (pj float64) {
	for _, w := range f.wires {
		pj += w.perBit * w.bits * float64(w.hop.Count[0].Busy+w.hop.Count[1].Busy)
	}
	return pj
}
