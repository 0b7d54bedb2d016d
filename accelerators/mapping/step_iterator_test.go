package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// What the walk yields is what the plan promises: bytes, cycles, MACs and steps
// add up; every result is stored exactly once; every input that an output needs
// is read; nothing lies outside its tensor.
func TestWalkAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, core, d := drawKind(t), drawCore(t, 600), drawTypes(t)
		g, op := one(k, d, rapid.Bool().Draw(t, "bias"))
		p, err := Map(op, g, core, rapid.SampledFrom(Objectives()).Draw(t, "objective"))
		if tooSmall(t, err) {
			return
		}
		checkWalk(t, g, p, core)
		require.Equal(t, op.MACs(), p.MACs)
		require.GreaterOrEqual(t, float64(p.Cycles*core.Array.PEs()), p.Work()-1e-6)
	})
}

func checkWalk(t require.TestingT, g *graph.Graph, p *Plan, core machine.Core) {
	var got dma.Traffic
	var cycles, macs, steps int64
	stored := make([]byte, g.Tensor(p.tiles.At.C).Bytes())
	read := map[graph.TensorID][]byte{}
	spilled := make([]bool, p.Scratch)
	for st := range p.All() {
		steps++
		cycles += st.Cycles
		macs += st.MACs
		require.Positive(t, st.Cycles)
		for i := range st.Loads {
			x := &st.Loads[i]
			switch x.Buffer {
			case dma.Ifmap:
				got.Ifmap += x.Bytes()
			case dma.Filter:
				got.Filter += x.Bytes()
			default:
				got.Psum += x.Bytes()
			}
			if x.Tensor == dma.Scratch {
				forEach(x, func(a, b int64) {
					for ; a < b; a++ {
						require.True(t, spilled[a], "partial sum %d read before it was written", a)
					}
				})
				continue
			}
			if read[x.Tensor] == nil {
				read[x.Tensor] = make([]byte, g.Tensor(x.Tensor).Bytes())
			}
			forEach(x, func(a, b int64) {
				for ; a < b; a++ {
					read[x.Tensor][a] = 1
				}
			})
		}
		for i := range st.Stores {
			x := &st.Stores[i]
			require.Equal(t, dma.Ofmap, x.Buffer)
			if x.Tensor == dma.Scratch {
				got.Spill += x.Bytes()
				forEach(x, func(a, b int64) {
					for ; a < b; a++ {
						spilled[a] = true
					}
				})
				continue
			}
			got.Output += x.Bytes()
			forEach(x, func(a, b int64) {
				for ; a < b; a++ {
					stored[a]++
				}
			})
		}
	}
	require.Equal(t, p.Traffic, got)
	require.Equal(t, p.Cycles, cycles)
	require.Equal(t, p.MACs, macs)
	require.Equal(t, p.Steps, steps)
	for _, id := range append([]graph.TensorID{p.tiles.At.C}, p.Op.In...) {
		if d := g.Tensor(id).DType; d.Bits() < 8 && !d.Blocked() {
			return // rows of odd length begin inside a byte: addresses are rounded down
		}
	}
	for i, n := range stored {
		require.Equal(t, byte(1), n, "result byte %d of %d", i, len(stored))
	}
	for i, need := range needed(g, p.Op) {
		id := p.Op.In[i]
		for j, n := range need {
			if n && read[id][j] == 0 {
				require.Fail(t, "an input byte was not read", "%s byte %d", g.Tensor(id).Name, j)
			}
		}
	}
}

