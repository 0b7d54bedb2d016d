// Package block lists the sizes of blocks into which a loop over n elements is cut: in equal
// parts, in multiples of the side of an array, and as large as a buffer holds. Which of them is the
// best is for the search to find (accelerators/mapping).
//
//	large, small := block.Sizes(1024, 128, 128)
package block

import (
	"cmp"
	"slices"
	"sort"

	"github.com/causeway-sim/causeway/components/integer"
)

// mostParts is in how many equal parts the elements are cut at most, but for multiples of a unit.
const mostParts = 64

// Sizes lists the sizes of blocks of n elements that are tried, largest first: n in equal parts, a
// power of two of them and once and a half as many, and multiples of unit in steps of a power of two,
// with once and a half as many; below the unit, powers of two less and three quarters of them. Blocks
// under least come apart, for buffers that hold nothing else.
func Sizes(n, unit, least int64) (large, small []int64) {
	var all []int64
	for parts := int64(1); parts <= mostParts; parts *= 2 {
		all = append(all, integer.Ceil(n, parts), integer.Ceil(n, parts+parts/2))
	}
	for x := unit; x < n; x *= 2 {
		all = append(all, x, min(n, x+x/2))
	}
	for x := min(unit, n); x > 0; x /= 2 {
		all = append(all, x, max(1, x-x/4))
	}
	slices.SortFunc(all, func(a, b int64) int { return cmp.Compare(b, a) })
	for _, x := range slices.Compact(all) {
		if x >= min(n, least) {
			large = append(large, x)
		} else {
			small = append(small, x)
		}
	}
	return large, small
}

// Filling lists the largest block of n elements that fits, and the size of as many equal blocks. It
// is empty where no block fits, and where all elements do: then they are one of Sizes. A block that is
// smaller than one that fits has to fit too.
func Filling(n int64, fits func(int64) bool) []int64 {
	x := int64(sort.Search(int(n), func(i int) bool { return !fits(int64(i) + 1) }))
	if x == 0 || x == n {
		return nil
	}
	return []int64{x, integer.Ceil(n, integer.Ceil(n, x))}
}
