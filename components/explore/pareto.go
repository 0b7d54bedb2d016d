package explore

import (
	"cmp"
	"math"
	"slices"
)

// Dominates reports whether a is no worse than b in any objective and better in one. A
// design that misses constraints by less dominates one that misses by more (Deb et al.,
// section VI).
func (a Outcome) Dominates(b Outcome) bool {
	if a.Miss > 0 || b.Miss > 0 {
		return a.Miss < b.Miss
	}
	better := false
	for i, x := range a.Values {
		if x > b.Values[i] {
			return false
		}
		better = better || x < b.Values[i]
	}
	return better
}

// Front returns the Pareto-optimal designs among those that meet the constraints, in the order
// given.
func Front(points []int, known func(int) Outcome) (out []int) {
	// In lexicographic order no design is dominated by a later one.
	order := slices.Clone(points)
	slices.SortStableFunc(order, func(p, q int) int { return slices.Compare(known(p).Values, known(q).Values) })
	front := map[int]bool{}
	var best []Outcome
	for _, p := range order {
		o := known(p)
		if o.Miss > 0 || slices.ContainsFunc(best, func(b Outcome) bool { return b.Dominates(o) }) {
			continue
		}
		best = append(best, o)
		front[p] = true
	}
	for _, p := range points {
		if front[p] {
			out = append(out, p)
		}
	}
	return out
}

// ranks are the numbers of the fronts that designs belong to, the best 0, as far as n
// designs need them; the others have rank len(points).
func ranks(of []Outcome, n int) []int {
	out := make([]int, len(of))
	left := make([]int, len(of))
	for i := range of {
		left[i], out[i] = i, len(of)
	}
	for rank, done := 0, 0; done < n && len(left) > 0; rank++ {
		var front, rest []int
		for _, i := range left {
			if slices.ContainsFunc(left, func(j int) bool { return of[j].Dominates(of[i]) }) {
				rest = append(rest, i)
			} else {
				front = append(front, i)
			}
		}
		for _, i := range front {
			out[i] = rank
		}
		done += len(front)
		left = rest
	}
	return out
}

// crowding is the distance of each design to its neighbours in one front, infinite at the
// ends (Deb et al., section III-B).
func crowding(front []int, of []Outcome) map[int]float64 {
	out := map[int]float64{}
	if len(front) == 0 {
		return out
	}
	for m := range of[front[0]].Values {
		order := slices.Clone(front)
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(of[i].Values[m], of[j].Values[m]) })
		first, last := order[0], order[len(order)-1]
		out[first], out[last] = math.Inf(1), math.Inf(1)
		width := of[last].Values[m] - of[first].Values[m]
		if width <= 0 {
			continue
		}
		for k := 1; k < len(order)-1; k++ {
			out[order[k]] += (of[order[k+1]].Values[m] - of[order[k-1]].Values[m]) / width
		}
	}
	return out
}
