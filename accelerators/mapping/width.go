package mapping

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A width is how wide elements of a tensor are: so many of them are so many whole bytes.
// It is a block of a block format, with its scale.
type width = graph.Unit

// widthOf is the width of a tensor's elements.
func widthOf(t *graph.Tensor) width { return t.Unit() }

// size is the length of n elements in whole bytes, from where a unit begins.
func size(n int64, w width) int64 {
	if w.Elements <= 1 {
		return n * w.Bytes
	}
	return ceil(n, w.Elements) * w.Bytes
}

// offset is where element n begins, in whole bytes: its unit.
func offset(n int64, w width) int64 {
	if w.Elements <= 1 {
		return n * w.Bytes
	}
	return n / w.Elements * w.Bytes
}

// nibbles is the most elements of a unit that is no block: rows of these touch inside a
// byte, rows of blocks begin with a block.
const nibbles = 2

// blocked reports whether elements lie in blocks.
func blocked(w width) bool { return w.Elements > nibbles }

// row is n elements with those that fill up their last block.
func row(n int64, w width) int64 {
	if !blocked(w) {
		return n
	}
	return ceil(n, w.Elements) * w.Elements
}

// rows is the bytes of so many rows of n elements.
func rows(count, n int64, w width) int64 { return size(count*row(n, w), w) }

// partial reports whether elements are smaller than a byte, or come in blocks, so that
// tiles must begin where a unit does.
func partial(w width) bool { return w.Elements > 1 }

// even is what tiles of an axis are a multiple of, so that they begin at whole units.
func (s *shape) even(x dataflow.Axis) int64 {
	n := int64(1)
	if s.narrow() {
		n = nibbles
	}
	if g := s.grain(x); g > 1 {
		n = n / gcd(n, g) * g
	}
	unit := int64(1)
	switch x {
	case dataflow.K:
		unit = s.kUnit
	case dataflow.N:
		unit = s.nUnit
	}
	return n / gcd(n, unit)
}

// grain is what parts of a tile are a multiple of along an axis, so that they begin with a
// block.
func (s *shape) grain(x dataflow.Axis) int64 {
	n := int64(1)
	add := func(w width) {
		if blocked(w) {
			n = n / gcd(n, w.Elements) * w.Elements
		}
	}
	packed := s.bPacked || s.bRows
	switch {
	case x == dataflow.K:
		add(s.aWide)
		if packed {
			add(s.bWide)
		}
	case x == dataflow.N:
		add(s.cWide)
		if !packed {
			add(s.bWide)
		}
	}
	return n
}

// narrow reports whether there are elements smaller than a byte that are no blocks.
func (s *shape) narrow() bool {
	for _, w := range [4]width{s.aWide, s.bWide, s.cWide, s.biasWide} {
		if w.Elements == nibbles {
			return true
		}
	}
	return false
}

func (s *shape) hasBias() bool { return s.biasWide != width{} }

// elementBits is the width of an element without its part of a scale.
func elementBits(w width) int64 {
	if w.Elements == 0 {
		return 0
	}
	return 8 * w.Bytes / w.Elements
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
