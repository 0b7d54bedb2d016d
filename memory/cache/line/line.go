// Package line cuts addresses into the lines of a cache, and lines into sectors.
//
// It knows no state and no time. Lines are named by their number, the address divided by the bytes of
// a line; sectors by a bit of a mask, the lowest address first.
package line

import "math/bits"

// A Layout is the size of lines and of their sectors, both powers of two.
type Layout struct {
	Shift  uint // log2 of the bytes of a line
	Sector uint // log2 of the bytes of a sector
}

// New returns the layout of lines of so many bytes and sectors.
func New(bytes uint64, sectors int) Layout {
	shift := uint(bits.TrailingZeros64(bytes))
	return Layout{Shift: shift, Sector: shift - uint(bits.Len(uint(sectors))-1)}
}

// Of returns the line of an address.
func (l *Layout) Of(addr uint64) uint64 { return addr >> l.Shift }

// Start returns the first address of a line.
func (l *Layout) Start(line uint64) uint64 { return line << l.Shift }

// Bytes returns the bytes of a line.
func (l *Layout) Bytes() uint64 { return 1 << l.Shift }

// Lines returns how many lines a range of addresses touches; a range of no bytes touches one.
func (l *Layout) Lines(addr, bytes uint64) int {
	return int((addr+max(bytes, 1)-1)>>l.Shift-addr>>l.Shift) + 1
}

// Span returns the bytes of a line that a range of addresses touches.
func (l *Layout) Span(addr, bytes, line uint64) (from, to uint64) {
	from, to = line<<l.Shift, (line+1)<<l.Shift
	return max(from, addr), min(to-1, addr+max(bytes, 1)-1) + 1
}

// Touched returns the sectors of a line that the bytes from and up to an address lie in, and those
// of them that these bytes cover altogether.
func (l *Layout) Touched(line, from, to uint64) (touched, covered uint8) {
	first, size := line<<(l.Shift-l.Sector), uint64(1)<<l.Sector
	touched = uint8(1<<((to-1)>>l.Sector-first+1) - 1<<(from>>l.Sector-first))
	if lo, hi := (from+size-1)>>l.Sector, to>>l.Sector; lo < hi {
		covered = uint8(1<<(hi-first) - 1<<(lo-first))
	}
	return touched, covered
}

// Run returns the addresses of the lowest sectors of a mask that lie next to each other, and the sectors
// that are left.
func (l *Layout) Run(line uint64, mask uint8) (from, to uint64, rest uint8) {
	s := bits.TrailingZeros8(mask)
	n := bits.TrailingZeros8(^(mask >> s))
	from = line<<l.Shift + uint64(s)<<l.Sector
	return from, from + uint64(n)<<l.Sector, mask &^ uint8((1<<n-1)<<s)
}
