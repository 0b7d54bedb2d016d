// Package memory has the types that requesters and memories share: hints and failures of
// requests, address maps, placement of tensors, control requests of caches, and a Serializer for
// limited bandwidth. It models no memory: see memory/ideal, memory/curve, memory/dram,
// memory/cache and memory/cxl.
//
// A request is Akita's mem.ReadReq or mem.WriteReq, of any size and alignment, and gets one
// answer. By default it carries timing only: the Data of a write is a slice of Zeros, which no
// receiver writes or keeps.
//
// A requester makes its messages with Calls, a responder with Responses, and a configuration
// makes the Map of a port. Addresses and sizes are bytes, cycles those of the named clock. Bad
// input is an error (NewMap, Placer.Place, BadInputf); a message of an unexpected type panics.
package memory

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Hint is what the requester knows about a request. It is in the Info field of a request as
// *Hint. The requester owns and reuses it; nodes pass it unchanged to child requests. A nil or
// foreign Info, or a zero field, means unknown.
type Hint struct {
	Tensor uint32     // index of the tensor in the workload plus 1
	Kind   graph.Role // role of the tensor; valid if Tensor is not 0
	Reuse  uint32     // accesses still expected to each byte, this one excluded
	Core   uint16     // element number of the requesting core
	PC     uint64     // program counter, set by trace players
	About  *Tensor    // description of the tensor; nil: unknown
	Task   task.ID    // task that sent the request; a node that sends child requests sets its own task
	Next   []uint64   // by line of the request, the index of the next access to it among the requester's accesses, 0: never; nil: no NextUseReader

	// Passing marks a non-temporal store: a cache that does not hold the line forwards it without
	// allocating.
	Passing bool

	// Keeps and Victim are set by a cache, for an inclusive or exclusive cache below: Keeps on
	// reads of lines that it allocates, Victim on lines that it evicts. Dirty is set by an
	// exclusive cache in its answer to such a read, if the line differs from memory.
	Keeps, Dirty bool
	Victim       Victim

	// Accepted is the time at which the memory took the request from its port's queue into its
	// own. The memory sets it before it answers; 0: at arrival.
	Accepted sim.VTimeInSec
	// AcceptedIn is Accepted in cycles of a block's clock, plus 1.
	AcceptedIn uint64
}

// A Victim is the reason for which a cache writes a line below.
type Victim uint8

// The reasons of a Victim.
const (
	NoVictim      Victim = iota
	CleanVictim          // a clean line was evicted
	DirtyVictim          // it was evicted
	RecalledDirty        // a Recall of a cache below took the line back
)

// Cause returns the task that sent the request; 0: unknown.
func (h *Hint) Cause() task.ID {
	if h == nil {
		return 0
	}
	return h.Task
}

// HintOf returns the hint of a request's Info, or nil.
func HintOf(info any) *Hint {
	h, _ := info.(*Hint)
	return h
}

// An ErrorCode says why a request failed.
type ErrorCode uint8

// The error codes.
const (
	DecodeError ErrorCode = iota + 1 // the address has no home
	Poison                           // the data are known to be corrupt
	Removed                          // the device has left the system
	Timeout                          // no answer in time
)

func (c ErrorCode) String() string {
	return [...]string{"none", "decode", "poison", "removed", "timeout"}[c]
}

// An ErrorRsp answers a request that failed. A node that does not declare that
// it handles failures ends the run with a report.
type ErrorRsp struct {
	sim.MsgMeta
	RespondTo string
	Code      ErrorCode
}

// Meta implements sim.Msg.
func (r *ErrorRsp) Meta() *sim.MsgMeta { return &r.MsgMeta }

// GetRspTo implements sim.Rsp.
func (r *ErrorRsp) GetRspTo() string { return r.RespondTo }

// MaxBurst is the largest write that can carry Zeros.
const MaxBurst = 16 << 20

// zeros is an array, not a slice made at start: pages that are never read cost nothing.
var zeros [MaxBurst]byte

// Zeros returns n bytes of the shared read-only zero buffer, the Data of a timing write.
// Receivers must neither write to it nor keep it. It panics above MaxBurst.
func Zeros(n uint64) []byte { return zeros[:n:n] }
