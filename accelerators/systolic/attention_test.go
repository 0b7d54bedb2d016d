package systolic

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Attention as one operator takes the same cycles, of the same causes, at both fidelities
// where memory is ideal; no scores move. Apart they do.
func TestAttentionTileEqualsAnalytic(t *testing.T) {
	d := zoo.Decoder{Name: "small", Layers: 1, Hidden: 256, Heads: 4, KVHeads: 2, FF: 64, Words: 10}
	for _, p := range []zoo.Params{{Sequence: 200}, {Sequence: 64, Context: 300, Batch: 2}, {Phase: zoo.Decode, Context: 500, Batch: 3}} {
		parts, err := d.Graph(p)
		require.NoError(t, err)
		parts.SetDTypes(graph.Uniform(graph.Int8))
		fused := parts.FuseAttention(parts.Chains())
		scores := uint64(4*max(p.Batch, 1)*p.Context) * uint64(max(p.Sequence, 1))
		if p.Context == 0 {
			scores = 4 * 200 * 200
		}
		for _, flow := range []Flow{"ws", "os", "is"} {
			b := defaultBench()
			b.spec.Dataflow, b.spec.Overlap = flow, Overlap{Preload: flow == "ws", Drain: true}
			b.spec.SRAM = machine.SRAM{Ifmap: 16 << 10, Filter: 16 << 10, Ofmap: 32 << 10}
			b.mem.Bandwidth = units.Bandwidth(40e9 * 8)
			k, tile := b.network(t, "tile", shareOf(t, fused, b.spec))
			_, analytic := b.network(t, "analytic", shareOf(t, fused, b.spec))
			require.Equal(t, analytic, tile, "%+v %s", p, flow)
			require.Zero(t, k.inside().sum.scores)
			require.EqualValues(t, fused.MACs(), k.inside().sum.macs)
			for _, f := range []string{"tile", "analytic"} {
				k, _ = b.network(t, f, shareOf(t, parts, b.spec))
				require.GreaterOrEqual(t, k.inside().sum.scores, 4*scores, "written and read by product and softmax each")
			}
		}
	}
}

// Many cores share an attention as fast as planned, and no slower than with blocks of all that a
// core has: the first block is loaded before anything is computed, and all of it is, once. Small
// blocks of a part of the array were chosen, as if all of it were loaded twice.
func TestAttentionOfManyCoresIsAsPlanned(t *testing.T) {
	parts, err := zoo.Build("bert_base", zoo.Params{Sequence: 128})
	require.NoError(t, err)
	parts.SetDTypes(graph.Uniform(graph.Int8))
	fused := parts.FuseAttention(parts.Chains())
	at := slices.IndexFunc(fused.Ops, func(op graph.Op) bool { _, ok := op.Kind.(graph.Attention); return ok })
	g := *fused
	g.Ops = fused.Ops[at : at+1]
	counts := []int{16, 64, 250}
	if testing.Short() {
		counts = counts[:2]
	}
	for _, n := range counts {
		run := func(rule *mapping.Rule) (cycles, planned float64) {
			s := DefaultSpec()
			s.SRAM = machine.SRAM{Ifmap: 1 << 20, Filter: 1 << 20, Ofmap: 1 << 20}
			c := newCluster(t, engine.New(), "tile", slices.Repeat([]Spec{s}, n)...)
			var cores []machine.Core
			for _, w := range c.cores {
				cores = append(cores, w.inside().Core(graph.Uniform(graph.Int8)))
			}
			m := mapping.DefaultSpec()
			if m.Split = "auto"; rule != nil {
				m.Layers = []mapping.Rule{*rule}
			}
			for _, p := range c.shareOut(t, &g, cores, m) {
				for i := range p.Jobs {
					planned = max(planned, float64(p.Jobs[i].Plan.Time))
				}
			}
			c.run(t)
			return float64(c.engine.CurrentTime()) * 1e9, planned
		}
		cycles, planned := run(nil)
		t.Logf("%d cores: %.0f cycles, planned %.0f", n, cycles, planned)
		require.InEpsilon(t, cycles, planned, 0.02, n)
		whole, _ := run(&mapping.Rule{Match: "*", Tile: dma.Tile{M: 128, N: 128}})
		require.LessOrEqual(t, cycles, 1.01*whole, n)
	}
}
