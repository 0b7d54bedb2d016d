package transit

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// A MinTree holds one time per index, in a tree of minima, for hundreds of links or hosts of
// which few are due. A node has as many children as a cache line holds times.
type MinTree struct {
	times  []int64
	levels [][]int64 // the times, then the least of every eight of the level before
	least  int64
}

// fan is the children of a node, as a power of two.
const fan = 3

// NewMinTree makes a tree of n indices without times.
func NewMinTree(n int) MinTree {
	a := MinTree{least: link.Never}
	for n = max(n, 1); ; n = (n + 1<<fan - 1) >> fan {
		level := make([]int64, (n+1<<fan-1)>>fan<<fan)
		for i := range level {
			level[i] = link.Never
		}
		if a.levels = append(a.levels, level); n <= 1<<fan {
			a.times = a.levels[0]
			return a
		}
	}
}

// Next returns the least time.
func (a *MinTree) Next() int64 { return a.least }

// At returns the time of index i.
func (a *MinTree) At(i int) int64 { return a.times[i] }

// Set sets the time of index i.
func (a *MinTree) Set(i int, t int64) {
	if a.times[i] != t {
		a.change(i, t)
	}
}

// change is Set to another time. A group is looked at only where its least goes.
func (a *MinTree) change(i int, t int64) {
	old := a.times[i]
	a.times[i] = t
	for k := 1; k < len(a.levels); k++ {
		up := &a.levels[k][i>>fan]
		switch {
		case t < *up:
		case old > *up:
			return
		default:
			if t = least(a.levels[k-1][i>>fan<<fan:]); t == *up {
				return
			}
		}
		old, *up = *up, t
		i >>= fan
	}
	switch {
	case t < a.least:
		a.least = t
	case old == a.least:
		a.least = least(a.levels[len(a.levels)-1])
	}
}

// least is the least of a group.
func least(times []int64) int64 {
	x := (*[1 << fan]int64)(times)
	return min(min(x[0], x[1], x[2], x[3]), min(x[4], x[5], x[6], x[7]))
}

// Due returns the lowest index from from on with a time up to t; -1 is none.
func (a *MinTree) Due(from int, t int64) int {
	if a.least > t {
		return -1
	}
	if from == 0 {
		i := 0
		for k := len(a.levels) - 1; k >= 0; k-- {
			i <<= fan
			i += firstOf(a.levels[k][i:], t)
		}
		return i
	}
	i := from
	for k, level := range a.levels {
		end := len(level)
		if k < len(a.levels)-1 { // the rest of a group
			end = min((i+1<<fan-1)>>fan<<fan, end)
		}
		for ; i < end; i++ {
			if level[i] <= t {
				return a.first(k, i, t)
			}
		}
		i >>= fan
	}
	return -1
}

// first is the lowest under a node of a level with something to do up to t.
func (a *MinTree) first(k, i int, t int64) int {
	for k--; k >= 0; k-- {
		i <<= fan
		i += firstOf(a.levels[k][i:], t)
	}
	return i
}

// firstOf is the first of a group that is not after t, which is not Never. There is one.
func firstOf(times []int64, t int64) int { return bits.TrailingZeros64(dueOf(times, t)) }

// dueOf is those of a group that are not after t, which is not Never, a bit each. A processor
// cannot predict which they are, so all are looked at, without branches: a difference below
// zero has its highest bit set.
func dueOf(times []int64, t int64) uint64 {
	x := (*[1 << fan]int64)(times)
	t++
	return uint64(x[0]-t)>>63 | uint64(x[1]-t)>>63<<1 | uint64(x[2]-t)>>63<<2 | uint64(x[3]-t)>>63<<3 |
		uint64(x[4]-t)>>63<<4 | uint64(x[5]-t)>>63<<5 | uint64(x[6]-t)>>63<<6 | uint64(x[7]-t)>>63<<7
}
