package routing

import "github.com/causeway-sim/causeway/noc/topology"

// none marks an absent index.
const none = -1

// An Exhaustive view answers every question in every way, one call of Next after the other.
// noc/routing/deadlock follows all packets with such a view. For it only matters where a
// packet may go, so that a chain of questions is answered at once.
type Exhaustive interface {
	View
	// Together reports whether chains of questions are answered at once. Where it is
	// false, the view is asked like any other.
	Together() bool
	// Pick answers which one of n candidates the packet takes, or none (false). It takes
	// only those that are fit.
	Pick(n int, fit func(i int) bool) (int, bool)
}

// together returns the view if it answers chains of questions at once.
func together(v View) (Exhaustive, bool) {
	c, ok := v.(Exhaustive)
	return c, ok && c.Together()
}

// candidate reports what ask, a chain of questions about a way that a packet might be diverted
// to, answers. An Exhaustive view answers yes and no.
func candidate(v View, ask func() bool) bool {
	if c, ok := together(v); ok {
		return c.Ready(0, 0)
	}
	return ask()
}

// pick draws one of n candidates, and returns the first from there on that is fit
// and for which ask says yes; if only one may be looked at, that or none. An Exhaustive
// view answers which of those that are fit it is, or none.
func pick(v View, n int, one bool, fit, ask func(i int) bool) (int, bool) {
	if n < 1 {
		return 0, false
	}
	if c, ok := together(v); ok {
		return c.Pick(n, fit)
	}
	start := v.Intn(n)
	for i := range n {
		if i = (start + i) % n; fit(i) && ask(i) {
			return i, true
		}
		if one {
			break
		}
	}
	return 0, false
}

// alike draws one of n, and reports whether it is fit. All that are fit are alike to
// the Bulk of the algorithm: an Exhaustive view takes the first of them only.
func alike(v View, n int, fit func(i int) bool) (int, bool) {
	if n < 1 {
		return 0, false
	}
	if _, ok := together(v); ok {
		for i := range n {
			if fit(i) {
				return i, true
			}
		}
		return 0, false
	}
	i := v.Intn(n)
	return i, fit(i)
}

// oneIn is true one time in n.
func oneIn(v View, n int) bool {
	if c, ok := together(v); ok {
		return c.Intn(min(n, 2)) == 0
	}
	return v.Intn(n) == 0
}

// A Bulk algorithm lets the check for deadlock (noc/routing/deadlock) follow many packets as one, so that a network of
// any size is decided in seconds. It knows which words of a packet no coming
// decision reads. The check follows the packets that it names in place of all.
//
// The contract: whatever channel and class a packet of the exhaustive walk may
// wait for after another, some packet named here may, too. TestBulkIsExact of
// noc/routing/deadlock compares both walks on small networks for every algorithm.
type Bulk interface {
	Algorithm
	// Starts calls yield with packets at router r that stand for all that start
	// there.
	Starts(r int, yield func(Packet))
	// Arrives clears the words that Spread does not read of a packet that has come
	// to router r by a channel of a class.
	Arrives(by topology.Class, r int, p *Packet)
	// Spread calls yield with packets that stand for p, which has come to router
	// r by a channel of a class.
	Spread(by topology.Class, r int, p Packet, yield func(Packet))
	// Waits clears the words of a packet that are not read if it is asked about
	// again where it stands.
	Waits(p *Packet)
}
