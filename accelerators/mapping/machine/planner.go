package machine

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Planner maps the products of a core that is no systolic array: a loop nest.
// Everything else (the vector unit, fused functions, whom a job waits for) is as for any
// core.
type Planner interface {
	// Plan maps an operator. It says the same whenever it is asked.
	Plan(r *Product) (*Own, error)
	// Attend maps attention as one operator (graph.Attention), whose scores stay on the
	// chip: r.Matrix and r.Bias mean nothing.
	Attend(r *Product) (*Own, error)
}

// A Product is a matrix operator to be mapped by a Planner.
type Product struct {
	Graph     *graph.Graph
	Op        *graph.Op
	Matrix    graph.Matrix // products that use the same B are one
	Bias, Out graph.TensorID
	Sums      graph.DType // of partial sums
	Vector    int64       // operations of the vector unit on the results
	Lanes     int64
	Memory    Memory // below the core
}

// A Stepper yields the steps of a plan in order, as a Walker does.
type Stepper interface{ Next(*dma.Step) bool }

// An Own is what a Planner makes of an operator.
type Own struct {
	Tile          dma.Tile
	Steps, Cycles int64 // of the compute units, never waiting
	MACs          int64
	Units         int64 // of compute
	Used          int64 // of them, at most
	Traffic       dma.Traffic
	Scratch       int64 // bytes
	// Energy in pJ of compute units and of the levels on the chip; 0: no figures.
	Compute, Storage float64
	Footprint        [3]int64 // bytes of inputs, weights and results that lie on the chip at a time
	Walk             func() Stepper
	// Text is the mapping as text, for readers.
	Text string
}
