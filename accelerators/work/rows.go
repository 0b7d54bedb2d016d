package work

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Mappable executor has an array onto which a mapper maps operators.
type Mappable interface {
	Executor
	// Core describes the executor to a mapper, for operands of these types.
	Core(graph.DTypes) machine.Core
}

// A Row is a layer of a SCALE-Sim topology file. A graph cannot hold its windows that hang over
// the edge, nor its sparsity.
type Row struct {
	Name             string
	H, W             int // ifmap
	R, S             int // filter
	C, N             int // channels, filters
	StrideH, StrideW int
	SparseN, SparseM int // N of every M elements of a window are kept; 0:0 is all
	Repeats          uint64
}

// A Peer is an executor that reproduces the counts of another program. It takes whole workloads,
// issued ahead, and no single operators.
type Peer interface {
	Executor
	// TakesRows reports whether it takes Share.Rows in place of a graph.
	TakesRows() bool
}
