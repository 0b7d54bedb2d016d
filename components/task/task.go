package task

import "github.com/sarchlab/akita/v3/sim"

// An ID is the number of a task in a Stream. 0 is no task.
type ID uint64

// idBits is how many bits of an ID count the tasks of one node.
const idBits = 40

// Node is the index of the node of the task; -1 for the ID 0.
func (id ID) Node() int { return int(id>>idBits) - 1 }

// A Kind is a kind of work.
type Kind uint16

// The kinds that the nodes of this module report.
const (
	Layer      Kind = iota + 1 // a layer (operator) of a workload on a core
	Tile                       // one step of a layer's schedule, from its first load to the end of its computing
	Compute                    // the array computes a tile
	Burst                      // one request of a DMA engine, from issue to answer
	Request                    // one request of a player, from its first message to its last answer
	Access                     // one request at a cache, from its port to its answer
	Memory                     // one request at a memory, from its port to its answer
	Message                    // one message in a network, from its entry to its delivery
	Flit                       // one sampled packet of a flit network, from its first flit's entry to its last one's exit, a step per router
	CXL                        // one request in a CXL fabric, from the host's port to its answer
	Collective                 // one collective operation of a rank
	Link                       // one request over a memory link, from its port to its answer
	Tiered                     // one request to tiered memory, from its port to its answer
	Move                       // a page moves to another tier, or two change places
	Kernel                     // one launch of an offloaded kernel, with the host's work before and after it
	Iteration                  // one step of a program, from its first read to the end of its computing
	Batch                      // one step of a server, from its begin to the end of its last operator
	firstOwn                   // kinds of importers
)

var kinds = []string{"none", "layer", "tile", "compute", "burst", "request", "access", "memory", "message", "flit", "cxl", "collective", "link", "tiered", "move", "kernel", "iteration", "batch"}

// NewKind adds a kind, for nodes outside of this module. It is called in an init function and
// panics if the name exists.
func NewKind(name string) Kind {
	for _, k := range kinds {
		if k == name {
			panic("task: kind " + name + " exists")
		}
	}
	kinds = append(kinds, name)
	return Kind(len(kinds) - 1)
}

// String is the kind's name in timelines: "layer".
func (k Kind) String() string { return kinds[k] }

// A What is an interned short text of a task or a step: one of the constants below, or a result of
// Source.What.
type What uint32

// Texts that many nodes use.
const (
	Read   What = iota + 1 // a request reads
	Write                  // a request writes
	Hit                    // a line was found
	Miss                   // a line was not found
	Merge                  // a line was already on its way
	Bypass                 // a line was not found and is not kept
	Flush                  // lines are written back or dropped
	Send                   // a message is sent
	Answer                 // a message answers a request
	firstWhat
)

var whats = [firstWhat]string{"", "read", "write", "hit", "miss", "merge", "bypass", "flush", "send", "answer"}

// ReadWrite returns Write or Read.
func ReadWrite(write bool) What {
	if write {
		return Write
	}
	return Read
}

// A Phase is the phase of a task that an Event reports.
type Phase uint8

// The phases.
const (
	Begin Phase = iota
	Step
	End
)

func (p Phase) String() string { return [...]string{"begin", "step", "end"}[p] }

// An Event is one entry of the stream. Fields that its phase does not use are 0.
type Event struct {
	At     sim.VTimeInSec
	ID     ID
	Parent ID     // of a Begin; 0: the cause is not known
	Bytes  uint64 // of a Begin: that the task moves
	What   What   // of a Begin, of a Step
	Kind   Kind   // of a Begin
	Phase  Phase
}

// A Cause is the reason for an interval of a task. What is a text of the task's node.
type Cause struct {
	Task, By ID // By: the task that Task waited for, or that it is equal to; 0: none
	From, To sim.VTimeInSec
	What     What
	// Set if the interval was not simulated: its time is divided as the time of By from LikeFrom
	// to LikeTo is.
	LikeFrom, LikeTo sim.VTimeInSec
}
