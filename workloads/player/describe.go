package player

import (
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// descriptors converts the tensors of a table into those of hints, with base added to their
// addresses.
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
