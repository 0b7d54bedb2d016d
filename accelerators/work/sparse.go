package work

import "github.com/causeway-sim/causeway/workloads/graph"

// Sparse is a worker that may skip weights which are zero by a pattern.
type Sparse interface {
	Worker
	// Sparsity is the pattern that it skips; zero: none.
	Sparsity() graph.Pattern
}
