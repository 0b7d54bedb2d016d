package dco

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/policy"
)

// tiles counts the accesses to the tiles of the tensors that are described. A
// tile all of whose lines have had the accesses they are to have is dead.
type tiles struct {
	line    uint64
	tensors []tensorState
	need    []uint64 // [tile] accesses in all; tensors without known uses have no tiles
	left    []uint64 // [tile] accesses still to come
}

type tensorState struct {
	kind      policy.Kind
	size      uint8
	shared    bool
	writeOnce bool
	first     int32 // tile
	base      uint64
	bytes     uint64
	tile      uint64 // bytes
	shift     uint8  // log2 of tile if that is a power of two above 1, else 0
	uses      uint64
	sharers   uint64
	sampled   uint32 // accesses to the sampled sets
}

// walkStep accesses to the sampled sets are a step of a walk over a tensor.
const walkStep = 8

// walk notes an access to a sampled set and returns the place in the walk.
func (s *tensorState) walk() uint16 {
	s.sampled++
	return uint16(s.sampled / walkStep)
}

// through reports whether as many steps, times bytes, as have been made in the
// sampled sets, times the share of those, lead through all of the tensor, by one of
// its sharers or by all.
func (s *tensorState) through(bytes uint64) bool {
	bytes *= walkStep
	return 10*bytes >= 9*s.bytes && 10*bytes <= 11*s.bytes*s.sharers
}

func newTiles(g policy.Geometry) tiles {
	t := tiles{line: uint64(g.Line)}
	for _, d := range g.Tensors {
		t.add(d)
	}
	return t
}

// maxTiles bounds the tiles that are counted; of tensors beyond it the tiles
// never die.
const maxTiles = 1 << 24

// add registers a tensor. Its tiles are counted from now on.
func (t *tiles) add(d policy.Tensor) {
	s := tensorState{
		kind: d.Kind, size: sizeClass(d.Bytes), shared: d.Sharers > 1, writeOnce: d.WriteOnce,
		first: int32(len(t.need)), base: d.Base, bytes: d.Bytes, tile: d.Tile, uses: uint64(d.Uses), sharers: max(uint64(d.Sharers), 1),
	}
	if s.tile == 0 || s.tile > s.bytes {
		s.tile = max(s.bytes, 1)
	}
	if n := (s.bytes + s.tile - 1) / s.tile; s.uses == 0 || n > uint64(maxTiles-len(t.need)) {
		s.first = noTile
	}
	if s.tile&(s.tile-1) == 0 {
		s.shift = uint8(bits.TrailingZeros64(s.tile))
	}
	t.tensors = append(t.tensors, s)
	if s.first != noTile {
		for k := uint64(0); k*s.tile < s.bytes; k++ {
			t.need = append(t.need, s.need(k, t.line))
		}
		t.left = append(t.left, t.need[s.first:]...)
	}
}

// need is the number of accesses to the lines of tile k.
func (s *tensorState) need(k, line uint64) uint64 {
	bytes := min(s.tile, s.bytes-k*s.tile)
	return (bytes + line - 1) / line * s.uses
}

// noTile is the tile of what is not described.
const noTile = -1

// tensor returns the state of the tensor of an access, or nil.
func (t *tiles) tensor(a *policy.Access) *tensorState {
	if a.Tensor == 0 || int(a.Tensor) > len(t.tensors) {
		return nil
	}
	return &t.tensors[a.Tensor-1]
}

// of returns the tile of an access or noTile.
func (t *tiles) of(a *policy.Access) int32 {
	s := t.tensor(a)
	if s == nil || s.first < 0 {
		return noTile
	}
	at := a.Line*t.line - s.base
	if at >= s.bytes {
		return noTile
	}
	if s.shift > 0 {
		return s.first + int32(at>>s.shift)
	}
	return s.first + int32(at/s.tile)
}

// count counts an access to a tile. A tile that is used after its end begins
// another life.
func (t *tiles) count(k int32) {
	if k < 0 {
		return
	}
	if t.left[k] == 0 {
		t.left[k] = t.need[k]
	}
	t.left[k]--
}

// dead reports whether a tile has had all its accesses.
func (t *tiles) dead(k int32) bool { return k >= 0 && t.left[k] == 0 }

// dies reports whether the line of an access to tile k is dead once it is done.
func (t *tiles) dies(a *policy.Access, k int32) bool {
	if k >= 0 && t.left[k] == 1 {
		return true
	}
	if !a.Write {
		return false
	}
	s := t.tensor(a)
	return s != nil && s.writeOnce
}
