package instant

import (
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
)

// A Cursor computes After, AtOrBefore and Time faster for instants that mostly move forward in
// small steps. It keeps the cycle of the last instant, so the same or the next cycle costs a
// comparison or one division. Its results equal those of the functions of this package. A Cursor
// is not safe for concurrent use.
type Cursor struct {
	c        clock.Clock
	num      uint64         // of c
	den      float64        // of c
	rate     float64        // cycles per second, rounded
	n        uint64         // the cycle that the last instant lies in
	at, next sim.VTimeInSec // Time(n) and Time(n+1); next is 0 until it is first needed
}

// NewCursor returns a cursor at cycle 0.
func NewCursor(c clock.Clock) Cursor {
	if c.IsZero() {
		panic("instant: cursor of no clock")
	}
	return Cursor{c: c, num: c.Num(), den: float64(c.Den()), rate: float64(c.Den()) / float64(c.Num())}
}

// Clock is the clock that the cursor reads.
func (k *Cursor) Clock() clock.Clock { return k.c }

// After is the first cycle whose instant is strictly after t.
func (k *Cursor) After(t sim.VTimeInSec) uint64 { return k.AtOrBefore(t) + 1 }

// AtOrBefore is the last cycle whose instant is not after t.
func (k *Cursor) AtOrBefore(t sim.VTimeInSec) uint64 {
	// Most questions are about instants of the clock itself.
	if t != k.at && (t < k.at || t >= k.next) {
		k.seek(t)
	}
	return k.n
}

// Time is the instant of cycle n.
func (k *Cursor) Time(n uint64) sim.VTimeInSec {
	switch {
	case n == k.n:
		return k.at
	case n == k.n+1 && k.next > 0:
		return k.next
	}
	return k.time(n)
}

// time is Of with the conversions done before.
func (k *Cursor) time(n uint64) sim.VTimeInSec {
	if hi, lo := bits.Mul64(n, k.num); hi == 0 && lo < 1<<63 {
		return sim.VTimeInSec(float64(int64(lo)) / k.den)
	}
	return Of(k.c, n)
}

// seek moves to the cycle that t lies in.
func (k *Cursor) seek(t sim.VTimeInSec) {
	if t == k.next && t > 0 { // 0 is no later instant
		k.n, k.at, k.next = k.n+1, t, 0
		return
	}
	if t < 0 || t > farthest {
		k.n = AtOrBefore(k.c, t)
		k.at, k.next = Of(k.c, k.n), Of(k.c, k.n+1)
		return
	}
	// The estimate is off by a cycle at most, but for long runs of fast clocks.
	k.n = uint64(int64(float64(t) * k.rate))
	k.at, k.next = k.time(k.n), 0
	if t == k.at {
		return
	}
	for t < k.at {
		k.n--
		k.at, k.next = k.time(k.n), k.at
	}
	if k.next == 0 {
		k.next = k.time(k.n + 1)
	}
	for t >= k.next {
		k.n++
		k.at, k.next = k.next, k.time(k.n+1)
	}
}

// farthest is an instant up to which an estimate is good for every clock: below
// 2^53 picoseconds.
const farthest = 9000
