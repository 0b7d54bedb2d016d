package policy

// tiles counts the accesses to the tiles of the tensors that are described. A
// tile all of whose lines have had the accesses they are to have is dead.
type tiles struct {
	line    uint64
	tensors []tensorState
	left    []uint64 // [tile] accesses still to come; of tensors without known uses nothing is counted
}

type tensorState struct {
	kind      Kind
	size      uint8
	shared    bool
	writeOnce bool
	first     int32 // tile
	base      uint64
	bytes     uint64
	tile      uint64 // bytes
	uses      uint64
}

func newTiles(g Geometry) tiles {
	t := tiles{line: uint64(g.Line)}
	for _, d := range g.Tensors {
		s := tensorState{
			kind: d.Kind, size: sizeClass(d.Bytes), shared: d.Sharers > 1, writeOnce: d.WriteOnce,
			first: int32(len(t.left)), base: d.Base, bytes: d.Bytes, tile: d.Tile, uses: uint64(d.Uses),
		}
		if s.tile == 0 || s.tile > s.bytes {
			s.tile = max(s.bytes, 1)
		}
		if s.uses == 0 {
			s.first = -1
		}
		t.tensors = append(t.tensors, s)
		if s.uses > 0 {
			for k := uint64(0); k*s.tile < s.bytes; k++ {
				t.left = append(t.left, s.need(k, t.line))
			}
		}
	}
	return t
}

// need is the number of accesses to the lines of tile k.
func (s *tensorState) need(k, line uint64) uint64 {
	bytes := min(s.tile, s.bytes-k*s.tile)
	return (bytes + line - 1) / line * s.uses
}

// of returns the tile of an access and its tensor, or -1.
func (t *tiles) of(a Access) (int32, *tensorState) {
	if a.Tensor == 0 || int(a.Tensor) > len(t.tensors) {
		return -1, nil
	}
	s := &t.tensors[a.Tensor-1]
	at := a.Line*t.line - s.base
	if s.first < 0 || at >= s.bytes {
		return -1, s
	}
	return s.first + int32(at/s.tile), s
}

// count counts an access and returns its tile or -1. A tile that is used after
// its end begins another life.
func (t *tiles) count(a Access) int32 {
	k, s := t.of(a)
	if k < 0 {
		return k
	}
	if t.left[k] == 0 {
		t.left[k] = s.need(uint64(k-s.first), t.line)
	}
	t.left[k]--
	return k
}

// dead tells whether a tile has had all its accesses.
func (t *tiles) dead(k int32) bool { return k >= 0 && t.left[k] == 0 }

// dies tells whether a line is dead once this access is done.
func (t *tiles) dies(a Access) bool {
	k, s := t.of(a)
	return s != nil && s.writeOnce && a.Write || k >= 0 && t.left[k] == 1
}
