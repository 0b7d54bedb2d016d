package work

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// KeptBytes returns the bytes of an operator's footprint that stay on the chip.
func (s *Share) KeptBytes(op *graph.Op) (n uint64) {
	if s.Kept == nil {
		return 0
	}
	for _, list := range [][]graph.TensorID{op.In, op.Out} {
		for i, id := range list {
			if id != graph.None && s.Kept[id] && !slices.Contains(list[:i], id) {
				n += uint64(s.Graph.Tensors[id].Bytes())
			}
		}
	}
	return min(n, uint64(s.Graph.Footprint(op).Bytes()))
}
