package operator

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// distribution is the column with the distribution of tokens over experts.
const distribution = "distribution"

// balanced spreads picks evenly; powerLaw and an exponent make loads of a power law.
const (
	balanced = "balanced"
	powerLaw = "power_law_"
)

// lawOf is the number of a distribution: 0 of balanced, else hundredths of the exponent.
func lawOf(text string) (law int, ok bool) {
	if text == balanced {
		return 0, true
	}
	exponent, ok := strings.CutPrefix(text, powerLaw)
	x, err := strconv.ParseFloat(exponent, 64)
	law, whole := number(math.Round(100 * x))
	if !ok || err != nil || !whole || law < 1 || law > 1000 {
		return 0, false
	}
	return law, true
}

// lawFault returns the error of a distribution.
func lawFault(text string) (string, []string) {
	return fmt.Sprintf("distribution is %q", text), []string{balanced, powerLaw + "X with an exponent X of 0.01 to 10"}
}

// loads is how many picks each expert of a rank gets, of tokens that pick active experts each.
// Experts are divided evenly among ranks. law is the number of a distribution (lawOf).
//
// Of a power law each expert has the load at its quantile. Which experts a rank has is drawn once
// for all numbers of tokens. The rank is the one with most picks, which is done last. Balanced
// picks go to experts in turn, and the rank is the first.
//
// assumption: the law reaches from 1 to 0.8 of the tokens or, of fewer picks than experts, from
// 0.01 to 2 before it is scaled to all picks; tables of kernels name the exponent alone.
func loads(tokens, active, experts, ranks, law int) []int {
	if law == 0 {
		return evenly(tokens*active, experts, experts/ranks)
	}
	n := byLaw(tokens, tokens*active, experts, 1-float64(law)/100)
	if ranks == 1 {
		return n
	}
	return busiest(n, experts/ranks)
}

// evenly gives picks to experts in turn, and is the loads of the first own experts.
func evenly(picks, experts, own int) []int {
	n := make([]int, own)
	for e := range n {
		// Pick i of fewer than experts goes to expert i experts / picks.
		n[e] = ((e+1)*picks+experts-1)/experts - (e*picks+experts-1)/experts
	}
	return n
}

// byLaw is the loads at the quantiles of a power law of exponent 1 - a, rising.
func byLaw(tokens, picks, experts int, a float64) []int {
	least, most := 0.01, 2.0
	if picks > experts {
		least, most = 1, max(0.8*float64(tokens), 1)
	}
	if math.Abs(a) < 1e-9 { // the logarithm is the limit
		a = 1e-9
	}
	lo, hi := math.Pow(least, a), math.Pow(most, a)
	all, sum := make([]float64, experts), 0.0
	for i := range all {
		all[i] = math.Pow((hi-lo)*(float64(i)+0.5)/float64(experts)+lo, 1/a)
		sum += all[i]
	}
	n, left := make([]int, experts), picks
	for i := range n {
		n[i] = min(int(math.Round(all[i]/sum*float64(picks))), tokens)
		left -= n[i]
	}
	for i := experts - 1; left > 0; i = (i + experts - 1) % experts { // the fullest get the rest
		if n[i] < tokens {
			n[i]++
			left--
		}
	}
	for i := 0; left < 0; i = (i + 1) % experts {
		if n[i] > 0 {
			n[i]--
			left++
		}
	}
	return n
}

// draws is how often experts are divided among ranks; the draw in the middle counts.
const draws = 9

// busiest is the loads of the rank with most picks.
func busiest(n []int, own int) []int {
	type rank struct {
		picks int
		loads []int
	}
	r := rand.New(rand.NewPCG(1, uint64(len(n))))
	var all []rank
	for range draws {
		order := r.Perm(len(n))
		best := rank{picks: -1}
		for i := 0; i < len(n); i += own {
			x := rank{}
			for _, e := range order[i : i+own] {
				x.picks += n[e]
				x.loads = append(x.loads, n[e])
			}
			if x.picks > best.picks {
				best = x
			}
		}
		all = append(all, best)
	}
	slices.SortStableFunc(all, func(a, b rank) int { return a.picks - b.picks })
	return all[draws/2].loads
}

// Distribute gives a mixture of experts a distribution of tokens by its name.
func Distribute(r *Row, name string) error {
	law, ok := lawOf(name)
	if !ok {
		text, want := lawFault(name)
		return fmt.Errorf("%s (want one of: %s)", text, strings.Join(want, ", "))
	}
	r.Sizes[distribution] = law
	return nil
}
