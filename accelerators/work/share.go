package work

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Share is what one executor does of one workload, or may be asked to do.
type Share struct {
	Name    string // of the workload; tells layers of several workloads apart
	ID      int32  // number of the workload, equal on all executors that share it
	Graph   *graph.Graph
	Program mapping.Program
	// Base is the address of a tensor, or of the core's own scratch memory
	// (mapping.Scratch). It is asked for the tensors that the program moves.
	Base func(graph.TensorID) uint64
	// Spread is where a tensor lies that is in pieces, for Spreaders; nil, or a nil answer:
	// it is one, and begins at Base.
	Spread func(graph.TensorID) *memory.Spread
	// Tensors holds the descriptions of tensors in the hints of requests, one for all cores
	// that share the workload; nil: hints describe none.
	Tensors *Tensors
	// Ahead issues all jobs with the share, before the run: in their order, once each, and each
	// after the jobs of other executors that it names (mapping.Job.After). Hints of requests
	// then tell what the program has yet to read.
	Ahead bool
	// Arrival is when operators that are issued ahead may begin, from the start of the run.
	Arrival units.Time
	// Issuer is the port of the issuer: it gets a Done of each job that another executor waits
	// for, and sends Ready to executors that wait. nil: no job of the share waits or is awaited.
	Issuer sim.Port
	// Rows are layers in place of the graph, for Peers.
	Rows []Row
	// Kept says of each tensor whether it stays on the chip from the operator that makes it
	// to the last that reads it. The scheduler accounts for the room. nil: none stays. It is
	// for Keepers.
	Kept []bool
	// Activations is the most bytes of them that a step of training keeps at a time for its
	// backward passes; 0: it keeps none.
	Activations int64
	// Batch is how many requests the graph is of that are carried out at once; 0: one.
	Batch int
	// Requests is how often a scheduler issues each job.
	Requests int
	// Step: a batch of a model that is served, whose weights, keys and values are there
	// once for all batches.
	Step bool
	// Serial is the number of a share that comes while the run goes on, equal for all
	// executors that have a part of it: their transfers match by it.
	Serial int64
}

// Whole gives a share whose program is empty a job for each operator of its graph.
func (s Share) Whole() Share {
	if s.Program.Jobs == nil && s.Graph != nil {
		s.Program = mapping.Whole(s.Graph)
	}
	return s
}

// Operators are those of its jobs, in order.
func (s *Share) Operators() (out []int) {
	for i := range s.Program.Jobs {
		out = append(out, s.Program.Jobs[i].All()...)
	}
	return out
}

// IssueAll hands a share to an executor with all its jobs issued, before Start.
func IssueAll(x Executor, s Share) error {
	s.Ahead = true
	return x.Prepare(s)
}
