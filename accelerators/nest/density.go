package nest

import (
	"fmt"
	"math"
)

// A Distribution says how the elements that are not zero lie in a tensor.
type Distribution uint8

// The distributions.
const (
	Dense Distribution = iota
	// Structured spreads them evenly: of n elements floor or ceil of n x density are
	// not zero, so that the mean is exact. N:M sparsity is Structured of N/M.
	Structured
	// Uniform draws them without replacement: the occupancy of a tile is
	// hypergeometric.
	Uniform
)

// A Density says how much of a tensor is not zero.
type Density struct {
	Distribution Distribution
	Value        float64 // share that is not zero, 0 to 1
}

// Check finds what no density can be.
func (d Density) Check() error {
	if !(d.Value >= 0 && d.Value <= 1) {
		return fmt.Errorf("density is %g (want 0 to 1)", d.Value)
	}
	if d.Distribution > Uniform {
		return fmt.Errorf("distribution %d is not known", d.Distribution)
	}
	return nil
}

// A lot is what elements are drawn from: so many, of which so many are not zero.
type lot struct{ all, full float64 }

// lot is the whole tensor of so many elements.
func (d Density) lot(all float64) lot {
	if d.Distribution == Dense {
		return lot{all, all}
	}
	return lot{all, all * d.Value}
}

// probability is that of k elements that are not zero among n of a lot.
func (d Density) probability(n, k float64, of lot) float64 {
	switch d.Distribution {
	case Structured:
		x := n * d.Value
		if of.all > 0 && of.full != of.all*d.Value {
			x = n * (of.full / of.all)
		}
		return structured(x, k)
	case Uniform:
		return hypergeometric(n, k, of)
	}
	if k == n {
		return 1
	}
	return 0
}

// structured is the probability of k where the mean is x.
func structured(x, k float64) float64 {
	f := math.Floor(x)
	up := x - f
	switch k {
	case f:
		return 1 - up
	case math.Ceil(x):
		return up
	}
	return 0
}

// empty is the probability that n elements of a lot are all zero.
func (d Density) empty(n float64, of lot) float64 { return d.probability(n, 0, of) }

// bounds are the least and the most elements that are not zero among n of a lot.
func (d Density) bounds(n float64, of lot) (least, most float64) {
	switch d.Distribution {
	case Structured:
		x := n * d.Value
		return math.Floor(x), math.Ceil(x)
	case Uniform:
		full := math.Round(of.full)
		return max(0, n+full-of.all), min(n, full)
	}
	return n, n
}

// likely narrows the bounds to what is worth summing over: of a large tile all that is
// not within 12 standard deviations of the mean has no weight, and of a very large one
// the mean stands for all.
func (d Density) likely(n float64, of lot) (least, most float64, mean bool) {
	least, most = d.bounds(n, of)
	if d.Distribution != Uniform || most-least <= manyOccupancies {
		return least, most, false
	}
	share := math.Round(of.full) / of.all
	x := n * share
	w := 12*math.Sqrt(x*(1-share)) + 10
	least, most = max(least, math.Floor(x-w)), min(most, math.Ceil(x+w))
	if most-least > manyOccupancies {
		return math.Round(x), math.Round(x), true
	}
	return least, most, false
}

// manyOccupancies is how many occupancies of a tile are summed over one by one.
const manyOccupancies = 1 << 10

// hypergeometric is the probability of k hits in n draws from a lot.
func hypergeometric(n, k float64, of lot) float64 {
	all, full := of.all, math.Round(of.full)
	if n > all {
		n = all
	}
	if k < 0 || k > n || k > full || n-k > all-full {
		return 0
	}
	return math.Exp(choose(full, k) + choose(all-full, n-k) - choose(all, n))
}

// choose is the logarithm of the binomial coefficient.
func choose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}
