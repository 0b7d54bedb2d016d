package work

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Share is what one core does of one workload.
type Share struct {
	Name    string // of the workload; tells layers of several workloads apart
	ID      int32  // number of the workload, equal on all cores that share it
	Graph   *graph.Graph
	Program mapping.Program
	// Base is the address of a tensor, or of the core's own scratch memory
	// (mapping.Scratch). It is asked for the tensors that the program moves.
	Base func(graph.TensorID) uint64
	// Spread is where a tensor lies that is in pieces, for Spreaders; nil, or a nil answer:
	// it is one, and begins at Base.
	Spread func(graph.TensorID) *memory.Spread
	// Tensors is what requests tell of tensors, one for all cores that share the
	// workload; nil: nothing.
	Tensors *Tensors
	// Arrival is when the workload becomes known, from the start of the run.
	Arrival units.Time
	// Kept says of each tensor whether it stays on the chip from the operator that makes it
	// to the last that reads it: whoever issues the operators has seen to the room. nil: none
	// does. It is for Keepers.
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

// A Worker is a core. Shares are carried out one after the other in the order
// of Arrival, equal ones in the order of Load.
type Worker interface {
	system.Node
	engine.Waiter
	// Clock is the clock that its cycles are of.
	Clock() clock.Clock
	// Load adds a share, before Start and after the address maps are set.
	Load(Share) error
	// Sync is the port for Signals, and Follow tells the port of the sequencer at
	// the other end. A core on its own needs neither.
	Sync() sim.Port
	Follow(sequencer sim.Port)
	// Start schedules the first event, at time 0.
	Start() error
	// Layers is a row per job done so far, in order.
	Layers() *stats.Table
}

// A Signal says that a job is done: a core sends it to the sequencer, which
// sends one to every core with a job that waits for it.
type Signal struct {
	sim.MsgMeta
	Share int32
	Token mapping.Token
}

// Meta implements sim.Msg.
func (s *Signal) Meta() *sim.MsgMeta { return &s.MsgMeta }

// A Scratchpad is a memory on the chip whose contents are planned before a run.
type Scratchpad interface {
	system.Node
	Capacity() int64 // bytes
	// Planned tells, before Start, the most bytes that have a tenant at a time, the
	// results between groups that stay, and those that found no room.
	Planned(peak, kept, spilled int64)
}
