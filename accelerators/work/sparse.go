package work

import "github.com/causeway-sim/causeway/workloads/graph"

// Sparse is an executor that may skip weights that are zero by a pattern.
type Sparse interface {
	Executor
	// Sparsity returns the pattern that it skips; the zero value is none.
	Sparsity() graph.Pattern
}

// A Skipper is a Sparse executor that skips weights of some products only.
type Skipper interface {
	Sparse
	// Skips returns an error if it cannot skip the weights of product op, such as an element type
	// without sparse rates.
	Skips(g *graph.Graph, op *graph.Op) error
}
