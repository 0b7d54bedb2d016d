package tensorcore_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// cases lets CAUSEWAY_CASES say how many random cases a property is tried on: .ci/long asks for
// many.
func cases(t *testing.T) {
	if n := os.Getenv("CAUSEWAY_CASES"); n != "" {
		old := flag.Lookup("rapid.checks").Value.String()
		require.NoError(t, flag.Set("rapid.checks", n))
		t.Cleanup(func() { _ = flag.Set("rapid.checks", old) })
	}
}

// drawMachine is a machine with random values of every key of the presets.
func drawMachine(t *rapid.T) tensorcore.Machine {
	n := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
	share := func(name string) float64 { return rapid.Float64Range(0.05, 1).Draw(t, name) }
	side := n("side", 8, 128, 256)
	m := tensorcore.Machine{Rows: side, Cols: side, Arrays: n("arrays", 2, 4, 8), Cores: n("cores", 1, 2), Clock: 1e9, Sustained: share("sustained"),
		Preload: rapid.Bool().Draw(t, "preload"), Accumulators: int64(n("accumulators", 0, 64, 1024)),
		VMEM: int64(1) << n("vmem", 16, 20, 24, 27), Memory: 1e9 * float64(n("bandwidth", 30, 300, 3000)),
		Ragged: share("ragged"), Added: rapid.Bool().Draw(t, "added"), Resident: int64(n("resident", 0, 1<<18, 1<<24, 1<<27)),
		Apart: rapid.Bool().Draw(t, "apart"), Tile: int64(n("tile", 0, 1<<18, 1<<22)), Block: n("block", 64, 512),
		Vector: tensorcore.Vector{Lanes: float64(n("lanes", 64, 1024, 4096)), Units: n("units", 0, 2), Grain: int64(n("grain", 0, 1<<10, 1<<20))},
		Launch: map[string]float64{}, Efficiency: map[string]float64{"all": share("efficiency"), "elementwise": share("of elements"), tensorcore.Decode: share("of decode")}}
	if rapid.Bool().Draw(t, "rates") {
		m.Vector.Rates = map[string]float64{"elementwise": 500, "attention": 300}
	}
	if rapid.Bool().Draw(t, "converted") {
		m.Converted = []graph.DType{graph.FP16}
	}
	for _, name := range []string{"all", "gemm", "elementwise", tensorcore.Convert, tensorcore.Tiled} {
		m.Launch[name] = 1e-9 * float64(rapid.IntRange(0, 3000).Draw(t, "launch "+name))
	}
	m.Passes[graph.FP32] = 3
	return m
}

// A shape is an operator that may be taken in parts: of(n, parts) is the n-th of parts.
type shape struct {
	dtype graph.DType
	size  int // what is cut
	of    func(b *graph.Builder, size int)
}

func (s shape) graph(t require.TestingT, size int) *graph.Graph {
	b := graph.NewBuilder("g")
	s.of(b, size)
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(s.dtype))
	return g
}

// drawShape is a random operator that is cut in halves along its batch or its rows.
func drawShape(t *rapid.T) shape {
	size := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
	s := shape{dtype: rapid.SampledFrom([]graph.DType{graph.BF16, graph.FP16, graph.FP32, graph.Int8}).Draw(t, "dtype")}
	s.size = 2 * size("half", 1<<size("magnitude", 12))
	n, k := size("n", 3000), size("k", 3000)
	switch rapid.IntRange(0, 5).Draw(t, "operator") {
	case 0:
		s.of = func(b *graph.Builder, m int) {
			b.Output(b.MatMul("x", b.Input("a", m, k), b.Weight("w", k, n), graph.MatMul{Batch: 1, M: m, N: n, K: k}, m, n))
		}
	case 1:
		s.size = 2 * size("images", 16)
		groups, each, side, kernel := size("groups", 64), size("channels", 16), size("side", 30), rapid.SampledFrom([]int{1, 3, 5}).Draw(t, "kernel")
		s.of = func(b *graph.Builder, images int) {
			c := graph.SquareConv(groups*each, kernel, 1, kernel/2)
			c.Groups = groups
			b.Output(b.Conv("x", b.Input("a", images, groups*each, side, side), c))
		}
	case 2:
		s.of = func(b *graph.Builder, m int) { b.Output(b.Elementwise("x", "gelu", b.Input("a", m, n))) }
	case 3:
		s.of = func(b *graph.Builder, m int) { b.Output(b.Softmax("x", b.Input("a", m, n))) }
	case 4:
		s.of = func(b *graph.Builder, m int) { b.Output(b.Norm("x", "rms", b.Input("a", m, n))) }
	default:
		s.size = 2 * size("sequences", 32)
		a := graph.Attention{Group: size("group", 8), Queries: rapid.SampledFrom([]int{1, 100, 700}).Draw(t, "queries"), Size: 64, Value: 64, Mask: masking.Mask{Causal: true}}
		a.Keys = a.Queries + size("context", 1000)
		s.of = func(b *graph.Builder, batch int) {
			a := a
			a.Batch = batch
			in := []graph.TensorID{b.Input("q", batch, a.Group, a.Queries, a.Size), b.Cache("k", batch, a.Keys, a.Size), b.Cache("v", batch, a.Keys, a.Value)}
			b.Output(b.Op("x", a, in, batch, a.Group, a.Queries, a.Value))
		}
	}
	return s
}

