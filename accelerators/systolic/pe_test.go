package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/systolic/peertiming"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Both fidelities take a product of rate 4 in the same cycles, a quarter of those of
// rate 1 where the array is full, and count the same share of the peak.
func TestRatesOfTheArray(t *testing.T) {
	cycles := map[string]uint64{}
	for _, fidelity := range []string{"tile", "analytic"} {
		for _, d := range []graph.DType{graph.Int8, graph.FP8} {
			b := defaultBench()
			b.spec.Gemv = 1
			b.spec.PE = machine.Rates{"int8": {Num: 4, Den: 1}, "fp8": {Num: 1, Den: 1}}
			w, _ := shareOfProduct(t, b, product(1024, 256, 256, d), "time")
			e, k := b.build(t, fidelity)
			require.NoError(t, work.IssueAll(k, w))
			require.NoError(t, k.Start())
			require.NoError(t, e.Run())
			in := k.inside()
			require.NoError(t, in.layers[0].check())
			cycles[fidelity+d.String()] = uint64(in.layers[0].job.Plan.Cycles)
			used, _ := in.share(in.sum.work, in.sum.array)
			require.InDelta(t, 100*1024/(1024.0+16+30), used, 0.5, "as of a fold")
			require.Equal(t, in.peak(), map[graph.DType]float64{graph.Int8: 4 * 256, graph.FP8: 256}[d])
			at := k.Layers().Index("peak_macs")
			require.Equal(t, in.peak(), k.Layers().Rows[0][at])
		}
		require.Equal(t, 4*cycles[fidelity+"int8"], cycles[fidelity+"fp8"])
	}
	require.Equal(t, cycles["tileint8"], cycles["analyticint8"])
}

// A core that counts as another program skips no weights.
func TestOtherTimingsSkipNothing(t *testing.T) {
	s := DefaultSpec()
	s.Sparsity = graph.Pattern{N: 2, M: 4}
	require.Equal(t, s.Sparsity, New("Core", engine.New(), s).Sparsity())
	var other any = peertiming.NewScaleSim("Core", engine.New(), peertiming.Core{Timing: ScaleSim, Rows: 8, Cols: 8, Clock: clock.GHz}, s.scaleSim(), false)
	_, skips := other.(work.Sparse)
	require.False(t, skips)
}
