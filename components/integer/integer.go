package integer

import (
	"math/bits"
	"slices"
)

// A Number is what Ceil and GCD take.
type Number interface{ ~int | ~int64 | ~uint64 }

// Ceil is a/b rounded up.
func Ceil[T Number](a, b T) T { return (a + b - 1) / b }

// GCD is the greatest common divisor; that of 0 and n is n.
func GCD[T Number](a, b T) T {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Scale is n*a/of rounded down, for a up to of.
func Scale(n, a, of int64) int64 {
	if n == of {
		return a
	}
	hi, lo := bits.Mul64(uint64(n), uint64(a))
	q, _ := bits.Div64(hi, lo, uint64(of))
	return int64(q)
}

// CeilScale is n*a/of rounded up.
func CeilScale(n, a, of int64) int64 {
	x := Scale(n, a, of)
	hi, lo := bits.Mul64(uint64(n), uint64(a))
	if h, l := bits.Mul64(uint64(x), uint64(of)); h != hi || l != lo {
		x++
	}
	return x
}

// Divisors are the divisors of n, least first.
func Divisors(n int) (out []int) {
	for d := 1; d <= n; d++ {
		if n%d == 0 {
			out = append(out, d)
		}
	}
	return out
}

// Products are all products of some of the primes, least first: the divisors of their product.
func Products(primes []int64) []int64 {
	out := []int64{1}
	for _, p := range primes {
		for _, f := range out {
			out = append(out, f*p)
		}
		slices.Sort(out)
		out = slices.Compact(out)
	}
	return out
}
