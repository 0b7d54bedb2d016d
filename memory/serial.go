package memory

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
)

// A Serializer is a channel of limited bandwidth: transfers pass one after the other, without
// rounding between them. The zero value has unlimited bandwidth. Event-driven and analytic
// fidelities use the same type.
type Serializer struct {
	// One cycle is worth per units, one byte costs cost units: bandwidth
	// b bit/s and period n/d s give per = b*n, cost = 8*d, reduced.
	per, cost uint64
	free      uint64 // cycle in which the channel becomes free ...
	used      uint64 // ... and the units of that cycle already used, < per
}

// NewSerializer returns an idle channel of bandwidth b under clock c; b 0 is unlimited. It panics
// if their ratio does not fit 64 bits.
func NewSerializer(b units.Bandwidth, c clock.Clock) Serializer {
	if b == 0 {
		return Serializer{}
	}
	x, y := uint64(b), c.Den()
	if g := clock.GCD(x, y); g > 1 {
		x, y = x/g, y/g
	}
	n, d := c.Num(), uint64(8)
	if g := clock.GCD(n, d); g > 1 {
		n, d = n/g, d/g
	}
	if g := clock.GCD(x, d); g > 1 {
		x, d = x/g, d/g
	}
	hi, per := bits.Mul64(x, n)
	hi2, cost := bits.Mul64(y, d)
	if hi != 0 || hi2 != 0 {
		panic("memory: bandwidth and clock have no common measure in 64 bits")
	}
	return Serializer{per: per, cost: cost}
}

// Transfer passes n bytes that are ready at cycle at, and returns the first cycle by whose start
// the last byte has passed. Transfers pass in the order of calls.
func (s *Serializer) Transfer(at, n uint64) (done uint64) {
	if s.per == 0 {
		return at
	}
	if at > s.free {
		s.free, s.used = at, 0
	}
	hi, lo := bits.Mul64(n, s.cost)
	lo, carry := bits.Add64(lo, s.used, 0)
	q, r := bits.Div64(hi+carry, lo, s.per)
	s.free, s.used = s.free+q, r
	if r > 0 {
		return s.free + 1
	}
	return s.free
}

// Free returns the first cycle at which the channel is idle.
func (s *Serializer) Free() uint64 {
	if s.used > 0 {
		return s.free + 1
	}
	return s.free
}
