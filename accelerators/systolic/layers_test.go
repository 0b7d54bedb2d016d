package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// drawLayer is one product or convolution.
func drawLayer(t *rapid.T) *graph.Graph {
	n := func(what string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, what) }
	g := &graph.Graph{Name: "test"}
	if rapid.Bool().Draw(t, "product") {
		m := graph.MatMul{Batch: 1, M: n("m", 1, 300), N: n("n", 1, 300), K: n("k", 1, 300)}
		a := g.Add(graph.Tensor{Name: "a", Shape: []int{m.M, m.K}, Role: graph.Input})
		b := g.Add(graph.Tensor{Name: "b", Shape: []int{m.K, m.N}, Role: graph.Weight})
		c := g.Add(graph.Tensor{Name: "c", Shape: []int{m.M, m.N}, Role: graph.Output})
		g.Append(graph.Op{Name: "fc", In: []graph.TensorID{a, b}, Out: []graph.TensorID{c}, Kind: m})
		return g
	}
	c := graph.Conv{N: n("images", 1, 2), H: n("h", 5, 30), W: n("w", 5, 30), C: n("c", 1, 40), K: n("filters", 1, 40), R: n("r", 1, 4), S: n("s", 1, 4), Groups: 1, DilationH: 1, DilationW: 1}
	c.StrideH, c.StrideW = n("stride", 1, 3), n("stride", 1, 3)
	c.PadTop, c.PadBottom, c.PadLeft, c.PadRight = n("pad", 0, c.R-1), n("pad", 0, c.R-1), n("pad", 0, c.S-1), n("pad", 0, c.S-1)
	x := g.Add(graph.Tensor{Name: "x", Shape: []int{c.N, c.C, c.H, c.W}, Role: graph.Input})
	f := g.Add(graph.Tensor{Name: "f", Shape: []int{c.K, c.C, c.R, c.S}, Role: graph.Weight})
	y := g.Add(graph.Tensor{Name: "y", Shape: []int{c.N, c.K, c.OutH(), c.OutW()}, Role: graph.Output})
	g.Append(graph.Op{Name: "conv", In: []graph.TensorID{x, f}, Out: []graph.TensorID{y}, Kind: c})
	return g
}

// drawCore is a core that can hold some tile of any drawLayer.
func drawCore(t *rapid.T) bench {
	b := drawBench(t)
	b.mems, b.turn = 1, 0
	s := &b.spec
	s.Rows, s.Cols = rapid.IntRange(1, 40).Draw(t, "rows"), rapid.IntRange(1, 40).Draw(t, "cols")
	s.Dataflow = rapid.SampledFrom([]Flow{"os", "ws", "is"}).Draw(t, "dataflow")
	s.Overlap = Overlap{Preload: rapid.Bool().Draw(t, "preload"), Drain: rapid.Bool().Draw(t, "drain")}
	size := rapid.SampledFrom([]units.Bytes{16 << 10, 64 << 10, 1 << 20})
	s.SRAM.Ifmap, s.SRAM.Filter, s.SRAM.Ofmap = size.Draw(t, "ifmap"), size.Draw(t, "filter"), size.Draw(t, "ofmap")
	return b
}

// Over random layers and cores: nothing beats the peak of the array or of the
// memory, every product is made once, more bandwidth is never worse, and the
// fidelities agree.
func TestLayers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, b := drawLayer(t), drawCore(t)
		b.mem.Bandwidth = units.Bandwidth(rapid.Uint64Range(1e9, 1e12).Draw(t, "bit/s"))
		w := shareOf(t, g, b.spec)
		k, r := b.network(t, "tile", w)
		_, a := b.network(t, "analytic", w)
		require.Equal(t, r, a)
		require.Equal(t, uint64(g.MACs()), k.inside().sum.macs)
		require.GreaterOrEqual(t, last(r)*uint64(b.spec.Rows*b.spec.Cols), uint64(g.MACs()))
		bits := 8 * (k.inside().sum.read.sum() + k.inside().sum.written.sum())
		require.GreaterOrEqual(t, b.spec.Clock.Nanoseconds(last(r))*(1+1e-12), float64(bits)*1e9/float64(b.mem.Bandwidth))
		b.mem.Bandwidth *= units.Bandwidth(rapid.Uint64Range(1, 5).Draw(t, "times"))
		_, f := b.network(t, "tile", w)
		require.LessOrEqual(t, last(f), last(r))
	})
}

// With room for everything bf16 moves twice the bytes of int8 and computes as
// long.
func TestWiderElements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, b := drawLayer(t), drawCore(t)
		b.spec.SRAM.Ifmap, b.spec.SRAM.Filter, b.spec.SRAM.Ofmap = 1<<30, 1<<30, 1<<30
		var got [2]totals
		for i, d := range []graph.DType{graph.Int8, graph.BF16} {
			g.SetDTypes(graph.Uniform(d))
			k, _ := b.network(t, "tile", shareOf(t, g, b.spec))
			got[i] = k.inside().sum
		}
		require.Equal(t, got[0].array, got[1].array)
		require.Equal(t, 2*got[0].read.sum(), got[1].read.sum())
		require.Equal(t, 2*got[0].written.sum(), got[1].written.sum())
	})
}