// needed marks the bytes of each operand that the operator uses, by the plain
// loops of its definition.
func needed(g *graph.Graph, op *graph.Op) [][]bool {
	out := make([][]bool, len(op.In))
	for i, id := range op.In {
		out[i] = make([]bool, g.Tensor(id).Bytes())
	}
	mark := func(i int, e int64) {
		if g.Tensor(op.In[i]).DType.Blocked() { // whole blocks: the first element marks them all
			if len(out[i]) > 0 && !out[i][0] {
				for b := range out[i] {
					out[i][b] = true
				}
			}
			return
		}
		bits := g.Tensor(op.In[i]).DType.Bits()
		for b := e * bits / 8; b < ((e+1)*bits+7)/8; b++ {
			out[i][b] = true
		}
	}
	for i := 1; i < len(op.In); i++ { // weights and biases: all
		for e := range g.Tensor(op.In[i]).Elements() {
			mark(i, e)
		}
	}
	c, ok := op.Kind.(graph.Conv)
	if !ok || c.Transposed {
		for e := range g.Tensor(op.In[0]).Elements() {
			mark(0, e)
		}
		return out
	}
	for n := range c.N {
		for ch := range c.C {
			for oh := range c.OutH() {
				for ow := range c.OutW() {
					for r := range c.R {
						for s := range c.S {
							h, w := oh*c.StrideH-c.PadTop+r*c.DilationH, ow*c.StrideW-c.PadLeft+s*c.DilationW
							if h >= 0 && h < c.H && w >= 0 && w < c.W {
								mark(0, int64(((n*c.C+ch)*c.H+h)*c.W+w))
							}
						}
					}
				}
			}
		}
	}
	return out
}

// The same holds for any tile and order that a rule fixes, however bad.
func TestAnyMappingAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, core := drawKind(t), drawCore(t, 600)
		core.SRAM = machine.SRAM{Ifmap: 1 << 30, Filter: 1 << 30, Ofmap: 1 << 30}
		g, op := one(k, graph.Uniform(rapid.SampledFrom([]graph.DType{graph.Int8, graph.BF16}).Draw(t, "dtype")), rapid.Bool().Draw(t, "bias"))
		m, _ := op.Matrix()
		m = product.Collapse(m)
		n := func(s string, most int64) int64 { return rapid.Int64Range(1, most).Draw(t, s) }
		r := Rule{Order: rapid.SampledFrom(orderNames()).Draw(t, "order"), Tile: dma.Tile{Batch: n("tb", 8), M: n("tm", m.M), N: n("tn", m.N), K: n("tk", m.K)}}
		if c := m.Conv; c != nil {
			rows, cols, unit := int64(c.OutH()), int64(c.OutW()), int64(c.R*c.S)
			if c.Transposed {
				rows, cols, r.Tile.N = int64(c.H), int64(c.W), unit*n("filters", m.N/unit)
			} else {
				r.Tile.K = unit * n("channels", m.K/unit)
			}
			r.Tile.M = []int64{n("images", int64(c.N)) * rows * cols, n("rows", rows) * cols, n("cols", cols)}[rapid.IntRange(0, 2).Draw(t, "level")]
			if c.Transposed {
				r.Tile.M = integer.Ceil(r.Tile.M, cols) * cols
			}
		}
		p, err := NewMapper().Map(op, g, core, "traffic", r)
		if err != nil {
			require.ErrorContains(t, err, "no loop order keeps the overlapping sums")
			return
		}
		checkWalk(t, g, p, core)
		require.GreaterOrEqual(t, float64(p.Cycles*core.Array.PEs()), p.Work()-1e-6)
	})
}

// What one tile loads and produces fits into half of each buffer.
func TestTilesFitHalfTheBuffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		core := drawCore(t, 300)
		g, op := one(drawKind(t), graph.Uniform(graph.Int8), false)
		p, err := Map(op, g, core, "traffic")
		if tooSmall(t, err) {
			return
		}
		type tile struct {
			b   int64
			idx [3]int64
		}
		load, sums := map[tile][3]int64{}, map[tile]int64{}
		w, st := p.Walk(), dma.Step{}
		for {
			at, n := tile{w.tile.Bi, w.tile.Idx}, w.tile.Len
			if w.tile.Tile.B1 > w.tile.Tile.B0 && p.tiles.S.Form != product.Transposed {
				sums[at] = (w.tile.Tile.B1 - w.tile.Tile.B0) * n[0] * n[1] * 4
			}
			if !w.Next(&st) {
				break
			}
			for i := range st.Loads {
				if x := &st.Loads[i]; x.Tensor != dma.Scratch {
					l := load[at]
					l[x.Buffer] += x.Bytes()
					load[at] = l
				}
			}
		}
		for at, l := range load {
			require.LessOrEqual(t, l[dma.Ifmap], int64(core.SRAM.Ifmap/2))
			require.LessOrEqual(t, l[dma.Filter], int64(core.SRAM.Filter/2))
			require.LessOrEqual(t, sums[at], int64(core.SRAM.Ofmap/2))
		}
	})
}

