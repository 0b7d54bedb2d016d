// Package instant converts between the cycles of a clock and Akita's time.
//
// Akita's time is a float64 of seconds. This package computes it from an integer cycle by one
// correctly rounded division, so equal instants of two clocks are equal floats while cycle*num is
// below 2^53 (52 days of a 2 GHz clock). No time is a sum of floats.
package instant

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
)

// Freq is the nearest Akita frequency, for components of other packages.
func Freq(c clock.Clock) sim.Freq { return sim.Freq(float64(c.Den()) / float64(c.Num())) }

// Of is the instant of cycle n.
func Of(c clock.Clock, n uint64) sim.VTimeInSec {
	hi, lo := bits.Mul64(n, c.Num())
	if hi == 0 {
		return sim.VTimeInSec(float64(lo) / float64(c.Den()))
	}
	return sim.VTimeInSec((float64(hi)*(1<<64) + float64(lo)) / float64(c.Den()))
}

// AtOrAfter is the first cycle whose instant is not before t. It panics beyond cycle 2^62, which
// is 53 days at 1 ps a cycle.
func AtOrAfter(c clock.Clock, t sim.VTimeInSec) uint64 {
	if t <= 0 {
		return 0
	}
	estimate := math.Round(float64(t) * float64(c.Den()) / float64(c.Num()))
	if estimate >= 1<<62 {
		panic(fmt.Sprintf("instant: %g s is beyond cycle 2^62 of %v", float64(t), c))
	}
	n := uint64(estimate)
	for Of(c, n) < t {
		n++
	}
	for n > 0 && Of(c, n-1) >= t {
		n--
	}
	return n
}

// After is the first cycle whose instant is strictly after t.
func After(c clock.Clock, t sim.VTimeInSec) uint64 {
	n := AtOrAfter(c, t)
	if Of(c, n) == t {
		n++
	}
	return n
}

// AtOrBefore is the last cycle whose instant is not after t. It panics for a
// negative t.
func AtOrBefore(c clock.Clock, t sim.VTimeInSec) uint64 {
	if t < 0 {
		panic(fmt.Sprintf("instant: time %g s", float64(t)))
	}
	n := AtOrAfter(c, t)
	if Of(c, n) > t {
		n--
	}
	return n
}
