package memory

import (
	"math/bits"
	"slices"
)

// A Turn is what of a range of addresses comes to one memory: of every Of pieces of Every bytes,
// a power of two, those at the places At, counted from Base on. A range with one home has Of 1.
type Turn struct {
	Base, Size uint64 // of the range
	Of         uint64
	Every      uint64
	At         []uint64
}

// Turns are the ranges of one memory, by Base. The zero value leaves addresses as they are.
type Turns struct{ all []turn }

type turn struct {
	Turn
	shift uint     // log2 of Every
	rank  []uint64 // of each place of Of among those of the memory
	first uint64   // where the bytes of the range begin in the memory
}

// NewTurns are those of some ranges, by Base. If the memory is the only home of all of them,
// addresses stay as they are.
func NewTurns(all []Turn) (t Turns) {
	if !slices.ContainsFunc(all, func(x Turn) bool { return x.Of > 1 }) {
		return t
	}
	first := uint64(0)
	for _, x := range all {
		y := turn{Turn: x, first: first, rank: make([]uint64, x.Of)}
		if x.Of > 1 {
			y.shift = uint(bits.TrailingZeros64(x.Every))
		}
		for i, at := range x.At {
			y.rank[at] = uint64(i)
		}
		t.all = append(t.all, y)
		first += x.Size / x.Of * uint64(len(x.At))
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
			k := off >> x.shift
			off = (k/x.Of*uint64(len(x.At))+x.rank[k%x.Of])<<x.shift | off&(x.Every-1)
		}
		return x.first + off
	}
	return addr
}