// Cases counted by hand.
func TestByHand(t *testing.T) {
	square := func(n int) machine.Core {
		return machine.Core{Array: dataflow.Array{Rows: n, Cols: n}, Dataflow: "ws", SRAM: machine.SRAM{Ifmap: 1 << 20, Filter: 1 << 20, Ofmap: 1 << 20}, Accumulator: graph.Int32}
	}
	mapped := func(k graph.Kind, c machine.Core, r Rule) *Plan {
		g, op := one(k, graph.Uniform(graph.Int8), false)
		p, err := NewMapper().Map(op, g, c, "traffic", r)
		require.NoError(t, err)
		checkWalk(t, g, p, c)
		return p
	}
	// 28 channels of 3x3: 14 at a time have 9 rows and a column of their own.
	d := graph.Conv{N: 1, C: 28, H: 10, W: 10, K: 28, R: 3, S: 3, StrideH: 1, StrideW: 1, PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1, DilationH: 1, DilationW: 1, Groups: 28}
	p := mapped(d, square(128), Rule{})
	require.Equal(t, int64(2*(128+100+254)), p.Cycles)
	require.Equal(t, dma.Traffic{Ifmap: 2800, Filter: 252, Output: 2800}, p.Traffic)

	// Ten tiles stream through one fold.
	m := graph.MatMul{Batch: 1, M: 100, N: 8, K: 8}
	p = mapped(m, square(8), Rule{Tile: dma.Tile{M: 10, N: 8, K: 8}, Order: "nkm"})
	require.Equal(t, int64(8+100+14), p.Cycles)
	// Two loads of weights for each of them.
	p = mapped(graph.MatMul{Batch: 1, M: 100, N: 16, K: 8}, square(8), Rule{Tile: dma.Tile{M: 10, N: 16, K: 8}, Order: "nkm"})
	require.Equal(t, int64(10*2*(8+10+14)), p.Cycles)

	p = mapped(graph.MatMul{Batch: 1, M: 100, N: 8, K: 16}, square(8), Rule{Tile: dma.Tile{M: 10, N: 8, K: 16}, Order: "nkm"})
	require.Equal(t, int64(10*2*(8+10+14)), p.Cycles)
	// Weights change between tiles, or only after both tiles of rows.
	k := graph.MatMul{Batch: 1, M: 20, N: 8, K: 16}
	require.Equal(t, int64(4*(8+10+14)), mapped(k, square(8), Rule{Tile: dma.Tile{M: 10, N: 8, K: 8}, Order: "nmk"}).Cycles)
	require.Equal(t, int64(2*(8+20+14)), mapped(k, square(8), Rule{Tile: dma.Tile{M: 10, N: 8, K: 8}, Order: "nkm"}).Cycles)

	// Sums leave after the first half of k and come back for the second.
	p = mapped(graph.MatMul{Batch: 1, M: 4, N: 4, K: 4}, square(2), Rule{Tile: dma.Tile{M: 2, N: 2, K: 2}, Order: "kmn"})
	require.Equal(t, dma.Traffic{Ifmap: 16, Filter: 32, Psum: 64, Spill: 64, Output: 16}, p.Traffic)
	require.Equal(t, int64(64), p.Scratch)

	// Tiles of two rows share two input rows with the next: kept where channels
	// are whole, read again where their halves alternate (3+4+4+3 rows).
	c := graph.Conv{N: 1, C: 2, H: 8, W: 8, K: 1, R: 3, S: 3, StrideH: 1, StrideW: 1, PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1, DilationH: 1, DilationW: 1, Groups: 1}
	require.Equal(t, int64(128), mapped(c, square(8), Rule{Tile: dma.Tile{M: 16}, Order: "nmk"}).Traffic.Ifmap)
	require.Equal(t, int64(128), mapped(c, square(8), Rule{Tile: dma.Tile{M: 16, K: 9}, Order: "nkm"}).Traffic.Ifmap)
	require.Equal(t, int64(2*14*8), mapped(c, square(8), Rule{Tile: dma.Tile{M: 16, K: 9}, Order: "nmk"}).Traffic.Ifmap)

	// Three query heads share their keys: read once.
	h := graph.MatMul{Batch: 6, M: 5, N: 7, K: 4, SharedB: 3}
	require.Equal(t, int64(2*7*4), mapped(h, square(8), Rule{}).Traffic.Filter)
}
