package units

import (
	"slices"
	"strconv"
	"strings"
)

// meant adds to a message which of the units was most likely meant: one that differs
// in capitals only (kB, mhz), a prefix alone (64K), or b for bit (Gb/s). Where there
// are two sizes of a kilobyte both are offered, the binary one first.
func meant(unit string, names []string) string {
	if unit == "" {
		return ""
	}
	word := strings.ToLower(unit)
	var found []string
	for _, n := range names {
		u := strings.ToLower(n)
		if word != u && word+"b" != u && word != strings.Replace(u, "bit", "b", 1) {
			continue
		}
		if binary := n[:1] + "iB"; len(n) == 2 && n[1] == 'B' && slices.Contains(names, binary) {
			found = append(found, binary)
		}
		if !slices.Contains(found, n) {
			found = append(found, n)
		}
	}
	if len(found) == 0 {
		return ""
	}
	for i, n := range found {
		found[i] = strconv.Quote(n)
	}
	return "; did you mean " + strings.Join(found, " or ") + "?"
}
