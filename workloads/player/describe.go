package player

import (
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// descriptors is what hints say of the tensors of a table, which lie base higher
// than it says.
func descriptors(table []trace.Tensor, base uint64) []memory.Tensor {
	out := make([]memory.Tensor, len(table))
	for i, t := range table {
		out[i] = memory.Tensor{
			Name: t.Name, Base: t.Base + base, Bytes: t.Bytes, Tile: t.Tile, Accesses: t.Accesses,
			Sharers: uint16(min(t.Sharers, 1<<16-1)), Kind: t.Kind, WriteOnce: t.WriteOnce,
		}
	}
	return out
}
