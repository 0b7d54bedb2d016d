package transit

import (
	places "github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
)

// A Line is one transaction of 64 bytes, or one coherence message. Fields that links use come
// first, for locality.
type Line struct {
	Transaction
	Path
	Breakdown
	Visit
	Life
}

// A Transaction is the purpose of a line.
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

// A Path is a line's position on its route.
type Path struct {
	route    int32 // number of the open route
	hop      int32 // legs that it has passed
	on       int32 // link that it is on, plus 1
	departed bool  // the link has packed it
	held     bool  // it is in a switch
	doomed   bool  // the next switch drops it
}

// A Visit is the state of a line at its device.
type Visit struct {
	Pin   int64     // arrival at the device
	In    int32     // hop by which it arrived
	Early bool      // a write that is answered before the memory has it
	Load  pool.Load // that the answer reports
}

// A Life is the state of a line's end: its place may be reused when all parties are done.
type Life struct {
	Done   bool   // the host has the answer, or has given the line up
	Over   bool   // no part of the fabric holds the line
	Stored bool   // the memory has the data of an early write
	left   bool   // only the memory has not
	Lost   bool   // its message was lost
	Where  int32  // hop where it was lost
	Turn   uint32 // number of lines that had this place before
}

// Ended reports whether the line's place may be reused.
func (l *Line) Ended() bool { return l.Done && l.Over && (!l.Early || l.Stored) }

// Class returns the class of the line's message.
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

// At returns line i, valid until the next New.
func (x *Lines) At(i int32) *Line { return x.all.At(i) }

// New returns an empty line and its number.
func (x *Lines) New() (int32, *Line) {
	i := x.all.Take()
	l := x.all.At(i)
	*l = Line{Life: Life{Turn: l.Turn + 1}}
	if len(x.next) < x.all.Len() {
		x.next = append(x.next, -1)
	}
	return i, l
}

// Free releases the place of a line.
func (x *Lines) Free(i int32) { x.all.Give(i) }

// FreeIfEnded calls Free if the line has ended.
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

// Len returns the number of places.
func (x *Lines) Len() int { return x.all.Len() }

// Idle reports whether there is no line.
func (x *Lines) Idle() bool { return x.all.Taken() == 0 }

// Still reports whether no line is in flight.
func (x *Lines) Still() bool { return x.all.Taken() == x.left }

// A Queue is waiting lines, oldest first.
type Queue struct{ head, tail, n int32 }

// Len returns the number of lines.
func (q *Queue) Len() int { return int(q.n) }

// Head returns the oldest line; there must be one.
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

// Pop removes the oldest line; there must be one.
func (q *Queue) Pop(x *Lines) int32 {
	i := q.head
	q.head = x.next[i]
	q.n--
	return i
}
