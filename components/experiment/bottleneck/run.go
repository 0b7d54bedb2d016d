// Package bottleneck says what the time of a run went to.
//
//	run := bottleneck.Run{Nodes: nodes, Jobs: jobs, Home: sys.Home}
//	r.Causes = run.Causes(r)
//	r.Sentence = run.Sentence(r)
//
// Causes is a tree: nodes, below them causes such as computing or waiting for memory, and below those
// groups of layers. Nodes that are system.Causal bring their own trees. Sentence names the main cause in
// plain English. Both are functions of the metrics and tables of the result and of what the nodes say.
//
// # Left out
//
// What would help a run: package explain. The causes of one layer or request: package item.
package bottleneck

import (
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/system"
)

// A Run is what this package has to know of a run besides its result.
type Run struct {
	Nodes   []system.Node
	Jobs    []*plan.Job
	Home    func(system.Node) string // name of the memory that a node asks
	Staged  bool                     // a workload is cut into the stages of a pipeline
	Sampled bool                     // some layers or steps were not simulated, because they equal others
}
