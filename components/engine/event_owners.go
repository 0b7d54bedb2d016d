package engine

import "github.com/sarchlab/akita/v3/sim"

// EventOwners is an engine that knows whose events are scheduled. Akita's own do not; Adopted keeps a
// list for them.
type EventOwners interface {
	// Scheduled reports whether an event is left of a handler that f selects. It is called from a
	// handler, or between runs.
	Scheduled(f func(sim.Handler) bool) bool
}

// An Observer is a handler that only looks: its events let nothing go on.
type Observer interface{ Observes() }

// Scheduled implements EventOwners.
func (e *Engine) Scheduled(f func(sim.Handler) bool) bool {
	if b := e.current; b != nil && b.left(f) {
		return true
	}
	for i := range e.heap {
		if e.heap[i].b.left(f) {
			return true
		}
	}
	return false
}

// left reports whether an event that is still to be handled is of a handler that f selects.
func (b *bucket) left(f func(sim.Handler) bool) bool {
	for _, list := range [2][]sim.Event{b.primary[b.nextPrimary:], b.secondary[b.nextSec:]} {
		for _, ev := range list {
			if f(ev.Handler()) {
				return true
			}
		}
	}
	return false
}

// Carries reports whether a message on the wire is one that f selects. blocked is true of a
// message that has found no room in its receiver.
func (w *Wire) Carries(f func(m sim.Msg, to sim.Port, blocked bool) bool) bool {
	for _, e := range w.ends {
		for _, o := range e.offers {
			if f(o.msg, w.ends[o.dst].port, false) {
				return true
			}
		}
		for i := range e.flight.Len() {
			if f(e.flight.At(i).msg, e.port, false) {
				return true
			}
		}
		for l := range e.lanes {
			q := &e.lanes[l].msgs
			for i := range q.Len() {
				if f(*q.At(i), e.port, true) {
					return true
				}
			}
		}
	}
	return false
}
