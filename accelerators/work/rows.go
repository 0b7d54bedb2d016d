package work

import (
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Mappable executor has an array to map operators onto; others know their time by the
// operator alone.
type Mappable interface {
	Executor
	// Core is what a mapper knows of it, for operands of these types.
	Core(graph.DTypes) mapping.Core
}

// A Row is a layer of a SCALE-Sim topology as it stands in its file: a graph has no
// place for windows that hang over the edge, nor for sparsity.
type Row struct {
	Name             string
	H, W             int // ifmap
	R, S             int // filter
	C, N             int // channels, filters
	StrideH, StrideW int
	SparseN, SparseM int // N of every M elements of a window are kept; 0:0 is all
	Repeats          uint64
}

// A Peer is an executor that counts as another program does. It takes whole workloads, which
// are issued ahead, and no single operators.
type Peer interface {
	Executor
	// TakesRows reports whether it takes the rows of a topology (Share.Rows) in place of a graph.
	TakesRows() bool
}
