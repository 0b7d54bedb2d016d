package tagstore

import (
	"fmt"
	"math/bits"
)

// An Index says to which set of which slice a line belongs. The first sets of all slices
// come first, then the second ones: what lines side by side touch lies side by side.
type Index struct {
	sets   int // per slice
	slices int
	mask   uint64 // sets-1 if sets is a power of two, else 0
	shift  uint8  // log2 of the slices if they are a power of two, else 0
	hash   func(line uint64, slices int) int
}

// NewIndex returns the index of a cache of slices with sets each. The hash
// that chooses the slice is linear, xor or ipoly; those other than linear want a
// power of two of slices.
func NewIndex(sets, slices int, hash string) (Index, error) {
	x := Index{sets: sets, slices: slices}
	if sets < 1 || slices < 1 {
		return x, fmt.Errorf("cache of %d slices with %d sets (want at least 1)", slices, sets)
	}
	if sets&(sets-1) == 0 {
		x.mask = uint64(sets - 1)
	}
	pow2 := slices&(slices-1) == 0
	if pow2 {
		x.shift = uint8(bits.TrailingZeros(uint(slices)))
	}
	switch {
	case hash == "linear" || hash == "":
	case hash != "xor" && hash != "ipoly":
		return x, fmt.Errorf("unknown slice hash %q (want one of: ipoly, linear, xor)", hash)
	case !pow2:
		return x, fmt.Errorf("slice hash %s over %d slices (want a power of two)", hash, slices)
	case hash == "xor":
		x.hash = xorSlice
	case slices > 1<<maxIPOLY:
		return x, fmt.Errorf("slice hash ipoly over %d slices (want at most %d)", slices, 1<<maxIPOLY)
	default:
		x.hash = ipolySlice
	}
	return x, nil
}

// Sets returns the sets of all slices together.
func (x *Index) Sets() int { return x.sets * x.slices }

// Slice returns the slice of a line.
func (x *Index) Slice(line uint64) int {
	switch {
	case x.slices == 1:
		return 0
	case x.hash == nil && x.shift > 0:
		return int(line & (1<<x.shift - 1))
	case x.hash == nil:
		return int(line % uint64(x.slices))
	}
	return x.hash(line, x.slices)
}

// Set returns the set of a line among those of all slices. Within a slice it is
// the line's number divided by the slices, modulo the sets.
func (x *Index) Set(line uint64) int {
	if x.slices == 1 {
		return x.within(line)
	}
	if x.shift > 0 {
		return x.Slice(line) + x.within(line>>x.shift)<<x.shift
	}
	return x.Slice(line) + x.within(line/uint64(x.slices))*x.slices
}

func (x *Index) within(n uint64) int {
	if x.mask != 0 {
		return int(n & x.mask)
	}
	return int(n % uint64(x.sets))
}
