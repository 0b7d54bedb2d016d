package link

import (
	"strconv"
	"strings"
)

// A Carrier is the physical layer under a link.
type Carrier uint8

const (
	PCIe         Carrier = iota // sync headers up to 32 GT/s, FEC in flits of 256 B
	UCIeStandard                // between dies on an organic substrate: modules of 16 lanes, or half of one
	UCIeAdvanced                // between dies on silicon: modules of 64 lanes, or half of one
	carriers
)

// kinds are the rates in GT/s and the lanes of each carrier. Flits pass UCIe as they are: it has wires
// for clock and valid in place of sync headers, and its adapter repeats flits with a wrong CRC in place
// of the FEC.
//
// Sources: PCI Express 6.0; UCIe 1.1, sections 1.2, 2.2 (CXL 256 B) and 2.3 (CXL 68 B), one, two or four
// modules; UCIe 3.0 (48 and 64 GT/s).
var kinds = [carriers]struct{ rates, lanes []int }{
	PCIe:         {[]int{8, 16, 32, 64}, []int{1, 2, 4, 8, 16}},
	UCIeStandard: {[]int{4, 8, 12, 16, 24, 32, 48, 64}, []int{8, 16, 32, 64}},
	UCIeAdvanced: {[]int{4, 8, 12, 16, 24, 32, 48, 64}, []int{32, 64, 128, 256}},
}

func list(of []int) string {
	text := make([]string, len(of))
	for i, n := range of {
		text[i] = strconv.Itoa(n)
	}
	return strings.Join(text, ", ")
}
