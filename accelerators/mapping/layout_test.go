package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// where is the place of every element of a tensor, one by one: the dumb twin of region.
func where(t *graph.Tensor, l layout.Arrangement) []int64 {
	n := t.Elements()
	out := make([]int64, n)
	d := t.Shape
	switch {
	case l.Last: // N, C, H, W
		at := int64(0)
		for i := range d[0] {
			for p := range d[2] * d[3] {
				for c := range d[1] {
					out[(i*d[1]+c)*d[2]*d[3]+p] = at
					at++
				}
			}
		}
	case l.Block > 0:
		cols := int64(d[len(d)-1])
		at := int64(0)
		for r := int64(0); r < n/cols; r += l.Block {
			for c := int64(0); c < cols; c += l.Block {
				for i := r; i < min(r+l.Block, n/cols); i++ {
					for j := c; j < min(c+l.Block, cols); j++ {
						out[i*cols+j] = at
						at++
					}
				}
			}
		}
	default:
		for i := range out {
			out[i] = int64(i)
		}
	}
	return out
}

// Steps of a plan move the same elements however tensors lie, none twice, from where they
// lie, and as many bytes.
func TestLayoutsMoveTheSameElements(t *testing.T) {
	drawn, tiles, pixels := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		drawn++
		d := graph.Uniform(rapid.SampledFrom([]graph.DType{graph.Int8, graph.BF16}).Draw(t, "dtype"))
		core := drawCore(t, 1<<10)
		var kind graph.Kind
		lies := layout.Tiled
		if rapid.Bool().Draw(t, "conv") {
			kind, lies = drawConv(t), layout.ChannelsLast
		} else {
			kind = drawGEMM(t, 80)
		}
		g, op := one(kind, d, false)
		in, out := layout.Layouts{}, layout.Layouts{"*": lies}
		lays, _, errs := out.Arrange(g, longest([]machine.Core{core}))
		require.Empty(t, errs)
		plan := func(l layout.Layouts) *Plan {
			p, err := Split(g, []machine.Core{core}, Spec{Split: "row", Objective: "traffic", Layout: l})
			if tooSmall(t, err) {
				return nil
			}
			return p[0].Jobs[0].Plan
		}
		a, b := plan(in), plan(out)
		if a == nil {
			require.Nil(t, b)
			return
		}
		require.Equal(t, a.Traffic, b.Traffic)
		var rows [][]dma.Transfer
		for s := range a.All() {
			rows = append(rows, append(append([]dma.Transfer(nil), s.Loads...), s.Stores...))
		}
		i := 0
		for s := range b.All() {
			for _, id := range []graph.TensorID{op.In[0], op.Out[0]} {
				x := g.Tensor(id)
				place, e := where(x, lays[id]), x.Unit().Bytes
				want := map[int64]int{}
				for _, n := range elements(rows[i], id, e) {
					want[place[n]]++
				}
				got := map[int64]int{}
				for _, n := range elements(append(append([]dma.Transfer(nil), s.Loads...), s.Stores...), id, e) {
					got[n]++
				}
				require.Equal(t, want, got, x.Name)
				if lays[id].Block > 0 {
					tiles++
				} else if lays[id].Last {
					pixels++
				}
			}
			i++
		}
		require.Len(t, rows, i)
	})
	require.Greater(t, tiles, drawn)
	require.Greater(t, pixels, drawn)
}

// Rows that go past the vector unit do so too, whole ones and slices.
func TestTiledRowsStream(t *testing.T) {
	drawn, sliced := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		drawn++
		n := func(s string, a, b int) int { return rapid.IntRange(a, b).Draw(t, s) }
		rows, cols := n("rows", 1, 40), n("cols", 1, 600)
		g := &graph.Graph{Name: "one"}
		x := g.Add(graph.Tensor{Name: "x", Shape: []int{rows, cols}, Role: graph.Input, DType: graph.Int8})
		y := g.Add(graph.Tensor{Name: "y", Shape: []int{rows, cols}, Role: graph.Output, DType: graph.Int8})
		g.Append(graph.Op{Name: "op", In: []graph.TensorID{x}, Out: []graph.TensorID{y}, Kind: graph.Softmax{Rows: int64(rows), Cols: int64(cols)}})
		core := drawCore(t, 1<<8)
		core.SRAM.Ifmap = 512
		l := layout.Layouts{"*": layout.Tiled}
		lays, left, errs := l.Arrange(g, longest([]machine.Core{core}))
		require.Empty(t, errs)
		require.Empty(t, left)
		for _, cores := range [][]machine.Core{{core}, {core, core, core}} {
			for c := range cores {
				plan := func(l layout.Layouts) *Plan {
					p, err := Split(g, cores, Spec{Split: "row", Objective: "traffic", Layout: l})
					require.NoError(t, err)
					if len(p[c].Jobs) == 0 {
						return nil
					}
					return p[c].Jobs[0].Plan
				}
				a, b := plan(nil), plan(l)
				if a == nil {
					continue
				}
				var before [][]dma.Transfer
				for s := range a.All() {
					before = append(before, append(append([]dma.Transfer(nil), s.Loads...), s.Stores...))
				}
				i := 0
				for s := range b.All() {
					for _, id := range []graph.TensorID{x, y} {
						var want []int64
						place := where(g.Tensor(id), lays[id])
						for _, e := range elements(before[i], id, 1) {
							want = append(want, place[e])
						}
						require.ElementsMatch(t, want, elements(append(append([]dma.Transfer(nil), s.Loads...), s.Stores...), id, 1))
					}
					i++
				}
				if b.work.Slices > 0 {
					sliced++
				}
			}
		}
	})
	require.Greater(t, 10*sliced, drawn)
}

