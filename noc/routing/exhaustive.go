package routing

import "github.com/causeway-sim/causeway/noc/topology"

// none marks an absent index.
const none = -1

// An Exhaustive view gives every possible answer, over successive calls of Next.
// noc/routing/deadlock follows all packets with such a view. Only the possible hops matter to it,
// so Pick replaces a chain of calls.
type Exhaustive interface {
	View
	// Together reports whether Pick answers several decisions at once. If false, the algorithm
	// uses the other methods.
	Together() bool
	// Pick returns one of n candidates for which fit is true, or false for none.
	Pick(n int, fit func(i int) bool) (int, bool)
}

// together returns the view if it answers chains of questions at once.
func together(v View) (Exhaustive, bool) {
	c, ok := v.(Exhaustive)
	return c, ok && c.Together()
}

// candidate returns the result of ask, a chain of conditions on a possible detour. An Exhaustive
// view gives both results.
func candidate(v View, ask func() bool) bool {
	if c, ok := together(v); ok {
		return c.Ready(0, 0)
	}
	return ask()
}

// pick draws one of n candidates, and returns the first from there on that is fit and for which
// ask is true; if only one may be tried, that or none. An Exhaustive view returns any fit one, or
// none.
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

// A Bulk algorithm allows deadlock.Check to follow one packet for many, so that it takes seconds
// for a network of any size. The algorithm clears words of a packet that no later decision reads,
// and names the packets to follow.
//
// The contract: for every pair of (channel, class) that some packet may hold and wait for, some
// packet named here may too. TestBulkIsExact of noc/routing/deadlock compares both walks on small
// networks for every algorithm.
type Bulk interface {
	Algorithm
	// Starts calls yield with packets that represent all packets that start at router r.
	Starts(r int, yield func(Packet))
	// Arrives clears the words of a packet that Spread does not read, after its arrival at router
	// r by a channel of a class.
	Arrives(by topology.Class, r int, p *Packet)
	// Spread calls yield with packets that represent p after its arrival at router r by a channel
	// of a class.
	Spread(by topology.Class, r int, p Packet, yield func(Packet))
	// Waits clears the words of a packet that Next does not read if it is called again at the
	// same router.
	Waits(p *Packet)
}
