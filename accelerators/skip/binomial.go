package skip

import (
	"math"
	"math/rand/v2"
	"sort"
)

// A binomial draws how many of n things happen, each with probability p, from the table of
// its cumulative distribution.
type binomial struct {
	n     int
	least int       // value of the first entry
	upto  []float64 // probability of at most least + i
	guide []int32   // entry at which the search for u begins, by u's slot
}

// guideSlots is how finely the guide divides 0 to 1.
const guideSlots = 256

func newBinomial(n int, p float64) *binomial {
	b := &binomial{n: n}
	if n == 0 || p <= 0 || p >= 1 {
		if p >= 1 {
			b.least = n
		}
		b.upto = []float64{1}
		b.guide = make([]int32, guideSlots)
		return b
	}
	// What lies ten standard deviations away does not happen.
	spread := 10*math.Sqrt(float64(n)*p*(1-p)) + 10
	b.least = int(max(0, math.Floor(float64(n)*p-spread)))
	last := int(min(float64(n), math.Ceil(float64(n)*p+spread)))
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
	sum := 0.0
	for k := b.least; k <= last; k++ {
		sum += math.Exp(lg(n) - lg(k) - lg(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
		b.upto = append(b.upto, sum)
	}
	for i := range b.upto {
		b.upto[i] /= sum
	}
	b.upto[len(b.upto)-1] = 1
	b.guide = make([]int32, guideSlots)
	for i := range b.guide {
		b.guide[i] = int32(sort.SearchFloat64s(b.upto, float64(i)/guideSlots))
	}
	return b
}

// draw is how many happened.
func (b *binomial) draw(r *rand.Rand) int {
	u := r.Float64()
	i := b.guide[int(u*guideSlots)]
	for b.upto[i] < u {
		i++
	}
	return b.least + int(i)
}
