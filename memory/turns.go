package memory

import "math/bits"

// A Turn is what of a range of addresses comes to one memory: every Of-th piece of Every
// bytes, a power of two, from Base on. A range with one home has Of 1.
type Turn struct {
	Base, Size uint64 // of the range
	Of         uint64
	Every      uint64
}

// Turns are the ranges of one memory, by Base. The zero value leaves addresses as they are.
type Turns struct {
	all []Turn
	at  []uint64 // where the bytes of each range begin in the memory
}

// NewTurns are those of some ranges, by Base. If the memory is the only home of all of them,
// addresses stay as they are.
func NewTurns(all []Turn) (t Turns) {
	shared := false
	for _, x := range all {
		shared = shared || x.Of > 1
	}
	if !shared {
		return t
	}
	t.all = all
	at := uint64(0)
	for _, x := range all {
		t.at = append(t.at, at)
		at += x.Size / x.Of
	}
	return t
}

// Dense is the place of an address in the memory. Pieces that come to it follow one after
// the other there, since a controller does not keep rows, banks and columns for what other
// memories hold; the ranges do as well. An address outside of all ranges stays as it is.
func (t *Turns) Dense(addr uint64) uint64 {
	for i := range t.all {
		x := &t.all[i]
		off := addr - x.Base
		if addr < x.Base || off >= x.Size {
			continue
		}
		if x.Of > 1 {
			k := uint(bits.TrailingZeros64(x.Every))
			off = off>>k/x.Of<<k | off&(x.Every-1)
		}
		return t.at[i] + off
	}
	return addr
}