// elements are those of a tensor that transfers move.
func elements(list []dma.Transfer, id graph.TensorID, e int64) (out []int64) {
	for i := range list {
		if list[i].Tensor != id {
			continue
		}
		forEach(&list[i], func(from, to int64) {
			for n := from; n < to; n += e {
				out = append(out, n/e)
			}
		})
	}
	return out
}

// A tile of 128 x 64 of a matrix of 256 x 256 bytes, by hand: in rows 128 runs of 64 B, in
// blocks of 64 two runs of 4 KiB, one below the other: 64 x 256 B lie between their starts.
func TestRunsByHand(t *testing.T) {
	m := layout.Matrix{Rows: 256, Cols: 256, Layout: layout.Arrangement{Block: 64}, Wide: graph.Unit{Elements: 1, Bytes: 1}}
	got := m.Region(nil, dma.Transfer{Tensor: 3}, 64, 192, 128, 192)
	run := func(at, n int64) dma.Transfer {
		return dma.Transfer{Tensor: 3, Offset: at, RowBytes: n, Rows: 1, Planes: 1}
	}
	require.Equal(t, []dma.Transfer{run(64*256+2*64*64, 64*64), run(128*256+2*64*64, 64*64)}, got)
	// 64 x 128: two blocks that lie one after the other
	require.Equal(t, int64(2*64*64), m.Region(nil, dma.Transfer{}, 64, 128, 0, 128)[0].RowBytes)
	// rows 16 to 31 of a block: one run
	require.Equal(t, []dma.Transfer{run(16*64, 16*64)}, m.Region(nil, dma.Transfer{Tensor: 3}, 16, 32, 0, 64))
}

func TestLayoutErrors(t *testing.T) {
	g, _ := one(graph.MatMul{Batch: 1, M: 8, N: 8, K: 8}, graph.Uniform(graph.Int8), false)
	core := machine.Core{Array: dataflow.Array{Rows: 4, Cols: 4}, Dataflow: "ws", SRAM: machine.SRAM{Ifmap: 1 << 16, Filter: 1 << 16, Ofmap: 1 << 16}, Accumulator: graph.Int32, Lanes: 4}
	for want, l := range map[string]layout.Layouts{
		`mapping.layout: unknown layout "tile" of * (want one of: row, tiled, channels_last; did you mean "tiled"?)`: {"*": "tile"},
		`mapping.layout: no activation is called "aa" (such as a)`:                                                   {"aa": layout.Tiled},
		`mapping.layout: no activation is called "nothing*" (such as a, c)`:                                          {"nothing*": layout.Tiled},
		"mapping.layout: b is a weight: those lie in the order in which the cores read them":                         {"b": layout.Tiled},
		"mapping.layout: a cannot be channels_last: they are no images (of a convolution)":                           {"a": layout.ChannelsLast},
	} {
		_, err := Split(g, []machine.Core{core}, Spec{Split: "row", Objective: "traffic", Layout: l})
		require.EqualError(t, err, want)
	}
	spec := Spec{Split: "row", Objective: "traffic", Layout: layout.Layouts{"*": layout.ChannelsLast}}
	_, err := Split(g, []machine.Core{core}, spec)
	require.NoError(t, err)
	require.Equal(t, []string{"mapping.layout: 2 tensors stay in rows: they are no images (of a convolution)"}, spec.LeftInRows(g, []machine.Core{core}))
}

// A pattern takes activations and leaves weights of such names alone; blocks are as large as
// the section says, whichever cores are mapped.
func TestLayoutPatterns(t *testing.T) {
	g, op := one(graph.MatMul{Batch: 1, M: 8, N: 8, K: 8}, graph.Uniform(graph.Int8), false)
	g.Tensors[op.In[0]].Name, g.Tensors[op.In[1]].Name = "L0.up.in", "L0.up.weight"
	spec := Spec{Split: "row", Objective: "traffic", Layout: layout.Layouts{"L0.up*": layout.Tiled}, Block: 2}
	core := machine.Core{Array: dataflow.Array{Rows: 4, Cols: 4}, Dataflow: "ws", SRAM: machine.SRAM{Ifmap: 1 << 16, Filter: 1 << 16, Ofmap: 1 << 16}, Accumulator: graph.Int32, Lanes: 4}
	lays, left, errs := spec.Layout.Arrange(g, spec.block([]machine.Core{core}))
	require.Empty(t, errs)
	require.Empty(t, left)
	require.Equal(t, []layout.Arrangement{{Block: 2}, {}, {}}, lays)
}
