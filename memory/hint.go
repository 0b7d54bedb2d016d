// Package memory holds what travels with a memory request between nodes, and
// the arithmetic that both ends of a request share: hints, failures, address
// maps, serialisation of a bandwidth.
//
// Requests themselves are Akita's mem.ReadReq and mem.WriteReq, of any size and
// alignment, answered once each. By default they carry timing only: the Data of
// a write is a slice of Zeros, never written or kept.
package memory

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Hint is what the dataflow knows about a request. It travels in the Info
// field of a request as *Hint, is owned and pooled by the requester and passed
// unchanged to child requests. A nil or foreign Info means: nothing is known.
// Zero fields mean the same of one fact.
type Hint struct {
	Tensor uint32     // index of the tensor in the workload plus 1
	Kind   graph.Role // what the tensor is for; holds where Tensor is not 0
	Reuse  uint32     // accesses still expected to each byte, this one excluded
	Core   uint16     // element number of the requesting core
	PC     uint64     // program counter, of trace players
	About  *Tensor    // what is known of the tensor; nil: nothing
	Task   task.ID    // of the requester, that this request belongs to; a node that sends its own requests for it puts its own task here
	Next   []uint64   // of each line of the request, the index of the next access to it among all of the requester, 0: never; nil: no cache wants it, see Foreseer

	// Passing marks a write of what is not used again soon, a non-temporal store: a cache
	// that has no line of it passes it on and makes none.
	Passing bool

	// Keeps is set by a cache that keeps the lines it reads, Victim of lines that it gives
	// up, for a cache below that is inclusive or exclusive. Dirty is written by an exclusive
	// cache before it answers a read that keeps: memory lacks changes of the line.
	Keeps, Dirty bool
	Victim       Victim

	// Accepted is when the memory that answers took the request into its queues,
	// where it may have waited in front of them. The memory writes it before it
	// answers, the requester reads it with the answer; 0: when it came.
	Accepted sim.VTimeInSec
	// AcceptedIn is Accepted as a cycle of the clock that all have in a block, plus 1.
	AcceptedIn uint64
}

// A Victim says why a cache writes a line below.
type Victim uint8

// The reasons.
const (
	NoVictim      Victim = iota
	CleanVictim          // it was evicted, and memory has all of it
	DirtyVictim          // it was evicted
	RecalledDirty        // a cache below took it back: see Recall
)

// Cause is the task that a request belongs to, 0 if nothing is known.
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

// The reasons of a failure.
const (
	DecodeError ErrorCode = iota + 1 // the address has no home
	Poison                           // the data are known to be bad
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

// Zeros is n bytes of the shared read-only zero buffer, the Data of a timing
// write. Receivers must neither write to it nor keep it. It panics above MaxBurst.
func Zeros(n uint64) []byte { return zeros[:n:n] }
