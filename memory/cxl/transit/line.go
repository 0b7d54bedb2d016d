package transit

import (
	places "github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
)

// A Line is one transaction of 64 bytes, or one coherence message. What a link looks at lies
// together, up to the mark of the breakdown.
type Line struct {
	Transaction
	Path
	Breakdown
	Visit
	Life
}

// A Transaction is what a line is for.
type Transaction struct {
	Request int32 // of the root's requests
	Root    int32
	Device  int32 // -1: local memory
	LD      int32 // logical device, of all in the fabric
	Addr    uint64
	Write   bool
	Partial bool       // a write of less than the line
	Up      bool       // towards the host
	ID      uint8      // LD-ID
	Note    int32      // coherence message that it carries; 0: none
	Carries flit.Class // of that message
}

// A Path is where a line is on its route.
type Path struct {
	route    int32 // number of the open route
	hop      int32 // legs that it has passed
	on       int32 // link that it is on, plus 1
	departed bool  // the link has packed it
	held     bool  // it is in a switch
	doomed   bool  // the next switch drops it
}

// A Visit is what a line notes at its device.
type Visit struct {
	Pin   int64     // arrival there
	In    int32     // link by which it came
	Early bool      // a write that is answered before the memory has it
	Load  pool.Load // that the answer reports
}

// A Life is who is done with a line: its place is free when all are.
type Life struct {
	Done   bool   // the host has its answer, or has given it up
	Over   bool   // the fabric has nothing of it any more
	Stored bool   // the memory has it, of an early write
	left   bool   // only the memory has not
	Lost   bool   // no node or link has its message any more
	Where  int32  // it was lost, by number
	Turn   uint32 // of this place, which other lines had before
}

// Ended reports whether the line's place may be used again.
func (l *Line) Ended() bool { return l.Done && l.Over && (!l.Early || l.Stored) }

// Class is that of the line's message.
func (l *Line) Class() flit.Class {
	if l.Note != 0 {
		return l.Carries
	}
	return classes[bit(l.Up)<<1|bit(l.Write)]
}

// classes are those of lines by two bits: towards the host, and writes.
var classes = [4]flit.Class{flit.M2SReq, flit.M2SRwD, flit.S2MDRS, flit.S2MNDR}

func bit(b bool) (n uint8) {
	if b {
		n = 1
	}
	return n
}

// Lines are all lines of a fabric, by number.
type Lines struct {
	all  places.Of[Line, int32]
	next []int32 // of the line after it in a queue
	left int     // lines that only a memory has not done with
}

// At is the line of a number, valid until the next New.
func (x *Lines) At(i int32) *Line { return x.all.At(i) }

// New makes an empty line.
func (x *Lines) New() (int32, *Line) {
	i := x.all.Take()
	l := x.all.At(i)
	*l = Line{Life: Life{Turn: l.Turn + 1}}
	if len(x.next) < x.all.Len() {
		x.next = append(x.next, -1)
	}
	return i, l
}

// Free gives the place of a line to another.
func (x *Lines) Free(i int32) { x.all.Give(i) }

// FreeIfEnded does so if all are done with it.
func (x *Lines) FreeIfEnded(i int32) {
	switch l := x.At(i); {
	case l.Ended():
		if l.left {
			x.left--
		}
		x.Free(i)
	case l.Done && l.Over && !l.left:
		l.left = true
		x.left++
	}
}

// Len is the number of places.
func (x *Lines) Len() int { return x.all.Len() }

// Idle reports whether there is no line.
func (x *Lines) Idle() bool { return x.all.Taken() == 0 }

// Still reports whether no line is to go anywhere.
func (x *Lines) Still() bool { return x.all.Taken() == x.left }

// A Queue is lines that wait, oldest first.
type Queue struct{ head, tail, n int32 }

// Len is the number of lines that wait.
func (q *Queue) Len() int { return int(q.n) }

// Head is the oldest. There must be one.
func (q *Queue) Head() int32 { return q.head }

// Push adds a line, which must be in no other queue.
func (q *Queue) Push(x *Lines, i int32) {
	x.next[i] = -1
	if q.n == 0 {
		q.head = i
	} else {
		x.next[q.tail] = i
	}
	q.tail = i
	q.n++
}

// Pop takes the oldest. There must be one.
func (q *Queue) Pop(x *Lines) int32 {
	i := q.head
	q.head = x.next[i]
	q.n--
	return i
}
