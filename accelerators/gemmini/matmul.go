package gemmini

import (
	"math"

	"github.com/causeway-sim/causeway/components/integer"
)

// A Matmul is C = A B: A has M rows of K elements, B has K rows of N.
type Matmul struct{ M, N, K int }

// Own is the library's own tiling, in elements. It starts with square tiles of results that fill
// half of the accumulators, and lets columns, rows and depth grow by blocks, in turn, for as long
// as a tile fits into half of both memories.
func (p *Matmul) Own(m *Machine) Tiling {
	blocks := [3]int{integer.Ceil(p.M, m.Dim), integer.Ceil(p.N, m.Dim), integer.Ceil(p.K, m.Dim)}
	scratchpad, accumulator := m.Software.ScratchpadRows/2, m.Software.AccumulatorRows/2
	side := int(math.Sqrt(float64(accumulator / m.Dim)))
	depth := scratchpad / m.Dim / max(1, side)
	t := [3]int{min(blocks[0], side), min(blocks[1], side), min(blocks[2], depth)}
	fits := func(t [3]int) bool {
		return (t[0]*t[2]+t[2]*t[1])*m.Dim <= scratchpad && t[0]*t[1]*m.Dim <= accumulator
	}
	for grown := true; grown; {
		grown = false
		for _, i := range [3]int{1, 0, 2} {
			more := t
			more[i]++
			if more[i] <= blocks[i] && fits(more) {
				t, grown = more, true
			}
		}
	}
	return Tiling{Tile: [dims]int{1, 1, t[0] * m.Dim, t[1] * m.Dim, 1, 1, t[2] * m.Dim}, Order: [dims]int{dimN, dimS, dimR, dimQ, dimP, dimK, dimC}}
}

// Program is the tiles of the product under a tiling. A tile has whole blocks, at least one.
func (p *Matmul) Program(m *Machine, t Tiling, start int) Program {
	return p.program(m, t, start, place{inputAt, weightAt, outputAt})
}

func (p *Matmul) program(m *Machine, t Tiling, start int, o place) Program {
	size := [dims]int{1, 1, integer.Ceil(p.M, m.Dim), integer.Ceil(p.N, m.Dim), 1, 1, integer.Ceil(p.K, m.Dim)}
	for _, d := range [3]int{dimP, dimK, dimC} {
		t.Tile[d] = blocksOf(t.Tile[d], m.Dim)
	}
	return Program{Start: start, Loops: func(yield func(Loop) bool) {
		t.walk(size, func(at [dims]int) bool { return yield(Loop{Matmul: p.tile(m, &t, at, &size, &o)}) })
	}}
}

// blocksOf is the whole blocks of a size, at least one.
func blocksOf(n, dim int) int { return max(1, n/dim) }

// tile is the tile at a place, in blocks.
func (p *Matmul) tile(m *Machine, t *Tiling, at [dims]int, size *[dims]int, o *place) MatmulTile {
	x := MatmulTile{AStride: p.K, BStride: p.N, CStride: p.N}
	part := func(d, whole int) (blocks, pad int) {
		blocks = min(t.Tile[d], size[d]-at[d])
		if at[d]+blocks == size[d] {
			pad = size[d]*m.Dim - whole
		}
		return blocks, pad
	}
	x.I, x.PadI = part(dimP, p.M)
	x.J, x.PadJ = part(dimK, p.N)
	x.K, x.PadK = part(dimC, p.K)
	i, j, k := int64(at[dimP]*m.Dim), int64(at[dimK]*m.Dim), int64(at[dimC]*m.Dim)
	x.A = o.input + i*int64(p.K) + k
	x.B = o.weight + k*int64(p.N) + j
	if at[dimC]+x.K == size[dimC] {
		x.C = o.output + i*int64(p.N) + j
	}
	x.First = at[dimC] == 0
	return x
}
