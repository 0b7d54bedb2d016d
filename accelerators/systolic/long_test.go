package systolic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Layers of a thousand steps and more take nearly as long by the estimate as walked,
// move and compute exactly as much, and every cycle has a cause.
func TestLongLayersAreEstimated(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	mean, worst, n := 0.0, 0.0, 0
	trials := 25
	if testing.Short() {
		trials = 8
	}
	for n < trials {
		b := defaultBench()
		b.spec.Rows, b.spec.Cols = 16<<r.IntN(3), 16<<r.IntN(3)
		b.spec.Dataflow = []Flow{"ws", "os", "is"}[r.IntN(3)]
		s := units.Bytes(16<<10) << r.IntN(3)
		b.spec.SRAM = machine.SRAM{Ifmap: s, Filter: s, Ofmap: s}
		b.spec.DMA.Outstanding = 0
		b.mem.Latency = units.InCycles(uint64(20 + r.IntN(200)))
		b.mem.Bandwidth = units.Bandwidth(64e9) << r.IntN(6)
		size := func() int { return 500 + r.IntN(2000) }
		g := product(size(), size(), size(), graph.Int8)
		w, at := shareOfProduct(t, b, g, "time")
		if at.Steps < 1000 {
			continue
		}
		n++
		var rows [2]row
		for i := range 2 {
			e, k := b.build(t, "analytic")
			if i == 1 {
				k.inside().mostWalked = 100
				require.True(t, k.inside().estimates)
			}
			require.NoError(t, work.IssueAll(k, w))
			require.NoError(t, k.Start())
			require.NoError(t, e.Run())
			require.NoError(t, k.inside().layers[0].check())
			rows[i] = row{k.inside().layers[0].start, k.inside().layers[0].end, k.inside().layers[0].book, k.inside().layers[0].read, k.inside().layers[0].written}
			require.Len(t, k.inside().estimated(), i)
		}
		require.Equal(t, rows[0].read, rows[1].read)
		require.Equal(t, rows[0].written, rows[1].written)
		off := math.Abs(float64(rows[1].end)/float64(rows[0].end) - 1)
		mean, worst = mean+off/float64(trials), max(worst, off)
	}
	t.Logf("off by %.2f%% on average, %.2f%% at most", 100*mean, 100*worst)
	require.Less(t, mean, 0.01)
	require.Less(t, worst, 0.05)
}

// A product of a million in each dimension is estimated, at a cost that does not depend
// on its steps.
func TestAMillionCubed(t *testing.T) {
	b := defaultBench()
	b.spec = DefaultSpec()
	b.mem.Latency, b.mem.Bandwidth = units.InCycles(100), 205*8e9
	g := product(1e6, 1e6, 1e6, graph.Int8)
	for _, objective := range []string{"time", "traffic"} {
		w, p := shareOfProduct(t, b, g, objective)
		require.Greater(t, p.Steps, int64(maxSteps))
		e, k := b.build(t, "analytic")
		require.NoError(t, work.IssueAll(k, w))
		require.NoError(t, k.Start())
		require.NoError(t, e.Run())
		require.Equal(t, uint64(1e18), k.inside().layers[0].macs)
		require.Greater(t, k.inside().layers[0].end, uint64(1e18/128/128))
		_, k = b.build(t, "tile")
		require.ErrorContains(t, work.IssueAll(k, w), "fidelity: analytic estimates such layers")
	}
}
