package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// splitShare is all of g for one core as the mapper splits it, tensors one after the other.
func splitShare(t require.TestingT, g *graph.Graph, s Spec) (w work.Share) {
	programs, err := mapping.Split(g, []machine.Core{s.Core(graph.Uniform(graph.Int8))}, mapping.DefaultSpec())
	require.NoError(t, err)
	w = shareOf(t, g, s)
	w.Program = programs[0]
	return w
}

// Both fidelities agree in every cycle and cause with results that stay on the chip. What
// stays, spills and moves is what moves with nothing kept, less what epilogues take over.
func TestOnChipTileEqualsAnalytic(t *testing.T) {
	d := zoo.Decoder{Name: "small", Layers: 2, Hidden: 128, Heads: 4, KVHeads: 2, FF: 256, Words: 50}
	g, err := d.Graph(zoo.Params{Sequence: 48})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	g = g.FuseAttention(g.Chains())
	before := uint64(1 << 62)
	for _, kib := range []units.Bytes{4, 16, 64} {
		var moves [3]uint64
		for i, name := range onChip {
			b := defaultBench()
			b.spec.SRAM = machine.SRAM{Ifmap: kib << 10, Filter: kib << 10, Ofmap: kib << 10}
			b.mem.Bandwidth = units.Bandwidth(20e9 * 8)
			b.spec.OnChip = OnChip(name)
			k, tile := b.network(t, "tile", splitShare(t, g, b.spec))
			_, analytic := b.network(t, "analytic", splitShare(t, g, b.spec))
			require.Equal(t, analytic, tile, "%s, %d KiB", name, kib)
			sum := &k.inside().sum
			moves[i] = sum.read.sum() + sum.written.sum()
			if i == 0 {
				require.Zero(t, sum.kept+sum.spilled)
				continue
			}
			require.Less(t, moves[i], moves[0])
			switch kib {
			case 4:
				require.NotZero(t, sum.spilled)
				before = moves[i]
			case 64:
				require.Zero(t, sum.spilled, "all results fit")
				require.NotZero(t, sum.kept)
				require.Less(t, moves[i], before)
			}
		}
	}
}

// Whatever memory and engine: both fidelities agree where weights are fetched ahead, and
// fetching ahead moves the same bytes. It saves the first loads of nearly every layer.
func TestFetchingAheadTileEqualsAnalytic(t *testing.T) {
	d := zoo.Decoder{Name: "small", Layers: 2, Hidden: 96, Heads: 4, KVHeads: 2, FF: 160, Words: 50}
	if testing.Short() {
		d.Layers, d.Hidden, d.FF, d.Words = 1, 64, 96, 20
	}
	g, err := d.Graph(zoo.Params{Sequence: 20})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		kib := units.Bytes(rapid.SampledFrom([]int{2, 4, 16, 64}).Draw(t, "KiB"))
		b.spec.SRAM = machine.SRAM{Ifmap: kib << 10, Filter: kib << 10, Ofmap: kib << 10}
		b.spec.Overlap = Overlap{Preload: true, Drain: true}
		var moves, cycles [3]uint64
		for i, name := range onChip[1:] {
			b.spec.OnChip = OnChip(name)
			k, tile := b.network(t, "tile", splitShare(t, g, b.spec))
			_, analytic := b.network(t, "analytic", splitShare(t, g, b.spec))
			require.Equal(t, analytic, tile, name)
			sum := &k.inside().sum
			moves[i], cycles[i] = sum.read.sum()+sum.written.sum(), k.inside().free
		}
		require.Equal(t, moves[0], moves[1])
		require.LessOrEqual(t, float64(cycles[1]), 1.02*float64(cycles[0]))
	})
}
