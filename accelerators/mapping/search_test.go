package mapping

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// exhaustive is the dumb twin of the search for one GEMM: every tile size, every
// order of the loops, the same capacity rule, and the bytes counted by going
// through the tiles one by one and reading whatever is not the last one read.
func exhaustive(m, n, k int64, half [3]int64, bytes, acc int64) int64 {
	least := int64(math.MaxInt64)
	for tm := int64(1); tm <= m; tm++ {
		for tn := int64(1); tn <= n; tn++ {
			if tm*tn*acc > half[2] {
				break
			}
			for tk := int64(1); tk <= k; tk++ {
				if tm*tk*bytes > half[0] || tk*tn*bytes > half[1] {
					break
				}
				if tm > 1 && integer.Ceil(m, tm) == integer.Ceil(m, tm-1) || tn > 1 && integer.Ceil(n, tn) == integer.Ceil(n, tn-1) || tk > 1 && integer.Ceil(k, tk) == integer.Ceil(k, tk-1) {
					continue // as many tiles as with a smaller size: the same bytes
				}
				for _, o := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
					least = min(least, goThrough([3]int64{m, n, k}, [3]int64{tm, tn, tk}, o, bytes, acc, least))
				}
			}
		}
	}
	return least
}

func goThrough(full, tile [3]int64, order [3]int, bytes, acc, stop int64) (sum int64) {
	var i [3]int64
	lastA, lastB, lastC := [2]int64{-1, -1}, [2]int64{-1, -1}, [2]int64{-1, -1}
	size := func(x int) int64 { return min(tile[x], full[x]-i[x]) }
	seen := int64(0) // bytes of the result tile on the chip
	for i[order[0]] = 0; i[order[0]] < full[order[0]]; i[order[0]] += tile[order[0]] {
		for i[order[1]] = 0; i[order[1]] < full[order[1]]; i[order[1]] += tile[order[1]] {
			for i[order[2]] = 0; i[order[2]] < full[order[2]]; i[order[2]] += tile[order[2]] {
				if a := [2]int64{i[0], i[2]}; a != lastA {
					sum, lastA = sum+size(0)*size(2)*bytes, a
				}
				if b := [2]int64{i[2], i[1]}; b != lastB {
					sum, lastB = sum+size(2)*size(1)*bytes, b
				}
				if c := [2]int64{i[0], i[1]}; c != lastC {
					sum += seen * acc // what was there spills
					if i[2] > 0 {
						sum += size(0) * size(1) * acc // and comes back
					}
					lastC, seen = c, size(0)*size(1)
				}
				if i[2]+tile[2] >= full[2] { // complete
					sum += size(0) * size(1) * bytes
					seen = 0
				}
				if sum >= stop {
					return sum
				}
			}
		}
	}
	return sum
}

func TestWithinTenPercentOfExhaustiveSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	worst, fits := 1.0, 0
	for range 60 {
		size := func() int { return 2 + r.IntN(47) }
		k := graph.MatMul{Batch: 1, M: size(), N: size(), K: size()}
		sram := func() units.Bytes { return units.Bytes(8 + r.IntN(1500)) }
		core := machine.Core{Array: dataflow.Array{Rows: 1 + r.IntN(16), Cols: 1 + r.IntN(16)}, Dataflow: []string{"is", "os", "ws"}[r.IntN(3)],
			SRAM: machine.SRAM{Ifmap: sram(), Filter: sram(), Ofmap: sram()}, Accumulator: graph.Int32}
		g, op := one(k, graph.Uniform(graph.Int8), false)
		p, err := Map(op, g, core, "traffic")
		require.NoError(t, err)
		best := exhaustive(int64(k.M), int64(k.N), int64(k.K), [3]int64{int64(core.SRAM.Ifmap / 2), int64(core.SRAM.Filter / 2), int64(core.SRAM.Ofmap / 2)}, 1, 4)
		require.GreaterOrEqual(t, p.Traffic.Total(), best, "less than the least")
		if p.tiles.Sol.Tiles == 1 {
			fits++
		}
		ratio := float64(p.Traffic.Total()) / float64(best)
		worst = max(worst, ratio)
		require.LessOrEqual(t, ratio, 1.1, "%+v %+v", k, core)
	}
	require.Less(t, fits, 10, "capacity should matter in most cases")
	t.Logf("worst of 60: %.4f of exhaustive search", worst)
}

// A smaller SRAM never lowers memory bytes.
func TestSmallerBufferNeverMovesLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, op := one(drawKind(t), drawTypes(t), rapid.Bool().Draw(t, "bias"))
		large := drawCore(t, 200)
		small := large
		for _, b := range []*units.Bytes{&small.SRAM.Ifmap, &small.SRAM.Filter, &small.SRAM.Ofmap} {
			*b = *b * units.Bytes(rapid.IntRange(1, 100).Draw(t, "percent")) / 100
		}
		p, err := Map(op, g, small, "traffic")
		if tooSmall(t, err) {
			return
		}
		q, err := Map(op, g, large, "traffic")
		require.NoError(t, err)
		require.LessOrEqual(t, q.Traffic.Total(), p.Traffic.Total())
	})
}

