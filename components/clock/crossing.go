package clock

import (
	"math/bits"
)

// A Crossing converts cycles of one clock to cycles of another in exact integers: a cycle of the
// first lasts Num/Den cycles of the second.
type Crossing struct{ Num, Den uint64 }

// NewCrossing returns the crossing from one clock to another. It panics if the ratio of their
// periods does not fit 64 bits; clocks in whole hertz or whole femtoseconds fit.
func NewCrossing(from, to Clock) Crossing {
	a, b := GCD(from.Num(), to.Num()), GCD(from.Den(), to.Den())
	n, d := from.Num()/a, from.Den()/b
	m, e := to.Den()/b, to.Num()/a
	if g := GCD(n, d); g > 1 {
		n, d = n/g, d/g
	}
	if g := GCD(m, e); g > 1 {
		m, e = m/g, e/g
	}
	hi, num := bits.Mul64(n, m)
	hi2, den := bits.Mul64(d, e)
	if hi != 0 || hi2 != 0 {
		panic("clock: two clocks have no common measure in 64 bits")
	}
	g := GCD(num, den)
	return Crossing{num / g, den / g}
}

// After returns the first cycle of the second clock that is strictly after cycle n of the first.
func (c Crossing) After(n uint64) uint64 {
	if c.Num == c.Den {
		return n + 1
	}
	hi, lo := bits.Mul64(n, c.Num)
	if hi == 0 {
		return lo/c.Den + 1
	}
	q, _ := bits.Div64(hi, lo, c.Den)
	return q + 1
}