// total is the time of a graph, and its parts.
func total(m *tensorcore.Machine, g *graph.Graph) (sum float64, each []tensorcore.Cost) {
	ops := make([]int, len(g.Ops))
	for i := range ops {
		ops[i] = i
	}
	for i, p := range m.Flow(g, ops) {
		c := m.Time(g, &g.Ops[i], p)
		each = append(each, c)
		sum += c.Time()
	}
	return sum, each
}

// better are machines with more of a resource.
var better = map[string]func(*tensorcore.Machine){
	"memory":       func(m *tensorcore.Machine) { m.Memory *= 2 },
	"arrays":       func(m *tensorcore.Machine) { m.Arrays *= 2 },
	"clock":        func(m *tensorcore.Machine) { m.Clock *= 2 },
	"lanes":        func(m *tensorcore.Machine) { m.Vector.Lanes *= 2 },
	"vmem":         func(m *tensorcore.Machine) { m.VMEM *= 2 },
	"much vmem":    func(m *tensorcore.Machine) { m.VMEM *= 64 },
	"a bit vmem":   func(m *tensorcore.Machine) { m.VMEM += m.VMEM / 8 },
	"sustained":    func(m *tensorcore.Machine) { m.Sustained = 1 },
	"ragged":       func(m *tensorcore.Machine) { m.Ragged = 1 },
	"accumulators": func(m *tensorcore.Machine) { m.Accumulators = 0 },
	"launch":       func(m *tensorcore.Machine) { m.Launch = nil },
}

// A worst keeps the largest ratio of a property.
type worst struct {
	ratio float64
	n     int
}

func (w *worst) see(ratio float64) { w.ratio, w.n = max(w.ratio, ratio), w.n+1 }

// An operator whole takes no longer than in two halves, but for 1%; no part of its time is
// negative, and no byte comes faster than the memory's rate.
func TestHalvesGainNothing(t *testing.T) {
	cases(t)
	var w worst
	rapid.Check(t, func(t *rapid.T) {
		m, s := drawMachine(t), drawShape(t)
		whole, each := total(&m, s.graph(t, s.size))
		half, _ := total(&m, s.graph(t, s.size/2))
		w.see(whole / (2 * half))
		require.LessOrEqual(t, whole, 1.01*2*half)
		for _, c := range each {
			require.GreaterOrEqual(t, min(c.Launch, c.Copy, c.Array, c.Vector, c.Memory, float64(c.Read), float64(c.Written)), 0.0)
			require.LessOrEqual(t, float64(c.Bytes()), m.Memory*(c.Copy+max(c.Busy(), c.Memory))*(1+1e-9))
		}
	})
	t.Logf("%d cases, whole over two halves at most %.4f", w.n, w.ratio)
}

// More of a resource never makes an operator slower, but for 1%.
func TestBetterMachinesAreNotSlower(t *testing.T) {
	cases(t)
	var w worst
	rapid.Check(t, func(t *rapid.T) {
		m, s := drawMachine(t), drawShape(t)
		m.Hot = rapid.Bool().Draw(t, "on the chip")
		g := s.graph(t, s.size)
		base, _ := total(&m, g)
		for name, improve := range better {
			x := m
			improve(&x)
			more, _ := total(&x, g)
			w.see(more / base)
			require.LessOrEqual(t, more, 1.01*base, name)
		}
	})
	t.Logf("%d cases, more over less at most %.4f", w.n, w.ratio)
}

// The same for whole models: more of a resource, and a batch over its halves.
func TestModelsGainNothingFromLess(t *testing.T) {
	cases(t)
	build := func(t *rapid.T, name string, batch int) *graph.Graph {
		p := zoo.Params{Batch: batch}
		if name == "bert_base" || name == "gpt2" {
			p.Sequence = 32
		}
		g, err := zoo.Build(name, p)
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.BF16))
		return g
	}
	var up, halves worst
	rapid.Check(t, func(t *rapid.T) {
		m := drawMachine(t)
		model := rapid.SampledFrom([]string{"resnet18", "mobilenet_v1", "bert_base", "gpt2"}).Draw(t, "model")
		half := 1 << rapid.IntRange(0, 6).Draw(t, "half of the batch")
		a, b := build(t, model, half), build(t, model, 2*half)
		one, _ := total(&m, a)
		two, _ := total(&m, b)
		halves.see(two / (2 * one))
		require.LessOrEqual(t, two, 1.01*2*one)
		for name, improve := range better {
			x := m
			improve(&x)
			more, _ := total(&x, a)
			up.see(more / one)
			require.LessOrEqual(t, more, 1.01*one, name)
		}
	})
	t.Logf("%d cases: a batch over two halves at most %.4f, more over less at most %.4f", halves.n, halves.ratio, up.ratio)
}
