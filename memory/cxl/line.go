package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// A part is where a line spends its time.
type part uint8

const (
	partHost      part = iota // core, caches, page walk; waiting for a place among the outstanding
	partPort                  // bridge and protocol layers of the root port, towards the device
	partQueue                 // for credits and for slots in flits, at all links
	partSerial                // the flits of the message, at all links
	partRetry                 // replays
	partWire                  // the ways of all links
	partSwitch                // through switches, waiting for the next link not counted
	partDevice                // protocol layers of the device, waiting for a place at its memory
	partDRAMQueue             // from the memory's port to its queues
	partDRAM                  // from the queues to the answer
	partReturn                // protocol layers and bridge towards the host
	parts
)

var partNames = [parts][2]string{
	{"host", "in core, caches and page walk, and waiting for a place among the outstanding lines"},
	{"port", "in bridge and root port, towards the device"},
	{"link_queue", "waiting for credits and for slots in flits"},
	{"serialization", "in flits being sent"},
	{"retry", "lost to replays"},
	{"wire", "on the way between ports"},
	{"switch", "in switches"},
	{"device", "in protocol layers of the device and waiting for a place at its memory"},
	{"dram_queue", "in front of the memory's queues"},
	{"dram_service", "in the memory, queues included"},
	{"return", "in root port and bridge, towards the host"},
}

// A request is a message at a root's host port that is not answered.
type request struct {
	msg    sim.Msg
	root   int32
	left   int32 // lines
	at     int64 // ps
	write  bool
	failed bool // a line had no answer in time
}

// A line is one transaction of 64 bytes.
type line struct {
	request int32
	root    int32
	device  int32 // -1: local memory
	ld      int32 // logical device, of all in the fabric
	route   int32 // that it is on
	hop     int32 // links of the route behind it
	addr    uint64
	parts   [parts]int64
	start   int64
	mark    int64 // up to where the parts reach
	pin     int64 // arrival at the device
	next    int32 // in a list of lines that wait
	in      int32 // link by which it came to the device
	write   bool
	up      bool  // on the way back
	id      uint8 // LD-ID
	early   bool  // a write that is answered before the memory has it
	load    load
	note    int32      // coherence message that it carries; 0: none
	carries flit.Class // of the message
	partial bool       // a write of less than the line
	done    bool       // over for the host,
	over    bool       // in the fabric,
	stored  bool       // and for the memory, an early write
	// of links that may be lost
	departed bool   // the link has packed it
	lost     bool   // nobody has it any more,
	where    int32  // since then, of the fabric's places
	on       int32  // link that it is on, plus 1
	turn     uint32 // of this place
	held     bool   // in a switch
	doomed   bool   // the next switch drops it
}

// add gives the time up to t to a part.
func (l *line) add(p part, t int64) {
	l.parts[p] += t - l.mark
	l.mark = t
}

// class is that of the line's message.
func (l *line) class() flit.Class {
	if l.note != 0 {
		return l.carries
	}
	if l.up {
		return classUp(l.write)
	}
	return classDown(l.write)
}

// list is a queue of lines, by their next.
type list struct{ head, tail, n int32 }

func (q *list) push(lines []line, i int32) {
	lines[i].next = -1
	if q.n == 0 {
		q.head = i
	} else {
		lines[q.tail].next = i
	}
	q.tail = i
	q.n++
}

func (q *list) pop(lines []line) int32 {
	i := q.head
	q.head = lines[i].next
	q.n--
	return i
}

// newLine makes the line of an address.
func (f *fabric) newLine(r *Root, addr uint64) (int32, error) {
	var i int32
	if n := len(f.free); n > 0 {
		i = f.free[n-1]
		f.free = f.free[:n-1]
	} else {
		f.lines = append(f.lines, line{})
		i = int32(len(f.lines) - 1)
	}
	l := &f.lines[i]
	*l = line{root: r.index, addr: addr, turn: l.turn + 1}
	if f.space != nil {
		if d, at, _, ok := f.space.Find(addr); ok {
			x := f.lds[d]
			l.device, l.ld, l.id, l.addr = x.device.index, int32(d), x.id, x.base+at
			if !f.bound[int(l.root)*len(f.lds)+d] {
				return 0, fmt.Errorf("cxl: %s: address %#x is at %s, which it does not reach", r.Name(), addr, x.name())
			}
			return i, nil
		}
	}
	if r.homes != nil {
		if _, _, _, ok := r.homes.Find(addr); ok {
			l.device = -1
			return i, nil
		}
	}
	return 0, fmt.Errorf("cxl: %s: address %#x has no home", r.Name(), addr)
}

func (f *fabric) freeLine(i int32) { f.free = append(f.free, i) }

func (f *fabric) newRequest() int32 {
	if n := len(f.idle); n > 0 {
		i := f.idle[n-1]
		f.idle = f.idle[:n-1]
		return i
	}
	f.requests = append(f.requests, request{})
	return int32(len(f.requests) - 1)
}

// hint is what the host knows about a line, as long as its request lasts.
func (f *fabric) hint(l *line) *memory.Hint {
	if l.done {
		return nil
	}
	m, _ := memory.RequestOf(f.requests[l.request].msg)
	return m.Hint
}
