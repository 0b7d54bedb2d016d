package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Rows of 512 bytes and more reach the bandwidth of the memory with the depth that
// auto makes of bandwidth and latency; 16 requests do not.
func TestAutoDepthReachesBandwidth(t *testing.T) {
	for _, c := range []struct {
		gbps, ns uint64
		depth    int
	}{{8, 100, 16}, {205, 100, 83}, {819, 100, 102}, {819, 1000, 512}, {0, 100, 102}} {
		b := defaultBench()
		b.spec.Rows, b.spec.Cols = 128, 128
		b.mem.Latency, b.mem.Bandwidth = units.InCycles(c.ns), units.Bandwidth(c.gbps*8e9)
		b.spec.Overlap = Overlap{Preload: true, Drain: true}
		b.spec.DMA.Outstanding = 0
		_, w := b.build(t, "tile")
		require.Equal(t, c.depth, w.inside().depth(), "%+v", c)
		if c.gbps == 0 || c.ns > 100 {
			continue
		}
		// products of one row read a weight per multiply-accumulate: memory alone counts
		g := product(1, 4096, 4096, graph.Int8)
		bound := float64(4096*4096) / float64(c.gbps)
		auto, _ := matrixRun(t, b, g, "time")
		require.Less(t, float64(auto), 1.1*max(bound, 4096*4096/128), "%+v", c)
	}
}

func TestDepthSaysWhatItWants(t *testing.T) {
	var d Depth
	for text, want := range map[string]Depth{"1": 1, "65536": 65536, "auto": 0} {
		require.NoError(t, d.UnmarshalText([]byte(text)))
		require.Equal(t, want, d)
		b, err := d.MarshalText()
		require.NoError(t, err)
		require.Equal(t, text, string(b))
	}
	for _, text := range []string{"0", "-1", "65537", "many", ""} {
		require.ErrorContains(t, d.UnmarshalText([]byte(text)), "(want 1 to 65536, or auto)")
	}
}
