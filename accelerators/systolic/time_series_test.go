package systolic

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// What a core did when adds up to what it did, at both fidelities: multiply-accumulates to those
// of its products and never above the peak of the array, bytes to its traffic.
func TestTimeSeriesAreTheSums(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	for range 20 {
		b := defaultBench()
		b.spec.Rows, b.spec.Cols = 8<<r.IntN(3), 8<<r.IntN(3)
		b.mem.Latency = units.InCycles(uint64(5 + r.IntN(100)))
		g := product(1+r.IntN(300), 1+r.IntN(300), 1+r.IntN(300), graph.Int8)
		for _, fidelity := range []string{"tile", "analytic"} {
			share, p := shareOfProduct(t, b, g, "time")
			e, k := b.build(t, fidelity)
			macs, moved := k.Stats().Observable()[0], k.Stats().Observable()[1]
			require.Equal(t, []string{"macs", "moved_bytes"}, []string{macs.Name, moved.Name})
			require.InDelta(t, float64(b.spec.Rows*b.spec.Cols), macs.Peak(), 1e-9, "at 1 GHz one for each element and ns")
			did, bytes := macs.Watch(), moved.Watch()
			require.NoError(t, work.IssueAll(k, share))
			require.NoError(t, k.Start())
			require.NoError(t, e.Run())
			row := rows(k.inside())[0]
			require.InEpsilon(t, float64(p.MACs), did.Sum(), 1e-9, fidelity)
			require.InEpsilon(t, float64(row.read.sum()+row.written.sum()), bytes.Sum(), 1e-9, fidelity)
			end := float64(row.end)
			require.InEpsilon(t, did.Sum(), did.Between(0, end), 1./512, "%s: all of it while the layer runs, up to a bin", fidelity)
			for at := 0.0; at < end; at += end / 8 {
				require.LessOrEqual(t, did.Between(at, at+end/8), macs.Peak()*end/8*1.0001, fidelity)
			}
		}
	}
	b := defaultBench()
	b.spec.Sparsity = graph.Pattern{N: 2, M: 4}
	_, k := b.build(t, "tile")
	require.Zero(t, k.Stats().Observable()[0].Peak(), "what is skipped takes no time")
}

// The rows of weights that enter per cycle: a number, auto or none.
func TestGemvIsRead(t *testing.T) {
	for text, want := range map[string]Gemv{"auto": 0, "none": 1, "1": 1, "2": 2, "65536": 1 << 16} {
		var g Gemv
		require.NoError(t, g.UnmarshalText([]byte(text)), text)
		require.Equal(t, want, g)
		back, err := g.MarshalText()
		require.NoError(t, err)
		if text != "1" {
			require.Equal(t, text, string(back))
		}
	}
	for _, text := range []string{"0", "-1", "65537", "some", ""} {
		require.EqualError(t, new(Gemv).UnmarshalText([]byte(text)), `"`+text+`" (want rows per cycle, 1 to 65536, auto or none)`)
	}
}
