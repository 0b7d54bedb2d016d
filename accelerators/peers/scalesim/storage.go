package scalesim

import (
	"fmt"
	"math/bits"
)

// Storage holds the columns of SPARSE_REPORT, in words: the pruned filter, and the read rate of
// its metadata.
type Storage struct {
	Original          uint64  // Original Filter Storage, dense
	Stored            float64 // New Storage (Filter+Metadata)
	Metadata          float64 // Filter Metadata Storage
	MetadataBandwidth float64 // Avg FILTER Metadata SRAM BW, words per cycle
}

// Storage counts the filter of a layer in one of the tool's representations: csr, csc or
// ellpack_block. Words have 4 bytes for ellpack_block only; there the metadata of an element is
// its index in the block of M, in bits.
func (a Array) Storage(l Layer, representation string) (Storage, error) {
	p, err := a.plan(l)
	if err != nil {
		return Storage{}, err
	}
	dense := uint64(l.R * l.S * l.C)
	kept := uint64(p.window) * uint64(l.N)
	s := Storage{Original: dense * uint64(l.N)}
	switch representation {
	case "csr": // a row per window element, a column number per word
		s.Metadata = float64(kept + dense + 1)
	case "csc": // a column per filter, a row number per word
		s.Metadata = float64(kept + uint64(l.N) + 1)
	case "ellpack_block":
		s.Metadata = ratio(kept*uint64(bits.Len(uint(p.outs-1))), 32)
	default:
		return Storage{}, fmt.Errorf("scalesim: representation is %q (want one of: csr, csc, ellpack_block)", representation)
	}
	s.Stored = float64(kept) + s.Metadata
	s.MetadataBandwidth = s.Metadata / float64(p.lines()-1)
	return s, nil
}
