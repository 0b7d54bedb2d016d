package block

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
)

// A Guest is a source that acts in the loop of the Host that answers its requests. All cycles
// are of Fine.
type Guest interface {
	sim.Component
	// Act has the guest do what it does at a cycle that is due at its desk, or in which it
	// can see an answer.
	Act(cycle uint64) error
	// Heard takes note of an answer that came in a cycle, together with so many answers. It
	// returns when the guest acts because of it; Never: when it does anyway.
	Heard(cycle uint64, answers int) (act uint64)
}

// A Host answers requests in a loop of its own, and has its guests act in the same loop.
type Host interface {
	sim.Component
	// Receive gives a guest that sends from one port to another its desk; nil if they need
	// messages.
	Receive(g Guest, from, to *engine.Port) *Desk
}

// A Desk joins a guest and its host. What one of them hands over in a cycle the other sees
// in a later one, as over a wire of latency 1 at both ends.
type Desk struct {
	Guest    Guest
	wake     func(first uint64)
	requests requests
	answers  answers
	due      Times // when the guest acts
}

// Check finds the desk of a guest; nil if it has to send messages.
func Check(g Guest, port *engine.Port) *Desk {
	ends, e, ok := port.Plain()
	if !ok || len(ends) != 2 || !e.MayCarry() {
		return nil
	}
	to := ends[0]
	if to.Port == port {
		to = ends[1]
	}
	for _, x := range ends {
		if x.Latency != 1 || x.Clock != Fine {
			return nil
		}
	}
	h, ok := to.Port.Component().(Host)
	if !ok {
		return nil
	}
	return h.Receive(g, port, to.Port)
}

// First is when the guest acts next; Never: as things are it does not.
func (d *Desk) First() uint64 { return d.due.First() }

// NewDesk makes the desk of a guest. It calls wake with the first cycle in which the guest
// is to act, whenever that cycle changes.
func NewDesk(g Guest, wake func(first uint64)) *Desk { return &Desk{Guest: g, wake: wake} }

// Ask hands over a request of the guest in a cycle.
func (d *Desk) Ask(cycle uint64, r Request) {
	r.At = cycle
	*d.requests.push() = r
}

// Asked takes the next request that the host can see in a cycle, good until the next Ask.
func (d *Desk) Asked(cycle uint64) *Request {
	if d.requests.n == 0 || d.requests.at(0).At >= cycle {
		return nil
	}
	r := d.requests.at(0)
	d.requests.pop()
	return r
}

// Answer hands over an answer of the host in a cycle.
func (d *Desk) Answer(cycle uint64, tag uint32) {
	d.answers.push(Answer{At: cycle, Tag: tag})
	if act := d.Guest.Heard(cycle, d.answers.n); act != Never {
		d.Wake(act)
	}
}

// Answered takes the next answer that the guest can see in a cycle.
func (d *Desk) Answered(cycle uint64) (a Answer, ok bool) {
	if d.answers.n == 0 || d.answers.at(0).At >= cycle {
		return a, false
	}
	return d.answers.pop(), true
}

// Seen is how many answers the guest can see in a cycle and has not taken.
func (d *Desk) Seen(cycle uint64) (n int) {
	for n < d.answers.n && d.answers.at(n).At < cycle {
		n++
	}
	return n
}

// Wake has the guest act in a cycle, besides those it was promised.
func (d *Desk) Wake(cycle uint64) {
	if d.due.Add(cycle) {
		d.wake(cycle)
	}
}

// Turn has the guest act in the first cycle in which it is to; there must be one. It reports
// whether the host has a request to look at.
func (d *Desk) Turn() (asks bool, err error) {
	cycle := d.due.Pop()
	d.wake(d.First())
	err = d.Guest.Act(cycle)
	return d.requests.n > 0, err
}
