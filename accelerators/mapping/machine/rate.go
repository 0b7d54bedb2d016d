package machine

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Rate is the multiply-accumulates per cycle of a processing element for one element
// type, as a fraction: 2 where it takes two products of narrow elements at a time, 1/3
// where a product of wide ones goes as three.
//
// An element has one word for the reduction axis k per cycle. At a rate of 2 two
// neighbours along k share a word; at 1/3 one element takes three words, one after the
// other. So an array of A rows with k along its rows holds A words of k, and what is
// loaded and streamed per cycle stays as wide: rates are those of the whole array,
// stationary tiles included.
type Rate struct{ Num, Den int64 }

// MaxRate bounds both parts of a Rate.
const MaxRate = 1000

// UnmarshalText implements encoding.TextUnmarshaler: 2, 0.25 or 1/3.
func (r *Rate) UnmarshalText(b []byte) error {
	x, ok := new(big.Rat).SetString(string(b))
	if !ok || x.Sign() <= 0 || !x.Num().IsInt64() || x.Num().Int64() > MaxRate || !x.Denom().IsInt64() || x.Denom().Int64() > MaxRate {
		return fmt.Errorf("%q (want multiply-accumulates per cycle, such as 2, 0.25 or 1/3; both parts of the fraction at most %d)", b, MaxRate)
	}
	*r = Rate{x.Num().Int64(), x.Denom().Int64()}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

func (r Rate) String() string { return big.NewRat(r.Num, r.Den).RatString() }

// Float is multiply-accumulates per cycle.
func (r Rate) Float() float64 { return float64(r.Num) / float64(r.Den) }

// Words is how many words n elements along k take.
func (r Rate) Words(n int64) int64 {
	if r.Num == r.Den {
		return n
	}
	return integer.Ceil(n*r.Den, r.Num)
}

// Rates are those of the element types that an array takes. Left out, it takes every
// type at a rate of 1.
type Rates map[string]Rate

// Table is the same for look-ups.
func (r Rates) Table() (t RateTable) {
	t.given = len(r) > 0
	for name, rate := range r {
		if d, err := graph.ParseDType(name); err == nil {
			t.of[d] = rate
		}
	}
	return t
}

// Of is the rate of type d; ok is false for a type that the array lacks.
func (r Rates) Of(d graph.DType) (rate Rate, ok bool) {
	t := r.Table()
	return t.at(d)
}

// Unknown lists the names that are no element type.
func (r Rates) Unknown() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if _, err := graph.ParseDType(name); err != nil {
			names = append(names, name)
		}
	}
	return names
}

// Lacks says which products of a graph are of types without a rate, one error per type.
func (r Rates) Lacks(g *graph.Graph) error {
	t := r.Table()
	return t.Lacks(g)
}

// A RateTable is Rates that can be compared. The zero value has a rate of 1 for all.
type RateTable struct {
	given bool
	of    [graph.DTypeCount]Rate
}

func (t *RateTable) at(d graph.DType) (Rate, bool) {
	if !t.given {
		return Rate{1, 1}, true
	}
	return t.of[d], t.of[d].Num > 0
}

// names lists the types with a rate.
func (t *RateTable) names() string {
	var names []string
	for d, r := range t.of {
		if r.Num > 0 {
			names = append(names, graph.DType(d).String())
		}
	}
	return strings.Join(names, ", ")
}

func (t *RateTable) Lacks(g *graph.Graph) error {
	var first [graph.DTypeCount]string
	var count [graph.DTypeCount]int
	for i := range g.Ops {
		op := &g.Ops[i]
		d, ok := g.Multiplied(op)
		if !ok {
			continue
		}
		if _, ok := t.at(d); !ok {
			if count[d]++; count[d] == 1 {
				first[d] = op.Name
			}
		}
	}
	for d, n := range count {
		if n > 0 {
			return fmt.Errorf("%s: the array has no rate for products of %s, the first of %d (key pe has: %s)", first[d], graph.DType(d), n, t.names())
		}
	}
	return nil
}
