package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
)

func last(r []row) uint64 { return r[len(r)-1].end }

// A faster memory never makes a run longer: more bandwidth, less latency, more
// requests in flight.
func TestFasterIsNeverSlower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		job := drawJob(t)
		slow := last(b.run(t, "tile", job))
		f := b
		f.mem.Bandwidth = 0
		if b.mem.Bandwidth != 0 && rapid.Bool().Draw(t, "limited") {
			f.mem.Bandwidth = b.mem.Bandwidth * units.Bandwidth(rapid.Uint64Range(1, 9).Draw(t, "times"))
		}
		require.LessOrEqual(t, last(f.run(t, "tile", job)), slow, "bandwidth")
		f = b
		f.mem.Latency = units.InCycles(rapid.Uint64Range(0, b.mem.Latency.In(clock.GHz)).Draw(t, "less"))
		require.LessOrEqual(t, last(f.run(t, "tile", job)), slow, "latency")
		f = b
		f.spec.DMA.Outstanding += Depth(rapid.IntRange(0, 9).Draw(t, "more"))
		require.LessOrEqual(t, last(f.run(t, "tile", job)), slow, "outstanding")
	})
}

// No run beats the memory's bandwidth or the sum of its compute cycles.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		b.mems, b.turn = 1, 0
		b.mem.Bandwidth = units.Bandwidth(rapid.Uint64Range(1e9, 1e12).Draw(t, "bit/s"))
		job := drawJob(t)
		r := b.run(t, "tile", job)[0]
		require.GreaterOrEqual(t, r.end, r.book[compute])
		bits := 8 * (r.read.sum() + r.written.sum())
		require.GreaterOrEqual(t, b.spec.Clock.Nanoseconds(r.end)*(1+1e-12), float64(bits)*1e9/float64(b.mem.Bandwidth))
		require.Equal(t, r.end, r.book.total())
	})
}

// A window of W requests of S bytes over a round trip of R cycles moves W*S/R
// bytes per cycle: Little's law.
func TestWindowLimitsBandwidth(t *testing.T) {
	for _, w := range []int{1, 4, 16, 64, 200} {
		b := defaultBench()
		b.spec.DMA.Outstanding = Depth(w)
		b.mem.Latency = units.InCycles(98) // 100 cycles with the links
		const n = 20000
		end := last(b.run(t, "tile", []dma.Step{{Loads: []dma.Transfer{load(dma.Ifmap, 0, n*4096)}}}))
		perCycle := min(float64(w)/100, 1) // one burst per cycle at most
		require.InDelta(t, n/perCycle+100, float64(end), 100, w)
	}
}

// Nothing is allocated per burst.
func TestNoAllocationPerBurst(t *testing.T) {
	for _, fidelity := range []string{"tile", "analytic"} {
		allocs := func(bursts int64) float64 {
			return testing.AllocsPerRun(3, func() {
				b := defaultBench()
				b.mem.Latency = units.InCycles(100)
				b.run(t, fidelity, []dma.Step{{Loads: []dma.Transfer{load(dma.Ifmap, 0, bursts*4096)}}})
			})
		}
		require.Less(t, allocs(20000)-allocs(1000), 100.0, fidelity)
	}
}

func BenchmarkTileBurst(b *testing.B) {
	x := defaultBench()
	x.mem.Latency = units.InCycles(100)
	b.ReportAllocs()
	x.run(b, "tile", []dma.Step{{Loads: []dma.Transfer{load(dma.Ifmap, 0, int64(b.N)*4096)}}})
}
