package tagstore

import "math/bits"

// xorSlice folds the line number onto the bits of a slice number by exclusive
// or, so that strides of any power of two spread.
func xorSlice(line uint64, slices int) int {
	width := bits.Len(uint(slices - 1))
	if width == 0 {
		return 0
	}
	var x uint64
	for ; line != 0; line >>= width {
		x ^= line
	}
	return int(x & uint64(slices-1))
}

// ipoly are irreducible polynomials over GF(2) by degree, the leading bit
// included (Peterson and Weldon, Error-Correcting Codes, appendix C).
var ipoly = [...]uint64{1: 0x3, 2: 0x7, 3: 0xb, 4: 0x13, 5: 0x25, 6: 0x43, 7: 0x83, 8: 0x11d}

const maxIPOLY = len(ipoly) - 1

// ipolySlice is the remainder of the line number, read as a polynomial over
// GF(2), by an irreducible polynomial (Rau, Pseudo-randomly interleaved memory,
// ISCA 1991).
func ipolySlice(line uint64, slices int) int {
	degree := bits.Len(uint(slices - 1))
	if degree == 0 {
		return 0
	}
	p := ipoly[degree]
	for line>>degree != 0 {
		line ^= p << (bits.Len64(line) - 1 - degree)
	}
	return int(line)
}
