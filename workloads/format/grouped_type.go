package format

import "github.com/causeway-sim/causeway/workloads/graph"

// GroupedType returns the element type closest to weights of bits bits in groups of group elements
// with a scale of 16 bits.
func GroupedType(bits, group int) graph.DType {
	switch {
	case bits > 4 && group == 32:
		return graph.Q8
	case bits > 4:
		return graph.Int8
	case group > 0 && group <= 32:
		return graph.Q4
	case group > 0 && group <= 64:
		return graph.Int4G64
	}
	return graph.Int4G128
}
