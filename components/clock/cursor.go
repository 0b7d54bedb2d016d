package clock

import "github.com/sarchlab/akita/v3/sim"

// A Cursor answers the questions of a Clock for instants that mostly move
// forward a little at a time. It remembers the cycle around the last instant,
// so that a question about the same or the next cycle costs a comparison or one
// division. Answers are those of the Clock, always. A Cursor is not safe for
// concurrent use.
type Cursor struct {
	c        Clock
	n        uint64         // the cycle that the last instant lies in
	at, next sim.VTimeInSec // Time(n), Time(n+1)
}

// NewCursor returns a cursor that stands at cycle 0.
func NewCursor(c Clock) Cursor {
	if c.IsZero() {
		panic("clock: cursor of no clock")
	}
	return Cursor{c: c, next: c.Time(1)}
}

// Clock is the clock that the cursor reads.
func (k *Cursor) Clock() Clock { return k.c }

// After is the first cycle whose instant is strictly after t.
func (k *Cursor) After(t sim.VTimeInSec) uint64 {
	if t < k.at || t >= k.next {
		k.seek(t)
	}
	return k.n + 1
}

// AtOrBefore is the last cycle whose instant is not after t.
func (k *Cursor) AtOrBefore(t sim.VTimeInSec) uint64 {
	if t < k.at || t >= k.next {
		k.seek(t)
	}
	return k.n
}

// Time is the instant of cycle n.
func (k *Cursor) Time(n uint64) sim.VTimeInSec {
	switch n {
	case k.n:
		return k.at
	case k.n + 1:
		return k.next
	}
	return k.c.Time(n)
}

// seek moves to the cycle that t lies in.
func (k *Cursor) seek(t sim.VTimeInSec) {
	// Most moves are to the following cycle.
	if t >= k.next && t-k.next < k.next-k.at {
		if after := k.c.Time(k.n + 2); t < after {
			k.n, k.at, k.next = k.n+1, k.next, after
			return
		}
	}
	if t < 0 || t > farthest {
		k.n = k.c.AtOrBefore(t)
		k.at, k.next = k.c.Time(k.n), k.c.Time(k.n+1)
		return
	}
	// The estimate is off by a cycle at most, but for long runs of fast clocks.
	k.n = uint64(float64(t) * float64(k.c.den) / float64(k.c.num))
	k.at, k.next = k.c.Time(k.n), k.c.Time(k.n+1)
	for t < k.at {
		k.n--
		k.at, k.next = k.c.Time(k.n), k.at
	}
	for t >= k.next {
		k.n++
		k.at, k.next = k.next, k.c.Time(k.n+1)
	}
}

// farthest is an instant up to which an estimate is good for every clock: below
// 2^53 picoseconds.
const farthest = 9000
