package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

func drawVector(t *rapid.T) (*graph.Graph, *graph.Op) {
	b := graph.NewBuilder("vector")
	n := func(s string, most int) int { return rapid.IntRange(1, most).Draw(t, s) }
	x := b.Input("x", n("n", 3), n("c", 20), n("h", 20), n("w", 20))
	kind := rapid.SampledFrom([]string{"relu", "add", "softmax", "layer", "batch", "pool", "reduce", "gather", "concat", "view"}).Draw(t, "kind")
	switch kind {
	case "relu":
		x = b.Elementwise("op", "relu", x)
	case "add":
		x = b.Add("op", x, b.Input("y", b.Shape(x)...))
	case "softmax":
		x = b.Softmax("op", x)
	case "layer":
		x = b.Norm("op", "layer", x, graph.WithBias)
	case "batch":
		x = b.BatchNorm("op", x)
	case "pool":
		x = b.Pool("op", x, graph.Pool{R: 1, S: 1, StrideH: 2, StrideW: 1})
	case "reduce":
		x = b.Reduce("op", "mean", x, 1)
	case "gather":
		x = b.Gather("op", b.Weight("table", n("rows", 90), n("cols", 60)), b.Input("i", n("indices", 50)))
	case "concat":
		x = b.Concat("op", 1, x, b.Input("y", b.Shape(x)...))
	case "view":
		x = b.Reshape("op", x, int(b.Elements(x)))
	}
	b.Output(x)
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(drawTypes(t))
	return g, &g.Ops[0]
}

// Vector work reads and writes every byte of its footprint once, with enough
// room; with less, rows pass twice and nothing else changes.
func TestVectorWorkAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, op := drawVector(t)
		core := drawCore(t, 64)
		core.Lanes = rapid.IntRange(1, 64).Draw(t, "lanes")
		p, err := Map(op, g, core, "traffic")
		if tooSmall(t, err) {
			return
		}
		walkVector(t, g, p)
		if v := op.VectorOps(); p.Steps > 0 {
			require.Equal(t, v, p.Vector)
			require.GreaterOrEqual(t, p.Cycles, integer.Ceil(v, int64(core.Lanes)))
		}
		large := core
		large.SRAM = machine.SRAM{Ifmap: 1 << 30, Filter: 1 << 30, Ofmap: 1 << 30}
		q, err := Map(op, g, large, "traffic")
		require.NoError(t, err)
		require.LessOrEqual(t, q.Traffic.Total(), p.Traffic.Total())
		require.Equal(t, q.Traffic.Output, p.Traffic.Output)
		f := g.Footprint(op)
		if _, gather := op.Kind.(graph.Gather); !gather || g.Tensor(op.In[0]).DType.Bits() >= 8 { // rows begin at whole bytes
			require.Equal(t, f.Bytes(), q.Traffic.Total())
		}
	})
}

func walkVector(t require.TestingT, g *graph.Graph, p *Plan) {
	var got dma.Traffic
	var cycles, steps int64
	stored := map[graph.TensorID][]byte{}
	for _, id := range p.Op.Out {
		stored[id] = make([]byte, g.Tensor(id).Bytes())
	}
	for st := range p.All() {
		steps++
		cycles += st.Cycles
		for i := range st.Loads {
			x := &st.Loads[i]
			require.LessOrEqual(t, x.Offset+(x.Rows-1)*x.Stride+x.RowBytes, g.Tensor(x.Tensor).Bytes())
			if x.Buffer == dma.Filter {
				got.Filter += x.Bytes()
			} else {
				got.Ifmap += x.Bytes()
			}
		}
		for i := range st.Stores {
			got.Output += st.Stores[i].Bytes()
			forEach(&st.Stores[i], func(a, b int64) {
				for ; a < b; a++ {
					stored[st.Stores[i].Tensor][a]++
				}
			})
		}
	}
	require.Equal(t, p.Traffic, got)
	require.Equal(t, p.Cycles, cycles)
	require.Equal(t, p.Steps, steps)
	if p.Steps == 0 {
		return
	}
	for id, s := range stored {
		for i, n := range s {
			require.Equal(t, byte(1), n, "byte %d of %s", i, g.Tensor(id).Name)
		}
	}
}

func TestLongRowsPassTwice(t *testing.T) {
	b := graph.NewBuilder("rows")
	b.Output(b.Softmax("op", b.Input("x", 10, 1000)))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	core := tpu("ws")
	core.SRAM.Ifmap = units.Bytes(1000) // half a row
	p, err := Map(&g.Ops[0], g, core, "traffic")
	require.NoError(t, err)
	require.Equal(t, dma.Traffic{Ifmap: 20000, Output: 10000}, p.Traffic)
	require.Equal(t, int64(10*2*2), p.Steps)
	walkVector(t, g, p)
	core.SRAM.Ofmap = 1
	_, err = Map(&g.Ops[0], g, core, "traffic")
	require.EqualError(t, err, "op: smallest part: ofmap needs 1 B, 1 B more than the 0 B of half the buffer")
}

// Scales and shifts that do not fit come again with every row, in slices of a
// row's second pass; a smaller buffer never saves bytes.
func TestParametersThatDoNotFit(t *testing.T) {
	b := graph.NewBuilder("rows")
	b.Output(b.Norm("op", "layer", b.Input("x", 10, 1000), graph.WithBias))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	core := tpu("ws")
	for _, c := range []struct {
		filter units.Bytes
		want   dma.Traffic
	}{
		{4000, dma.Traffic{Ifmap: 10000, Filter: 1000 + 1000, Output: 10000}},
		{3998, dma.Traffic{Ifmap: 20000, Filter: 1000 + 10*1000, Output: 10000}},
		{1998, dma.Traffic{Ifmap: 20000, Filter: 10*1000 + 10*1000, Output: 10000}},
		{100, dma.Traffic{Ifmap: 20000, Filter: 10*1000 + 10*1000, Output: 10000}},
	} {
		core.SRAM.Filter = c.filter
		p, err := Map(&g.Ops[0], g, core, "traffic")
		require.NoError(t, err)
		require.Equal(t, c.want, p.Traffic, c.filter)
		walkVector(t, g, p)
	}
}

// The vector work of the zoo moves what graph.Footprint says.
func TestZooVectorTraffic(t *testing.T) {
	for _, name := range []string{"resnet50", "llama3_8b", "sd15_unet"} {
		g := model(t, name, zoo.Params{})
		for i := range g.Ops {
			if _, ok := g.Ops[i].Matrix(); ok {
				continue
			}
			p, err := Map(&g.Ops[i], g, tpu("ws"), "traffic")
			require.NoError(t, err)
			require.Equal(t, g.Footprint(&g.Ops[i]).Bytes(), p.Traffic.Total(), "%s %s", name, g.Ops[i].Name)
		}
	}
}

// Rows of a table that do not fit come in slices, once.
func TestLongTableRows(t *testing.T) {
	b := graph.NewBuilder("embed")
	b.Output(b.Gather("op", b.Weight("table", 50, 301), b.Input("i", 20)))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	core := tpu("ws")
	core.SRAM.Ifmap = 256
	p, err := Map(&g.Ops[0], g, core, "traffic")
	require.NoError(t, err)
	require.Equal(t, dma.Traffic{Ifmap: 20*301*2 + 20*4, Output: 20 * 301 * 2}, p.Traffic)
	require.Equal(t, int64(20*8), p.Steps)
	walkVector(t, g, p)
}
