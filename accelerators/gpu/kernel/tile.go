package kernel

import "github.com/causeway-sim/causeway/components/integer"

// A Tile is how a product is cut: the results of one thread block, those of one of
// its warps, which say how often operands are read from shared memory, and the parts
// that the sum over K is split into.
type Tile struct {
	M, N         int
	WarpM, WarpN int
	Split        int
}

// tiles are the thread-block tiles that libraries have for matrix units. Source: the
// default instances of CUTLASS's profiler; narrow ones are for few rows or columns.
var tiles = []Tile{
	{M: 256, N: 128, WarpM: 64, WarpN: 64}, {M: 128, N: 256, WarpM: 64, WarpN: 64}, {M: 128, N: 128, WarpM: 64, WarpN: 64},
	{M: 256, N: 64, WarpM: 64, WarpN: 64}, {M: 64, N: 256, WarpM: 64, WarpN: 64}, {M: 128, N: 64, WarpM: 64, WarpN: 32},
	{M: 64, N: 128, WarpM: 32, WarpN: 64}, {M: 64, N: 64, WarpM: 32, WarpN: 32},
	{M: 32, N: 128, WarpM: 32, WarpN: 32}, {M: 32, N: 64, WarpM: 32, WarpN: 16},
	{M: 16, N: 128, WarpM: 16, WarpN: 32}, {M: 16, N: 64, WarpM: 16, WarpN: 16},
	{M: 128, N: 32, WarpM: 32, WarpN: 32}, {M: 64, N: 32, WarpM: 16, WarpN: 32}, {M: 32, N: 32, WarpM: 16, WarpN: 16}, {M: 16, N: 32, WarpM: 16, WarpN: 16},
}

// splits are the parts of a sum over K that are tried.
var splits = []int{1, 2, 3, 4, 6, 8, 16}

const (
	stage  = 32 // elements of K per step of the main loop
	stages = 4  // steps whose operands are in shared memory at a time
	least  = 4  // steps that a part of a sum has at the least
	// maxWarps is how many warps of matrix kernels find registers on an SM.
	maxWarps = 16
	// groupStage is elements of K per step where four warps work together: a row of 128
	// bytes, as wide as their copies are swizzled (CUTLASS, default instances for SM 90).
	groupStage = 64
	// groupRows is the rows of an instruction of four warps (wgmma).
	groupRows = 64
)

// Steps is how many steps the main loop of the tile has, for sums over k.
func (t Tile) Steps(k int) int { return max(integer.Ceil(integer.Ceil(k, max(t.Split, 1)), stage), 1) }

func (t Tile) warps() float64 { return float64((t.M / t.WarpM) * (t.N / t.WarpN)) }

// suits reports whether no smaller tile is the obvious choice: at most half of it is
// empty.
func (t Tile) suits(p Product) bool {
	return (2*p.M > t.M || t.M <= 16) && (2*p.N > t.N || t.N <= 32)
}
