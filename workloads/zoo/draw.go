package zoo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// A Draw is a distribution of the tokens of a step over the experts of a layer. The zero value is
// even.
type Draw struct {
	// Name is even (or empty), uniform, zipf or trace.
	Name string
	// Exponent of zipf: the expert of rank r is 1/r^Exponent as likely as the first. The ranks of
	// experts are drawn for each layer.
	Exponent float64
	Seed     uint64
	// Shares, for trace: by layer, how often each expert was picked; a missing layer takes those
	// of the last one.
	Shares [][]float64
}

// Draws lists the values of Draw.Name.
func Draws() []string { return []string{"even", "uniform", "zipf", "trace"} }

// mostDrawn is how many tokens are drawn one by one; of more, counts are scaled up.
const mostDrawn = 1 << 14

// Picks returns the number of tokens of each expert in a layer, of tokens x active picks. A token
// picks an expert at most once.
func (w Draw) Picks(layer, experts, tokens, active int) []int {
	out := make([]int, experts)
	weights := make([]float64, experts)
	switch w.Name {
	case "trace":
		shares := w.Shares[min(layer, len(w.Shares)-1)]
		copy(weights, shares)
		return apportion(weights, tokens*active, tokens)
	case "uniform", "zipf":
	default:
		for e := range out {
			out[e] = tokens * active / experts
			if e < tokens*active%experts {
				out[e]++
			}
		}
		return out
	}
	r := rand.New(rand.NewPCG(w.Seed, uint64(layer)+1))
	rank := r.Perm(experts)
	sum := 0.0
	for e := range weights {
		weights[e] = 1
		if w.Name == "zipf" {
			weights[e] = math.Pow(float64(rank[e]+1), -w.Exponent)
		}
		sum += weights[e]
		weights[e] = sum // cumulative
	}
	n := min(tokens, mostDrawn)
	counts := make([]float64, experts)
	taken := make([]int, 0, active)
	for range n {
		taken = taken[:0]
		for len(taken) < active {
			e := sort.SearchFloat64s(weights, r.Float64()*sum)
			for e = min(e, experts-1); slices.Contains(taken, e); e = (e + 1) % experts {
				// picked already: the next one that is not
			}
			taken = append(taken, e)
			counts[e]++
		}
	}
	return apportion(counts, tokens*active, tokens)
}

// apportion divides n picks in proportion to weights, at most most to each; what is left
// over goes in turn to those with the largest remainders, and to experts without a weight
// only when all others are full.
func apportion(weights []float64, n, most int) []int {
	sum := 0.0
	for _, x := range weights {
		sum += x
	}
	out, order, left := make([]int, len(weights)), make([]int, len(weights)), n
	rest := make([]float64, len(weights))
	for e, x := range weights {
		exact := x / sum * float64(n)
		out[e] = min(int(exact), most)
		rest[e], order[e] = exact-float64(out[e]), e
		left -= out[e]
	}
	sort.SliceStable(order, func(i, j int) bool { return rest[order[i]] > rest[order[j]] })
	for _, weighed := range [2]bool{true, false} {
		for given := true; given && left > 0; {
			given = false
			for _, e := range order {
				if left > 0 && weights[e] > 0 == weighed && out[e] < most {
					out[e]++
					left--
					given = true
				}
			}
		}
	}
	return out
}

// Check returns an error for an invalid distribution.
func (w Draw) Check() error {
	switch {
	case w.Name != "" && !slices.Contains(Draws(), w.Name):
		return fmt.Errorf("unknown draw of experts %q (want one of: even, uniform, zipf, trace)", w.Name)
	case w.Name == "zipf" && !(w.Exponent >= 0 && w.Exponent <= 10):
		return fmt.Errorf("exponent of zipf is %v (want 0 to 10)", w.Exponent)
	case w.Name == "trace" && len(w.Shares) == 0:
		return fmt.Errorf("a draw of experts from a trace needs its shares")
	}
	for l, s := range w.Shares {
		sum := 0.0
		for _, x := range s {
			if !(x >= 0) {
				return fmt.Errorf("layer %d has an expert with a share of %v (want 0 or more)", l, x)
			}
			sum += x
		}
		if !(sum > 0) || math.IsInf(sum, 0) {
			return fmt.Errorf("layer %d has no expert with a share", l)
		}
	}
	return nil
}
