package block

import (
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// Never is later than every cycle.
const Never = ^uint64(0)

// A Request is a request of a memory.
type Request struct {
	At          uint64 // first cycle in which the receiver sees it
	Addr, Bytes uint64
	Hint        *memory.Hint // of the requester, good until it has the answer
	Tag         uint32       // returned with the answer
	Write       bool
}

// Asked converts the request to a memory.Request.
func (r *Request) Asked() memory.Request {
	return memory.Request{Addr: r.Addr, Bytes: r.Bytes, Write: r.Write, Hint: r.Hint}
}

// An Answer ends the request of its Tag.
type Answer struct {
	At  uint64 // first cycle in which the receiver sees it
	Tag uint32
}

// A Link joins a requester and one node that answers its requests.
type Link struct {
	From, To *engine.Port // ports of the messages that the link replaces

	requests requests
	in       int // of the requests, those that the port has taken
	capacity int // of the port
	there    uint64
	answers  answers
	back     uint64
	room     int // answers that the wire takes of one instant
	sent     int // of them, in the cycle sentIn
	sentIn   uint64
	out      *Outlet
	quick    KnownLatency // the responder, if it is one
	settled  *uint64      // of the block
	from, to *uint64      // when the ends are due
	// patient: answers need not wake the requester, unless they are more than this
	patient int
}

// deliver moves requests that have arrived by a cycle into the port, as far as it has room.
func (l *Link) deliver(cycle uint64) {
	for l.in < l.requests.n && l.in < l.capacity && l.requests.at(l.in).At <= cycle {
		l.in++
	}
}

// Open starts a cycle of the responder.
func (l *Link) Open(cycle uint64) { l.deliver(cycle) }

// Len returns the requests at the responder's port.
func (l *Link) Len() int { return l.in }

// Peek returns the first request at the port, or nil; it is valid until the next Pop.
func (l *Link) Peek() *Request {
	if l.in == 0 {
		return nil
	}
	return l.requests.at(0)
}

// Pop removes the first request in a cycle. The result is valid until the requester sends
// another.
func (l *Link) Pop(cycle uint64) *Request {
	if l.out.denied {
		l.out.denied = false
		*l.from = min(*l.from, cycle+l.out.pause)
	}
	l.in--
	q := l.requests.at(0)
	l.requests.pop()
	return q
}

// Due returns the cycle after this one in which the responder sees another request; Never if its
// port is full or no request is on its way.
func (l *Link) Due(cycle uint64) uint64 {
	if l.in < l.requests.n && l.in < l.capacity {
		return max(l.requests.at(l.in).At, cycle+1)
	}
	return Never
}

// CanAnswer reports whether the wire takes an answer in a cycle. If not, it takes one in the next
// cycle.
func (l *Link) CanAnswer(cycle uint64) bool { return l.sentIn != cycle || l.sent < l.room }

// Answer sends an answer.
func (l *Link) Answer(cycle uint64, tag uint32) {
	if l.sentIn != cycle {
		l.sentIn, l.sent = cycle, 0
	}
	l.sent++
	at := cycle + l.back
	l.answers.push(Answer{at, tag})
	if l.answers.n > l.patient && at < *l.from {
		*l.from = at
	}
}

// Answered removes the next answer that the requester sees in a cycle.
func (l *Link) Answered(cycle uint64) (a Answer, ok bool) {
	if l.answers.n == 0 || l.answers.at(0).At > cycle {
		return a, false
	}
	return l.answers.pop(), true
}

// Next returns the cycle in which the requester sees the next answer.
func (l *Link) Next() uint64 {
	if l.answers.n == 0 {
		return Never
	}
	return l.answers.at(0).At
}

// An Outlet is all links from a requester's port.
type Outlet struct {
	Links  []*Link // in the order of the names of the ports they lead to
	room   int     // messages that the wire holds for the requester
	sent   int     // in the cycle sentIn
	sentIn uint64
	denied bool
	late   uint64 // 1: requests that arrive a cycle later have been tried already
	pause  uint64 // cycles from a Pop to the first chance to send again
}

// To returns the link to a port. It panics if the port is not in the block.
func (o *Outlet) To(p *engine.Port) *Link {
	for _, l := range o.Links {
		if l.To == p {
			return l
		}
	}
	panic("block: " + p.Name() + " is not in the block")
}

// CanSend reports whether the wire takes a request in a cycle. If not, the requester acts again
// when it does.
func (o *Outlet) CanSend(cycle uint64) bool {
	sent, refused := 0, 0
	if o.sentIn == cycle {
		sent = o.sent
	}
	if l := o.Links[0]; len(o.Links) == 1 && l.in == l.requests.n && sent < o.room {
		return true
	}
	for _, l := range o.Links {
		if l.in == l.requests.n {
			continue
		}
		tried := cycle
		if l.there > 1 {
			tried += o.late
		}
		l.deliver(tried)
		for i := l.in; i < l.requests.n && l.requests.at(i).At <= tried; i++ {
			refused++
		}
	}
	if sent+refused < o.room {
		return true
	}
	if sent > 0 { // they leave at the end of the cycle
		*o.Links[0].from = min(*o.Links[0].from, cycle+1)
	}
	o.denied = refused > 0
	return false
}

// Send sends a request; CanSend must be true.
func (o *Outlet) Send(l *Link, cycle uint64, r Request) {
	if o.sentIn != cycle {
		o.sentIn, o.sent = cycle, 0
	}
	o.sent++
	r.At = cycle + l.there
	*l.requests.push() = r
	if r.At < *l.to {
		*l.to = r.At
	}
}
