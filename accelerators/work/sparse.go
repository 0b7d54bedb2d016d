package work

import "github.com/causeway-sim/causeway/workloads/graph"

// Sparse is an executor that may skip weights which are zero by a pattern.
type Sparse interface {
	Executor
	// Sparsity is the pattern that it skips; zero: none.
	Sparsity() graph.Pattern
}
