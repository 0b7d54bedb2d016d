package collective

import (
	"errors"
	"fmt"
	"math"
)

// Limits of the search: n² times depth times width steps.
const (
	autoGenRanks = 1024
	autoGenWidth = 12
)

// autoGenTree is the reduction tree over a line that costs least by
//
//	T = max(C, E/N + L) + (2 T_R + 1) D
//
// with B wavelets per rank, N = L = n-1 links, C = B times the largest number of
// children, D the depth, E = B times the sum of the lengths of all edges. The
// ranks below a rank are those that follow it, so that edges do not cross.
//
// least[d][c][p] is the smallest sum of lengths of a tree over p ranks with depth
// up to d whose ranks have up to w children, its root up to c: the last child of
// the root, i ranks on, has the p-i ranks behind it.
func autoGenTree(c *chunk, s AutoGenSpec) ([]int, error) {
	n := c.n
	if s.Wavelet < 1 || s.Ramp < 0 || s.Ramp > 1<<20 {
		return nil, fmt.Errorf("wavelet is %d, ramp %d (want 1 or more, 0 to %d)", s.Wavelet, s.Ramp, 1<<20)
	}
	if n > autoGenRanks {
		return nil, fmt.Errorf("ranks is %d (want up to %d for the search)", n, autoGenRanks)
	}
	if n < 3 {
		return chainTree(n), nil
	}
	wavelets := float64((c.at.Bytes*int64(s.pipelineOr1()) + s.Wavelet - 1) / s.Wavelet)
	links := float64(n - 1)
	step := float64(2*s.Ramp + 1)
	cost := func(energy, width, depth int) float64 {
		return math.Max(wavelets*float64(width), wavelets*float64(energy)/links+links) + step*float64(depth)
	}
	best := chainTree(n)
	low := cost(n-1, 1, n-1)
	if star := cost(n*(n-1)/2, n-1, 1); star < low {
		low, best = star, starTree(n)
	}
	for w := 2; w <= min(autoGenWidth, n-1); w++ {
		var g autoGen
		g.search(n, w)
		for d := 1; d < len(g.least); d++ {
			if e := g.least[d][w][n]; e < impossible && cost(e, w, d) < low {
				low = cost(e, w, d)
				best = make([]int, n)
				g.build(best, 0, n, d, w)
				best[0] = -1
			}
		}
	}
	if len(best) != n {
		return nil, errors.New("no tree")
	}
	return best, nil
}

const impossible = math.MaxInt32

func (p Pipeline) pipelineOr1() int { return max(1, p.Chunks) }

// autoGen holds the tables of one width.
type autoGen struct {
	w     int
	least [][][]int // by depth, children left to the root, ranks
	cut   [][][]int // where the last child stands
}

// search fills the tables, depth by depth, until more depth gains nothing.
func (g *autoGen) search(n, w int) {
	g.w = w
	row := func(v int) []int {
		r := make([]int, n+1)
		for i := 2; i <= n; i++ {
			r[i] = v
		}
		return r
	}
	leaf := make([][]int, w+1)
	for c := range leaf {
		leaf[c] = row(impossible)
	}
	g.least, g.cut = append(g.least, leaf), append(g.cut, nil)
	for d := 1; d < n; d++ {
		below := g.least[d-1][w]
		least, cut := make([][]int, w+1), make([][]int, w+1)
		least[0], cut[0] = row(impossible), row(0)
		for c := 1; c <= w; c++ {
			lo, at := row(impossible), row(0)
			left := least[c-1]
			for p := 2; p <= n; p++ {
				for i := 1; i < p; i++ {
					if e := left[i] + i + below[p-i]; e < lo[p] {
						lo[p], at[p] = e, i
					}
				}
			}
			least[c], cut[c] = lo, at
		}
		g.least, g.cut = append(g.least, least), append(g.cut, cut)
		if below[n] < impossible && least[w][n] == below[n] {
			return
		}
	}
}

// build writes the parents of a tree over p ranks from root on.
func (g *autoGen) build(parent []int, root, p, d, c int) {
	for p > 1 {
		i := g.cut[d][c][p]
		parent[root+i] = root
		g.build(parent, root+i, p-i, d-1, g.w)
		p, c = i, c-1
	}
}
