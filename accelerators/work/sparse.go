package work

import "github.com/causeway-sim/causeway/workloads/graph"

// Sparse is an executor that may skip weights which are zero by a pattern.
type Sparse interface {
	Executor
	// Sparsity is the pattern that it skips; zero: none.
	Sparsity() graph.Pattern
}

// A Skipper is one that skips weights of some products only.
type Skipper interface {
	Sparse
	// Skips says why it cannot skip those of a product that are zero by its pattern, such
	// as an element type without sparse rates; nil: it does.
	Skips(g *graph.Graph, op *graph.Op) error
}
