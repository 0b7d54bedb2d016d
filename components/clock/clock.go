// Package clock counts time in integer cycles.
//
// A clock has an exact rational period in seconds, so 416 ps and 940 MHz are both exact. Results
// that do not fit 64 bits panic. Left out: the time of a simulation; package clock/instant
// converts cycles to it and back.
package clock

import (
	"fmt"
	"math/bits"
)

// A Clock ticks every num/den seconds, from time 0. The zero value is not a
// clock; use Period, Hz or GHz.
type Clock struct{ num, den uint64 }

// Period returns the clock whose period is num/den seconds, for example Period(416, 1e12) for 416
// ps. It panics if an argument is 0; the caller checks user input first.
func Period(num, den uint64) Clock {
	if num == 0 || den == 0 {
		panic(fmt.Sprintf("clock: period %d/%d s", num, den))
	}
	g := GCD(num, den)
	return Clock{num / g, den / g}
}

// Hz returns the clock of f hertz. It panics for 0.
func Hz(f uint64) Clock { return Period(1, f) }

// GHz is the 1 GHz clock.
var GHz = Hz(1e9)

// GCD is the greatest common divisor.
func GCD(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// IsZero reports whether c is the zero value, which is not a clock.
func (c Clock) IsZero() bool { return c.den == 0 }

// Num is the numerator of the reduced period in seconds.
func (c Clock) Num() uint64 { return c.num }

// Den is the denominator of the reduced period in seconds.
func (c Clock) Den() uint64 { return c.den }

// Nanoseconds returns the length of n cycles, in ns.
func (c Clock) Nanoseconds(n uint64) float64 {
	return float64(n) * float64(c.num) * 1e9 / float64(c.den)
}

// Cycles returns the least number of cycles that lasts at least num/den seconds. It panics if that
// does not fit 64 bits.
func (c Clock) Cycles(num, den uint64) uint64 {
	// ceil((num/den) / (c.num/c.den)) = ceil(num*c.den / (den*c.num))
	return ceilMulDiv(num, c.den, den, c.num)
}

// ceilMulDiv is ceil(a*b / (c*d)), in 128 bits; it panics where the result or
// the divisor does not fit.
func ceilMulDiv(a, b, c, d uint64) uint64 {
	g := GCD(a, c)
	a, c = a/max(g, 1), c/max(g, 1)
	g = GCD(b, d)
	b, d = b/max(g, 1), d/max(g, 1)
	g = GCD(a, d)
	a, d = a/max(g, 1), d/max(g, 1)
	g = GCD(b, c)
	b, c = b/max(g, 1), c/max(g, 1)
	hi, lo := bits.Mul64(a, b)
	dh, dl := bits.Mul64(c, d)
	if dh != 0 || hi >= dl {
		panic(fmt.Sprintf("clock: %d*%d/(%d*%d) is out of range", a, b, c, d))
	}
	q, r := bits.Div64(hi, lo, dl)
	if r > 0 {
		q++
	}
	return q
}

// String prints the clock as a frequency where that is an integer of hertz,
// else as a period.
func (c Clock) String() string {
	if c.num == 1 {
		return fmt.Sprintf("%dHz", c.den)
	}
	return fmt.Sprintf("%d/%ds", c.num, c.den)
}
