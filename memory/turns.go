package memory

import (
	"math/bits"
	"slices"
)

// A Turn is the share of one memory in an interleaved range: of every Of blocks of Every bytes
// from Base on, the blocks At. Every is a power of two. A range with one home has Of 1.
type Turn struct {
	Base, Size uint64 // of the range
	Of         uint64
	Every      uint64
	At         []uint64
}

// Turns are the ranges of one memory, by Base. The zero value does not change addresses.
type Turns struct{ all []turn }

type turn struct {
	Turn
	shift uint     // log2 of Every
	rank  []uint64 // of each place of Of among those of the memory
	first uint64   // where the bytes of the range begin in the memory
}

// NewTurns returns the Turns of ranges in order of Base. If the memory is the only home of all
// ranges, Dense does not change addresses.
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

// Dense returns the address within the memory. Its blocks follow each other without gaps, and so
// do its ranges, since a controller has no rows and columns for blocks of other memories. An
// address outside of all ranges is returned unchanged.
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
