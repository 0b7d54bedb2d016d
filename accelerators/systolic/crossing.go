package systolic

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock"
)

// A crossing carries instants of one clock over to another, in integers: a
// cycle of the first lasts num/den cycles of the second.
type crossing struct{ num, den uint64 }

// newCrossing returns the crossing from one clock to another. The ratio of two
// clocks in whole hertz or whole femtoseconds fits 64 bits with room to spare.
func newCrossing(from, to clock.Clock) crossing {
	a, b := clock.GCD(from.Num(), to.Num()), clock.GCD(from.Den(), to.Den())
	n, d := from.Num()/a, from.Den()/b
	m, e := to.Den()/b, to.Num()/a
	if g := clock.GCD(n, d); g > 1 {
		n, d = n/g, d/g
	}
	if g := clock.GCD(m, e); g > 1 {
		m, e = m/g, e/g
	}
	hi, num := bits.Mul64(n, m)
	hi2, den := bits.Mul64(d, e)
	if hi != 0 || hi2 != 0 {
		panic("systolic: two clocks have no common measure in 64 bits")
	}
	g := clock.GCD(num, den)
	return crossing{num / g, den / g}
}

// after is the first cycle of the second clock whose instant is strictly after
// that of cycle n of the first.
func (c crossing) after(n uint64) uint64 {
	if c.num == c.den {
		return n + 1
	}
	hi, lo := bits.Mul64(n, c.num)
	if hi == 0 {
		return lo/c.den + 1
	}
	q, _ := bits.Div64(hi, lo, c.den)
	return q + 1
}
