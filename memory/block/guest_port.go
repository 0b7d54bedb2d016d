package block

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
)

// A Guest is a source that acts in the loop of its Host. All cycles are of Fine.
type Guest interface {
	sim.Component
	// Act runs the guest in a cycle that is scheduled at its port, or in which it sees an answer.
	Act(cycle uint64) error
	// Heard reports an answer in a cycle, with the number of answers that wait. It returns the
	// cycle in which the guest acts on it; Never if a scheduled one is early enough.
	Heard(cycle uint64, answers int) (act uint64)
}

// A Host answers requests in a loop of its own, which also runs its guests.
type Host interface {
	sim.Component
	// Receive returns the port of a guest that sends from one port to another; nil if messages
	// are needed.
	Receive(g Guest, from, to *engine.Port) *GuestPort
}

// A GuestPort joins a guest and its host, like a wire of latency 1 at both ends.
type GuestPort struct {
	Guest    Guest
	wake     func(first uint64)
	requests requests
	answers  answers
	due      Times // when the guest acts
}

// Check returns the port of a guest at its host; nil if the guest must send messages.
func Check(g Guest, port *engine.Port) *GuestPort {
	near, far, _, ok := port.Carries()
	if !ok || len(far) != 1 || near.Latency != 1 || near.Clock != Fine || far[0].Latency != 1 || far[0].Clock != Fine {
		return nil
	}
	h, ok := far[0].Port.Component().(Host)
	if !ok {
		return nil
	}
	return h.Receive(g, port, far[0].Port)
}

// First returns the next cycle in which the guest acts; Never if none is scheduled.
func (d *GuestPort) First() uint64 { return d.due.First() }

// NewGuestPort makes the port of a guest. It calls wake with the next cycle in which the guest acts,
// whenever that cycle changes.
func NewGuestPort(g Guest, wake func(first uint64)) *GuestPort {
	return &GuestPort{Guest: g, wake: wake}
}

// Ask sends a request of the guest in a cycle.
func (d *GuestPort) Ask(cycle uint64, r Request) {
	r.At = cycle
	*d.requests.push() = r
}

// Asked removes the next request that the host sees in a cycle; it is valid until the next Ask.
func (d *GuestPort) Asked(cycle uint64) *Request {
	if d.requests.n == 0 || d.requests.at(0).At >= cycle {
		return nil
	}
	r := d.requests.at(0)
	d.requests.pop()
	return r
}

// Answer sends an answer of the host in a cycle.
func (d *GuestPort) Answer(cycle uint64, tag uint32) {
	d.answers.push(Answer{At: cycle, Tag: tag})
	if act := d.Guest.Heard(cycle, d.answers.n); act != Never {
		d.Wake(act)
	}
}

// Answered removes the next answer that the guest sees in a cycle.
func (d *GuestPort) Answered(cycle uint64) (a Answer, ok bool) {
	if d.answers.n == 0 || d.answers.at(0).At >= cycle {
		return a, false
	}
	return d.answers.pop(), true
}

// Seen returns the answers that the guest sees in a cycle and has not removed.
func (d *GuestPort) Seen(cycle uint64) (n int) {
	for n < d.answers.n && d.answers.at(n).At < cycle {
		n++
	}
	return n
}

// Wake schedules the guest for one more cycle.
func (d *GuestPort) Wake(cycle uint64) {
	if d.due.Add(cycle) {
		d.wake(cycle)
	}
}

// Turn runs the guest in the cycle First, which must not be Never. It reports whether the guest
// sent a request.
func (d *GuestPort) Turn() (asks bool, err error) {
	cycle := d.due.Pop()
	d.wake(d.First())
	err = d.Guest.Act(cycle)
	return d.requests.n > 0, err
}
