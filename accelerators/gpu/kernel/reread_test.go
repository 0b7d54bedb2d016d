package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/integer"
)

// Four SMs and tiles of 128 by 128; a panel of sums over 1,024 is 256 KiB at two bytes.
func small(l2 int) *Machine { return &Machine{SMs: 4, Rereads: true, L2: float64(l2) * (256 << 10)} }

var wide = Tile{M: 128, N: 128, Split: 1}

// A product of 8 by 8 tiles: columns of 8 in two rounds of 4. From one use of a row's panel to the
// next come the 7 other rows and two columns: with room for 10 panels each is read once; with 8
// the rows are gone when the next column wants them, not the column, which the second round finds.
func TestRereads(t *testing.T) {
	p := Product{Batch: 1, M: 1024, N: 1024, K: 1024, Bytes: 2}
	const panel = 256 << 10
	bypass := func(l2 int) *Machine { m := small(l2); m.Bypass = true; return m }
	require.Zero(t, bypass(10).again(p, wide))
	require.Equal(t, 7.*8*panel, bypass(8).again(p, wide), "rows again for 7 of 8 columns")
	require.Equal(t, 7.*8*panel, bypass(5).again(p, wide))
	// a tile of results is 32 KiB: those of two rounds are a panel
	require.Zero(t, small(11).again(p, wide))
	require.Positive(t, small(10).again(p, wide), "results take the place of a row")
	// two stages of four rows: rows stay, columns come for each stage
	p.Stages = 2
	require.Equal(t, 8.*panel, bypass(6).again(p, wide))
	p.Batch = 3
	require.Equal(t, 3*8.*panel, bypass(6).again(p, wide))
	off := bypass(6)
	off.Rereads = false
	require.Zero(t, off.again(p, wide))
}

// The queue gives the same as a list of panels that is searched.
func TestRereadsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		m := small(1 + r.IntN(40))
		m.SMs, m.Bypass = 1+r.IntN(9), r.IntN(2) == 0
		p := Product{Batch: 1, M: 1 + r.IntN(3000), N: 1 + r.IntN(3000), K: 1024, Bytes: 2, Stages: r.IntN(5)}
		require.InDelta(t, plainly(m, p, wide), m.again(p, wide), 1, "%+v %+v", m, p)
	}
}

// plainly lists the tiles, then the panels of each round.
func plainly(m *Machine, p Product, t Tile) float64 {
	type tile struct{ i, j int }
	var tiles []tile
	rows, cols := integer.Ceil(p.M, t.M), integer.Ceil(p.N, t.N)
	stage := integer.Ceil(rows, max(p.Stages, 1))
	for from := 0; from < rows; from += stage {
		for j := range cols {
			for i := from; i < min(from+stage, rows); i++ {
				tiles = append(tiles, tile{i, j})
			}
		}
	}
	type item struct {
		name  [2]int
		bytes float64
	}
	var held []item // oldest first
	read := 0.0
	put := func(x item) {
		if x.name[0] >= 0 {
			if at := slices.IndexFunc(held, func(h item) bool { return h.name == x.name }); at >= 0 {
				held = slices.Delete(held, at, at+1)
			} else {
				read += x.bytes
			}
		}
		held = append(held, x)
		for sum := 0.0; ; sum = 0 {
			for _, h := range held {
				sum += h.bytes
			}
			if sum <= m.L2 {
				return
			}
			held = held[1:]
		}
	}
	for round := range slices.Chunk(tiles, m.SMs) {
		var done [][2]int
		results := 0.0
		once := func(name [2]int, bytes float64) {
			if !slices.Contains(done, name) {
				done = append(done, name)
				put(item{name, bytes})
			}
		}
		for _, x := range round {
			h, w := float64(min(t.M, p.M-x.i*t.M)), float64(min(t.N, p.N-x.j*t.N))
			once([2]int{0, x.i}, h*float64(p.K)*p.Bytes)
			once([2]int{1, x.j}, w*float64(p.K)*p.Bytes)
			results += h * w * p.Bytes
		}
		if !m.Bypass {
			put(item{[2]int{-1, 0}, results})
		}
	}
	return max(read-p.Bytes*float64(p.K)*float64(p.M+p.N), 0)
}
