package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory"
)

// Memories are charged for the requests that an analytic core does not send exactly as
// for those that the event-driven core sends: counts, bytes and energy, memory by memory,
// bursts that the recurrence skips included. Charging twice changes nothing.
func TestAnalyticChargesWhatTileSends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		b.mem.Energy.DRAM = "ddr4"
		jobs := [][]dma.Step{drawJob(t), drawJob(t)}
		n := int64(b.spec.DMA.Burst) * rapid.Int64Range(20, 300).Draw(t, "bursts")
		jobs[0] = append(jobs[0], dma.Step{Loads: []dma.Transfer{load(dma.Filter, 0, n)}, Stores: []dma.Transfer{load(dma.Ofmap, 64, n/2)}})
		spent := func(fidelity string) (out []map[string]float64) {
			e, w := b.build(t, fidelity)
			give(w.inside(), 1<<20, jobs...)
			require.NoError(t, w.Start())
			require.NoError(t, e.Run())
			if r, ok := w.(memory.UnsentReporter); ok {
				memory.ChargeUnsent([]memory.UnsentReporter{r})
				memory.ChargeUnsent([]memory.UnsentReporter{r})
			}
			for _, to := range w.inside().routes.Targets {
				g := to.Port.Component().(system.Node).Stats()
				require.Empty(t, g.Verify())
				m := map[string]float64{}
				for _, x := range g.Metrics() {
					switch x.Name {
					case "reads", "writes", "read_bytes", "write_bytes", "energy":
						m[x.Name] = x.Value
					}
				}
				require.Len(t, m, 5)
				out = append(out, m)
			}
			return out
		}
		require.Equal(t, spent("tile"), spent("analytic"))
	})
}
