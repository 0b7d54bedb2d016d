package memlink

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// parts of an operation's latency.
const (
	partWait     = iota // for a place among the outstanding
	partSoftware        // a thread, and waiting for it
	partIssue           // the way to the link, and the interval
	partRequest         // the link
	partAccess          // the far end
	partMemory
	partResponse // the link
	partComplete
	parts
)

var partNames = [parts]string{"wait", "software", "issue", "request", "access", "memory", "response", "complete"}

// A request is a message that is not answered.
type request struct {
	msg  sim.Msg
	hint *memory.Hint
	at   uint64 // ps
	left int32  // operations
	task task.ID
}

// An operation is a part of a request.
type operation struct {
	addr, bytes uint64
	request     int32
	left        int32 // packets that have not come back
	write       bool
	began       uint64 // taken from its request
	marks       [partRequest]uint64
}

// A packet is one of an operation, in whichever direction the data go.
type packet struct {
	bytes     uint64 // of data
	addr      uint64
	operation int32
	pieces    int32 // of it at the memory
	frees     bool  // the last of what came to the far end in one packet
	// when it was at the far end, when at the memory, when the memory was done
	there, asked, done uint64
}

// kind is what happens.
type kind uint8

const (
	evIssue   kind = iota // an operation is at the card
	evDepart              // it is its turn on the link
	evThere               // a packet is at the far end
	evAsk                 // it is at the memory
	evBack                // the last of an operation has come back
	evThrough             // the requester has it
	evCredit              // a credit is back; index is the direction
)

// An event is one of these. Equal times go in the order in which they were made.
type event struct {
	index int32
	kind  kind
}

// take gives v a place in a pool.
func take[T any](p *pool.Of[T, int32], v T) int32 {
	i := p.Take()
	*p.At(i) = v
	return i
}
