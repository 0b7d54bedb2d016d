package memlink

import (
	"github.com/sarchlab/akita/v3/sim"

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
	last      bool  // of a write: its answer goes with the operation's last
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
)

// An event is one of these. Equal times go in the order in which they were made.
type event struct {
	index int32
	kind  kind
}

// pool hands out indices of a slice of values.
type pool[T any] struct {
	all  []T
	free []int32
}

func (p *pool[T]) take(v T) int32 {
	if n := len(p.free); n > 0 {
		i := p.free[n-1]
		p.free = p.free[:n-1]
		p.all[i] = v
		return i
	}
	p.all = append(p.all, v)
	return int32(len(p.all) - 1)
}

func (p *pool[T]) give(i int32) { p.free = append(p.free, i) }

func (p *pool[T]) open() int { return len(p.all) - len(p.free) }
