package dma

import "github.com/causeway-sim/causeway/workloads/graph"

// A Buffer is one of the three SRAMs of a core.
type Buffer uint8

// The buffers.
const (
	Ifmap Buffer = iota
	Filter
	Ofmap
)

func (b Buffer) String() string { return [...]string{"ifmap", "filter", "ofmap"}[b] }

// Scratch stands for the core's own scratch memory in a Transfer: partial sums
// that do not fit on the chip spill there. A core needs Program.Scratch bytes.
const Scratch graph.TensorID = -2
