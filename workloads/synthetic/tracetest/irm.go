package tracetest

import (
	"math"
	"sort"

	"github.com/causeway-sim/causeway/memory/policy"
)

// xorshift is the generator xorshift64*.
type xorshift uint64

// start is the seed of Marsaglia's paper on xorshift generators.
const start xorshift = 88172645463325252

func (s *xorshift) next() uint64 {
	*s ^= *s >> 12
	*s ^= *s << 25
	*s ^= *s >> 27
	return uint64(*s) * 2685821657736338717
}

// unit draws from [0, 1) in steps of 2^-53.
func (s *xorshift) unit() float64 { return float64(s.next()>>11) / (1 << 53) }

// Uniform reads any of 2^bits lines, n times.
func Uniform(bits, n int) Trace {
	return Trace{Name: "uniform", Cores: 1, each: func(yield func(policy.Access) bool) bool {
		s := start
		for range n {
			if !yield(policy.Access{Line: s.next() >> (64 - bits), PC: pcMain}) {
				return false
			}
		}
		return true
	}}
}

// Popularity returns the cumulative shares of n lines with shares proportional to rank^-alpha,
// from rank 1.
func Popularity(n int, alpha float64) []float64 {
	cdf := make([]float64, n)
	sum := 0.0
	for i := range cdf {
		sum += math.Pow(float64(i+1), -alpha)
		cdf[i] = sum
	}
	for i := range cdf {
		cdf[i] /= sum
	}
	return cdf
}

// zipf draws ranks and scatters them over 2^n lines, one to one.
type zipf struct {
	s   xorshift
	cdf []float64
}

// scatter multiplies by an odd number, 2^32 over the golden ratio.
func (z *zipf) line() uint64 {
	rank := sort.SearchFloat64s(z.cdf, z.s.unit())
	return uint64(rank) * 2654435761 & uint64(len(z.cdf)-1)
}

// Zipf reads one of 2^bits lines, n times, with a popularity of rank^-alpha.
func Zipf(bits int, alpha float64, n int) Trace {
	return Trace{Name: "zipf", Cores: 1, each: func(yield func(policy.Access) bool) bool {
		z := zipf{start, Popularity(1<<bits, alpha)}
		for range n {
			if !yield(policy.Access{Line: z.line(), PC: pcMain}) {
				return false
			}
		}
		return true
	}}
}

// Mixed interleaves a zipf stream of 65536 lines (alpha 0.9), a cycle of 12288 lines and a scan,
// with n accesses in all.
func Mixed(n int) Trace {
	return Trace{Name: "mixed", Cores: 1, each: func(yield func(policy.Access) bool) bool {
		z := zipf{start, Popularity(1<<16, 0.9)}
		for i := range n {
			var a policy.Access
			switch k := uint64(i / 3); i % 3 {
			case 0:
				a = policy.Access{Line: z.line(), PC: pcMain}
			case 1:
				a = policy.Access{Line: 1<<17 + k%12288, PC: pcSecond}
			case 2:
				a = policy.Access{Line: 1<<18 + k, PC: pcThird}
			}
			if !yield(a) {
				return false
			}
		}
		return true
	}}
}
