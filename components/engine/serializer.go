package engine

import (
	"fmt"
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
)

// A serializer is one direction of a link of limited bandwidth. It counts in
// cycles of its end's clock, with an exact fraction, so that any number of
// messages takes exactly bytes/bandwidth.
type serializer struct {
	mul, div uint64 // a byte takes mul/div cycles; div 0: no limit
	cycle    uint64 // free from cycle + frac/div on
	frac     uint64
}

func newSerializer(c clock.Clock, b units.Bandwidth) serializer {
	if b == 0 {
		return serializer{}
	}
	// A cycle is num/den s, a byte 8/b s.
	hi, div := bits.Mul64(uint64(b), c.Num())
	hi2, mul := bits.Mul64(8, c.Den())
	if hi != 0 || hi2 != 0 {
		panic(fmt.Sprintf("engine: bandwidth %d bit/s at %s is out of range", b, c))
	}
	x, y := mul, div
	for y != 0 {
		x, y = y, x%y
	}
	return serializer{mul: mul / x, div: div / x}
}

func (s *serializer) limited() bool { return s.div != 0 }

// take books n bytes, from cycle from at the earliest. They begin in cycle
// start, and the last of them is through at the beginning of cycle end.
func (s *serializer) take(from uint64, n int) (start, end uint64) {
	if s.cycle < from {
		s.cycle, s.frac = from, 0
	}
	start = s.cycle
	hi, lo := bits.Mul64(uint64(n), s.mul)
	lo, carry := bits.Add64(lo, s.frac, 0)
	q, r := bits.Div64(hi+carry, lo, s.div)
	s.cycle, s.frac = s.cycle+q, r
	end = s.cycle
	if r > 0 || end == start { // nothing arrives in the cycle in which it begins
		end++
	}
	return start, end
}
