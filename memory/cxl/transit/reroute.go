package transit

import (
	"slices"

	"github.com/causeway-sim/causeway/memory/cxl/route"
)

// Lose loses a hop at t, with the messages in it or before it.
func (n *Network) Lose(h *Hop, t int64) {
	if h.dead {
		return
	}
	h.Fail()
	for i := range n.Lines.all.All() {
		l := n.Lines.all.At(int32(i))
		if l.on != h.Index+1 {
			continue
		}
		if l.waits() {
			n.release(l, l.hop-1, t, l.Class())
		}
		n.drop(int32(i), l, h)
	}
}

// waits reports whether a line in front of a link still keeps the buffer after the one
// before.
func (l *Line) waits() bool { return !l.departed && l.hop > 0 && !l.doomed }

// Reroute sets new routes for lines in flight at t. rest returns the remaining route by the
// present tables, with the link that the line is on or passed last; false if there is none. The
// next switch discards lines without a route, and lines that could wait in a ring. graphs are
// those of requests and answers.
func (n *Network) Reroute(t int64, graphs [2]route.Graph, rest func(legs []route.Leg) ([]route.Leg, bool)) {
	for i := range n.Lines.all.All() {
		l := n.Lines.all.At(int32(i))
		if l.doomed || l.on == 0 && !l.held {
			continue
		}
		old := n.Book.Legs(l.route)
		legs, ok := rest(old[l.hop:])
		side := 0
		if l.Up {
			side = 1
		}
		from := legs
		if l.on > 0 && l.waits() {
			from = append([]route.Leg{old[l.hop-1]}, legs...)
		}
		if ok = ok && graphs[side].Add(from); !ok {
			n.doom(l, t)
			continue
		}
		if !slices.Equal(legs, old[l.hop:]) {
			l.route = n.Book.Private(append(slices.Clone(old[:l.hop]), legs...))
		}
	}
}

// doom has the next switch drop a line, which keeps nothing meanwhile that others wait
// for.
func (n *Network) doom(l *Line, t int64) {
	if l.on > 0 && l.waits() {
		n.release(l, l.hop-1, t, l.Class())
	}
	l.doomed = true
}
