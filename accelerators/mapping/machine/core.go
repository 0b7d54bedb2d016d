package machine

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// SRAM holds the capacities of the three buffers of a core. Each is
// double-buffered: a tile may use at most half, so that the next one can load
// meanwhile.
type SRAM struct {
	Ifmap  units.Bytes `yaml:"ifmap" doc:"Buffer of inputs"`
	Filter units.Bytes `yaml:"filter" doc:"Buffer of weights"`
	Ofmap  units.Bytes `yaml:"ofmap" doc:"Buffer of outputs and partial sums"`
}

// A Core is what the mapper may know of a systolic core. Data types of tensors
// come with the tensors.
type Core struct {
	Array       dataflow.Array
	Dataflow    string // name in dataflow.All
	SRAM        SRAM
	Accumulator graph.DType   // of partial sums, in the ofmap buffer and when spilled
	Lanes       int           // operations per cycle of the vector unit
	Rates       RateTable     // of the array, by element type
	Sparsity    graph.Pattern // of weights that the array skips; zero: none
	Memory      Memory        // below the port, for the objective time
	OnChip      OnChip        // what stays in the buffers between operators
	Norms       bool          // the sums of a norm are made as the results it reads leave the array
	Planner     Planner       // maps products in place of the array; nil: the array does
	Gemv        int           // rows of weights that enter per cycle on the GEMV path; 0: there is none
}

// OnChip says what a core keeps between operators.
type OnChip uint8

// What stays on the chip.
const (
	KeepNone    OnChip = iota // everything goes through memory
	KeepOutputs               // results, while they fit; more operators are applied on the way out
	KeepAll                   // besides, weights of the next operator are fetched while one ends
)