// With room for everything, bytes follow the width of the elements and cycles
// do not change.
func TestTypesChangeBytesOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, core := drawKind(t), drawCore(t, 1<<10)
		core.SRAM = machine.SRAM{Ifmap: 1 << 30, Filter: 1 << 30, Ofmap: 1 << 30}
		g8, op8 := one(k, graph.Uniform(graph.Int8), true)
		g16, op16 := one(k, graph.Uniform(graph.BF16), true)
		p, err := Map(op8, g8, core, "traffic")
		require.NoError(t, err)
		core.Accumulator = graph.FP32
		q, err := Map(op16, g16, core, "traffic")
		require.NoError(t, err)
		require.Equal(t, q.Cycles, p.Cycles)
		require.Equal(t, q.Traffic.Total(), 2*p.Traffic.Total())
		want := int64(0) // every tensor once
		for i := range g8.Tensors {
			want += g8.Tensors[i].Bytes()
		}
		if _, ok := k.(graph.MatMul); ok && k.(graph.MatMul).Batch == 1 {
			require.Equal(t, want, p.Traffic.Total())
		}
	})
}

// The objective cycles is not slower than traffic, and moves no less.
func TestObjectives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, op := one(drawKind(t), graph.Uniform(graph.Int8), false)
		core := drawCore(t, 600)
		p, err := Map(op, g, core, "traffic")
		if tooSmall(t, err) {
			return
		}
		q, err := Map(op, g, core, "cycles")
		require.NoError(t, err)
		require.LessOrEqual(t, q.Cycles, p.Cycles)
		require.GreaterOrEqual(t, q.Traffic.Total(), p.Traffic.Total())
	})
}

func TestOverflowNamesBufferAndBytes(t *testing.T) {
	g, op := one(graph.MatMul{Batch: 1, M: 64, N: 64, K: 64}, graph.Uniform(graph.Int8), false)
	core := machine.Core{Array: dataflow.Array{Rows: 8, Cols: 8}, Dataflow: "ws", SRAM: machine.SRAM{Ifmap: 1024, Filter: 1024, Ofmap: 6}, Accumulator: graph.Int32}
	_, err := Map(op, g, core, "traffic")
	require.EqualError(t, err, "op: smallest tile 1 x (1 x 1 by 1 x 1): ofmap needs 4 B, 1 B more than the 3 B of half the buffer")
	core.SRAM.Ofmap = 1 << 20
	_, err = NewMapper().Map(op, g, core, "traffic", Rule{Tile: dma.Tile{M: 64, N: 64, K: 64}})
	require.EqualError(t, err, "op: tile 1 x (64 x 64 by 64 x 64): filter needs 4096 B, 3584 B more than the 512 B of half the buffer; ifmap needs 4096 B, 3584 B more than the 512 B of half the buffer")
	_, err = Map(op, g, core, "speed")
	require.EqualError(t, err, `unknown objective "speed" (want one of: time, traffic, cycles)`)
}

// Of tiles that move as much, those that fill the array win: 256 and 44 columns
// are three folds of 128, twice 150 were four.
func TestTilesFillTheArray(t *testing.T) {
	g, op := one(graph.MatMul{Batch: 1, M: 8, N: 300, K: 8}, graph.Uniform(graph.Int8), false)
	core := tpu("ws")
	core.SRAM.Filter = 2 * 8 * 260
	p, err := Map(op, g, core, "traffic")
	require.NoError(t, err)
	require.Equal(t, int64(256), p.Tile.N)
	require.Equal(t, int64(3), p.Folds)
}

// A bias is read once, so it changes neither tiles nor time.
func TestBiasCostsItsOwnBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, core := drawKind(t), drawCore(t, 200)
		d := graph.Uniform(rapid.SampledFrom([]graph.DType{graph.Int8, graph.BF16}).Draw(t, "dtype"))
		g, op := one(k, d, false)
		p, err := Map(op, g, core, "traffic")
		if tooSmall(t, err) {
			return
		}
		gb, biased := one(k, d, true)
		q, err := Map(biased, gb, core, "traffic")
		require.NoError(t, err)
		bias := gb.Tensor(biased.In[2]).Bytes()
		if m, ok := k.(graph.MatMul); ok { // every product adds it
			bias *= int64(m.Batch / max(m.SharedB, 1))
		}
		require.Equal(t, p.Traffic.Total()+bias, q.Traffic.Total())
		require.Equal(t, p.Tile, q.Tile)
		require.Equal(t, p.Cycles, q.Cycles)
	})
}
