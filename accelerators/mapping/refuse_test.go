package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A constant planner takes ten cycles for everything.
type constant struct{}

func (constant) Plan(r *machine.Product) (*machine.Own, error) {
	return &machine.Own{Steps: 1, Cycles: 10, MACs: 20, Units: 4, Used: 2}, nil
}
func (c constant) Attend(r *machine.Product) (*machine.Own, error) { return c.Plan(r) }

var attentionOfFour = graph.Attention{Batch: 4, Group: 2, Queries: 8, Keys: 8, Size: 4, Value: 4}

// attend is a graph of one attention.
func attend() (*graph.Graph, *graph.Op) {
	k := attentionOfFour
	g := &graph.Graph{}
	add := func(name string, shape ...int) graph.TensorID {
		return g.Add(graph.Tensor{Name: name, Shape: shape, Role: graph.Activation})
	}
	op := graph.Op{Name: "op", Kind: k, In: []graph.TensorID{add("q", k.Batch*k.Group, k.Queries, k.Size), add("k", k.Batch, k.Keys, k.Size), add("v", k.Batch, k.Keys, k.Value)}}
	op.Out = []graph.TensorID{add("o", k.Batch*k.Group, k.Queries, k.Value)}
	g.Ops = []graph.Op{op}
	g.SetDTypes(graph.Uniform(graph.Int8))
	return g, &g.Ops[0]
}

// Cores that map in their own way take whole operators and no rules for tiles, products and
// attentions alike.
func TestPlannersTakeWholeOperators(t *testing.T) {
	core := tpu("ws")
	core.Planner = constant{}
	x := NewMapper()
	gp, gemm := one(graph.MatMul{M: 8, N: 8, K: 8, Batch: 4, SharedB: 1}, graph.Uniform(graph.Int8), false)
	ga, attn := attend()
	for _, c := range []struct {
		g  *graph.Graph
		op *graph.Op
	}{{gp, gemm}, {ga, attn}} {
		p, err := x.Map(c.op, c.g, core, "time", Rule{})
		require.NoError(t, err)
		require.EqualValues(t, 10, p.Cycles)
		parts := p.Parts()
		require.Equal(t, [2]float64{5, 5}, [2]float64{parts.Useful, parts.Mapping}, "20 MACs on 4 units in 10 cycles")
		require.Equal(t, "2 of 4 units", p.FilledText())
		for _, r := range []Rule{{Tile: dma.Tile{M: 4}}, {Order: "mnk"}, {Resident: "ofmap"}} {
			_, err := x.Map(c.op, c.g, core, "time", r)
			require.ErrorContains(t, err, "a rule for tiles is for systolic arrays", "%+v", r)
		}
		all := product.WholeOf(c.op)
		_, err = x.plan(c.op, c.g, core, "time", Rule{}, &all, nil)
		require.NoError(t, err, "a share that is all of it")
		for _, change := range []func(s *product.Share){
			func(s *product.Share) { s.Batch.To-- }, func(s *product.Share) { s.Row.To-- }, func(s *product.Share) { s.N.From++ },
			func(s *product.Share) { s.Fetches[0] = dma.Fetch{At: 0, Of: 2} },
		} {
			part := all
			change(&part)
			_, err := x.plan(c.op, c.g, core, "time", Rule{}, &part, nil)
			require.ErrorContains(t, err, "carries out whole operators", "%+v", part)
		}
	}
}

// An attention has no order nor resident operand, and its tiles are m x n of all of a head.
func TestAttentionRefusesRulesOfProducts(t *testing.T) {
	g, op := attend()
	x, core := NewMapper(), tpu("ws")
	for _, r := range []Rule{{Order: "mnk"}, {Resident: "ofmap"}, {Tile: dma.Tile{Batch: 2}}, {Tile: dma.Tile{K: 3}}} {
		_, err := x.Map(op, g, core, "time", r)
		require.ErrorContains(t, err, "no order nor resident operand", "%+v", r)
	}
	for _, r := range []Rule{{}, {Tile: dma.Tile{Batch: 1}}, {Tile: dma.Tile{K: int64(attentionOfFour.Size)}}, {Tile: dma.Tile{M: 4, N: 2}}} {
		p, err := x.Map(op, g, core, "traffic", r)
		require.NoError(t, err, "%+v", r)
		if r.Tile.M > 0 {
			require.Equal(t, dma.Tile{Batch: 1, M: 4, N: 2, K: 4}, p.Tile)
		}
	}
	_, err := x.Map(op, g, core, "speed", Rule{})
	require.ErrorContains(t, err, `unknown objective "speed" (want one of: time, traffic, cycles)`)
}

// Units are all operators but views, each once and in order; with fusion an activation goes with its
// product.
func TestUnitsAreAllOperators(t *testing.T) {
	g := model(t, "resnet18", zoo.Params{})
	for _, fuse := range []bool{false, true} {
		seen, last, alone := map[int]int{}, -1, 0
		for _, u := range Units(g, fuse) {
			require.Greater(t, u[0], last)
			last = u[0]
			if len(u) == 1 {
				alone++
			}
			for _, i := range u {
				seen[i]++
			}
		}
		for i := range g.Ops {
			k, view := g.Ops[i].Kind.(graph.Move)
			if view = view && k.Elements == 0; view {
				require.Zero(t, seen[i], g.Ops[i].Name)
			} else {
				require.Equal(t, 1, seen[i], g.Ops[i].Name)
			}
		}
		if !fuse {
			require.Len(t, seen, alone, "nothing is fused")
		} else {
			require.Less(t, alone, len(seen)/2, "most convolutions have an activation or a norm")
		}
	}
}

// The time of loads is that of the memory for each of them, and nothing for a plan without a machine.
func TestLoadTimeIsThatOfTheMemory(t *testing.T) {
	core := tpu("ws")
	core.Memory = machine.Memory{Bandwidth: 3, Cycles: 2, Latency: 40, Burst: 64, Outstanding: 2}
	g, op := one(graph.MatMul{M: 30, N: 300, K: 200, Batch: 1, SharedB: 1}, graph.Uniform(graph.Int8), false)
	p, err := Map(op, g, core, "time")
	require.NoError(t, err)
	require.EqualValues(t, 40, p.Latency())
	sum, want := int64(0), int64(0)
	for st := range p.All() {
		sum += p.LoadTime(st.Loads)
		for _, l := range st.Loads {
			c := l.Contiguous()
			runs := c.Rows * c.Planes * ((c.RowBytes + 63) / 64)
			want += max((2*c.Bytes()+2)/3, runs, (40*runs+1)/2)
		}
	}
	require.Equal(t, want, sum)
	require.Zero(t, (&Plan{}).LoadTime([]dma.Transfer{{RowBytes: 5, Rows: 1, Planes: 1}}))
}
