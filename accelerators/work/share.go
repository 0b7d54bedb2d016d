package work

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Share is the part of a workload that one executor carries out, or may carry out.
type Share struct {
	Name    string // of the workload
	ID      int32  // of the workload, equal on all executors that share it
	Graph   *graph.Graph
	Program mapping.Program
	// Base returns the address of a tensor, or of the core's own scratch memory
	// (mapping.Scratch). It is called for tensors that the program moves.
	Base func(graph.TensorID) uint64
	// Spread, for Spreaders, returns the pieces of a tensor. If Spread or its result is nil, the
	// tensor is contiguous from Base.
	Spread func(graph.TensorID) *memory.Spread
	// Tensors, shared by all cores of the workload, describes tensors in the hints of requests;
	// nil: hints have no descriptions.
	Tensors *Tensors
	// Ahead: Prepare issues all jobs before the run, in order, once each. A job waits for the
	// jobs of other executors in mapping.Job.After. Hints of requests then contain the remaining
	// reads of the program.
	Ahead bool
	// Arrival is the time from the start of the run at which operators issued ahead may begin.
	Arrival units.Time
	// Issuer is the port that receives a Done of each job that another executor waits for, and
	// sends Ready to waiting executors. nil: no job of the share waits or is waited for.
	Issuer sim.Port
	// Rows are layers in place of the graph, for Peers.
	Rows []Row
	// Kept, for Keepers, is by tensor whether it stays on the chip from the operator that makes
	// it to the last that reads it; nil: none stays. The scheduler accounts for the room.
	Kept []bool
	// Activations is the peak bytes of activations that a training step keeps for its backward
	// pass.
	Activations int64
	// Batch is the number of requests that the graph computes at once; 0 means 1.
	Batch int
	// Requests is the number of times that a scheduler issues each job.
	Requests int
	// Step: the share is a batch of a served model; its weights, keys and values are counted once
	// for all batches.
	Step bool
	// Serial is the number of a share prepared during the run, equal on all executors that have a
	// part of it. Transfers match by it.
	Serial int64
}

// Whole returns the share; if its program is empty, with one job per operator of the graph.
func (s Share) Whole() Share {
	if s.Program.Jobs == nil && s.Graph != nil {
		s.Program = mapping.Whole(s.Graph)
	}
	return s
}

// Operators returns the operators of its jobs, in order.
func (s *Share) Operators() (out []int) {
	for i := range s.Program.Jobs {
		out = append(out, s.Program.Jobs[i].All()...)
	}
	return out
}

// IssueAll prepares a share on an executor with all jobs issued ahead. It is called before Start.
func IssueAll(x Executor, s Share) error {
	s.Ahead = true
	return x.Prepare(s)
}
