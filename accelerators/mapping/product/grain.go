package product

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Even is what tiles of an axis are a multiple of, so that they begin at whole units.
func (s *Shape) Even(x dataflow.Axis) int64 {
	n := int64(1)
	if s.Narrow() {
		n = graph.Pair
	}
	if g := s.Grain(x); g > 1 {
		n = n / integer.GCD(n, g) * g
	}
	unit := int64(1)
	switch x {
	case dataflow.K:
		unit = s.KUnit
	case dataflow.N:
		unit = s.NUnit
	}
	return n / integer.GCD(n, unit)
}

// Grain is what parts of a tile are a multiple of along an axis, so that they begin with a
// block.
func (s *Shape) Grain(x dataflow.Axis) int64 {
	n := int64(1)
	add := func(w graph.Unit) {
		if w.Blocked() {
			n = n / integer.GCD(n, w.Elements) * w.Elements
		}
	}
	packed := s.BPacked || s.BRows
	switch {
	case x == dataflow.K:
		add(s.AWide)
		if packed {
			add(s.BWide)
		}
	case x == dataflow.N:
		add(s.CWide)
		if !packed {
			add(s.BWide)
		}
	}
	return n
}

// Narrow reports whether there are elements smaller than a byte that are no blocks.
func (s *Shape) Narrow() bool {
	for _, w := range [4]graph.Unit{s.AWide, s.BWide, s.CWide, s.BiasWide} {
		if w.Elements == graph.Pair {
			return true
		}
	}
	return false
}

func (s *Shape) HasBias() bool { return s.BiasWide != graph.Unit{} }
