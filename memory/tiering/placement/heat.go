package placement

import (
	"cmp"
	"math"
	"slices"
)

// cool halves the counts of all pages once one has reached the limit.
func cool(pages []Page, limit uint32) {
	reached := false
	for i := range pages {
		if pages[i].Count >= limit {
			reached = true
			break
		}
	}
	if !reached {
		return
	}
	for i := range pages {
		pages[i].Count /= 2
	}
}

// hotter reports whether count a exceeds count b by three standard deviations, more than the
// random spread of some hundred equal pages.
func hotter(a, b uint32) bool {
	return a > b && float64(a-b) > 3*math.Sqrt(float64(a)+float64(b))
}

// A ranking lists the pages of a tier by count.
type ranking struct{ order []int32 }

// of ranks the movable pages of a tier, the most used first if down is true, equal ones by
// number.
func (r *ranking) of(pages []Page, tier int, down bool) []int32 {
	r.order = r.order[:0]
	for i := range pages {
		if p := &pages[i]; int(p.Tier) == tier && !p.Moving {
			r.order = append(r.order, int32(i))
		}
	}
	slices.SortFunc(r.order, func(a, b int32) int {
		x, y := pages[a].Count, pages[b].Count
		if down {
			x, y = y, x
		}
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	})
	return r.order
}
