package fusion

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// mostExhaustive is the most units that exhaustive search cuts: 2^(n-1) plans.
const mostExhaustive = 14

// mostTried is the most units whose cuts are all tried: 2^(n-1) plans.
const mostTried = 10

// mostClimbed is the most units whose cuts are moved one by one after dynamic programming:
// each move is a whole plan.
const mostClimbed = 64

// mostPaired is the most units of which any two cuts are changed together.
const mostPaired = 20

// Search finds groups of consecutive units with few bytes to and from memory; a group has at most
// longest units (0: no limit). Up to mostTried units it tries all groups. Beyond that, dynamic
// programming costs each group separately, as if results between groups went to memory. With
// Options.Keep it compares the plan with these groups to the plan without groups, and up to
// mostClimbed units it removes, adds and moves cuts while the plan improves.
func Search(g *graph.Graph, units [][]int, o Options, longest int) [][]int {
	s := searcher{p: newPlanner(g, units, o), known: map[[2]int]*draft{}}
	n := len(units)
	if longest == 0 {
		longest = n
	}
	if n <= mostTried {
		return s.all(n, longest)
	}
	best, from := make([]int64, n+1), make([]int, n+1)
	for to := 1; to <= n; to++ {
		best[to] = -1
	}
	for a := 0; a < n; a++ {
		for b := a + 1; b <= min(n, a+longest); b++ {
			d := s.group(a, b)
			if d == nil {
				if n > mostClimbed {
					break // nor will more units fit, as a rule
				}
				continue
			}
			if c := best[a] + d.traffic().OffChip(); best[b] < 0 || c < best[b] {
				best[b], from[b] = c, a
			}
		}
	}
	cut := make([]bool, n) // before a unit
	for at := n; at > 0; at = from[at] {
		cut[from[at]] = true
	}
	if o.Keep {
		cut = s.improve(cut, longest)
	}
	var cuts []int
	for u := 1; u < n; u++ {
		if cut[u] {
			cuts = append(cuts, u)
		}
	}
	return Cuts(n, cuts...)
}

// A searcher remembers groups by their first and last unit.
type searcher struct {
	p     *planner
	known map[[2]int]*draft
}

// group is units [a, b) fused; nil: they do not fit.
func (s *searcher) group(a, b int) *draft {
	k := [2]int{a, b}
	d, ok := s.known[k]
	if !ok {
		var units []int
		for u := a; u < b; u++ {
			units = append(units, u)
		}
		d = s.p.fused(units)
		s.known[k] = d
	}
	return d
}

// cost is the bytes to and from memory of a whole plan; ok is false if it does not fit.
func (s *searcher) cost(cut []bool, longest int) (bytes int64, ok bool) {
	d := s.p.draft()
	for a := 0; a < len(cut); {
		b := a + 1
		for b < len(cut) && !cut[b] {
			b++
		}
		if b-a > longest {
			return 0, false
		}
		f := s.group(a, b)
		if f == nil {
			return 0, false
		}
		d.append(f)
		a = b
	}
	d.keep()
	return d.traffic().OffChip(), true
}

// improve climbs from the given cuts and from all cuts, and takes the cheaper.
func (s *searcher) improve(cut []bool, longest int) []bool {
	alone := slices.Repeat([]bool{true}, len(cut))
	a, x, fits := s.climb(cut, longest)
	b, y, ok := s.climb(alone, longest)
	if ok && (!fits || y < x) {
		return b
	}
	return a
}

// climb takes cuts away, adds and moves them as long as that helps, on graphs of at most
// mostClimbed units; ok is false if nothing fits.
func (s *searcher) climb(cut []bool, longest int) (best []bool, least int64, ok bool) {
	n := len(cut)
	least, ok = s.cost(cut, longest)
	if n > mostClimbed {
		return cut, least, ok
	}
	try := func(next []bool) bool {
		c, fits := s.cost(next, longest)
		if fits && (!ok || c < least) {
			cut, least, ok = next, c, true
			return true
		}
		return false
	}
	for better := true; better; {
		better = false
		for u := 1; u < n; u++ {
			one := slices.Clone(cut)
			one[u] = !one[u]
			better = try(one) || better
			for v := 1; v < u; v++ {
				if n > mostPaired && (v < u-1 || cut[v] == cut[u]) {
					continue // only moves of a cut
				}
				two := slices.Clone(cut)
				two[u], two[v] = !two[u], !two[v]
				better = try(two) || better
			}
		}
	}
	return cut, least, ok
}

// Exhaustive tries all groups of consecutive units and returns those with the least bytes to and
// from memory.
func Exhaustive(g *graph.Graph, units [][]int, o Options) ([][]int, error) {
	n := len(units)
	if n > mostExhaustive {
		return nil, fmt.Errorf("%d operators can be cut in 2^%d ways (want at most %d, or search: dp)", n, n-1, mostExhaustive)
	}
	s := searcher{p: newPlanner(g, units, o), known: map[[2]int]*draft{}}
	return s.all(n, n), nil
}

// all is the best of all groups of at most longest units.
func (s *searcher) all(n, longest int) [][]int {
	var best [][]int
	least := int64(-1)
	cut := make([]bool, n)
	for set := uint64(0); set < 1<<(n-1); set++ {
		var cuts []int
		for u := 1; u < n; u++ {
			if cut[u] = set>>(u-1)&1 == 1; cut[u] {
				cuts = append(cuts, u)
			}
		}
		if c, ok := s.cost(cut, longest); ok && (least < 0 || c < least) {
			best, least = Cuts(n, cuts...), c
		}
	}
	return best
}
