package fewer

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	_ "github.com/causeway-sim/causeway/components/std"
)

const system = `schema: causeway/1
params: {cores: 50000}
workload: {model: bert_base, sequence: 16, layers: 1, dtype: int8}
nodes:
  - {name: Core, kind: systolic, count: $cores, rows: 32, cols: 32, clock: 1GHz, sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}, dma: {burst: 1KiB, outstanding: 16}}
  - {name: Mem, kind: memory, fidelity: ideal, clock: 1GHz, latency: 60ns, bandwidth: 100GB/s}
links: [Core -> Mem]
`

func write(t *testing.T, text string) string {
	file := filepath.Join(t.TempDir(), "system.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// A system of 50,000 cores is estimated without being built: its metrics are counted, each core has as
// many, and its memory is that of 2,000 cores 25 times.
func TestManyAreEstimatedByFewer(t *testing.T) {
	file, ctx := write(t, system), context.Background()
	e, loading, ok := Estimate(ctx, file, experiment.Options{}, 100*time.Millisecond)
	require.True(t, ok)
	require.Equal(t, more, e.Fewer)
	require.Positive(t, loading)
	require.Greater(t, e.Seconds, e.Writing())
	x, err := experiment.Load(file, experiment.Options{Set: []string{"cores=1000"}})
	require.NoError(t, err)
	each := float64(x.Count().Metrics) / 1001
	require.InEpsilon(t, 50_001*each, float64(e.Metrics), 0.01)
	small, _, ok := Estimate(ctx, file, experiment.Options{Set: []string{"cores=25000"}}, 100*time.Millisecond)
	require.True(t, ok)
	require.InEpsilon(t, 2*float64(small.Bytes), float64(e.Bytes), 0.2)

	_, _, ok = Estimate(ctx, file, experiment.Options{Set: []string{"cores=1000"}}, time.Second)
	require.False(t, ok, "a system that is small enough is loaded whole")
	_, _, ok = Estimate(ctx, file, experiment.Options{Set: []string{"links=[Core[40000] -> Mem]"}}, time.Second)
	require.False(t, ok, "fewer of these are no system")
}

// By hand: 250 nodes take 1 s, 2,000 take 4.5 s, so that a node more takes 2 ms.
func TestALineThroughTwo(t *testing.T) {
	a := part{nodes: 250, e: experiment.Estimate{Seconds: 1, Rows: 10}, loading: 0.5, live: 1 << 20}
	b := part{nodes: 2000, e: experiment.Estimate{Seconds: 4.5, Rows: 10}, loading: 0.4, live: 8 << 20}
	e, loading := extend(&a, &b, 100_000)
	require.InEpsilon(t, 4.5+98_000*0.002, e.Seconds, 1e-6)
	require.Equal(t, 0.4, loading)
	require.Equal(t, int64(10), e.Rows)
	require.InEpsilon(t, (400 << 20), float64(e.Live), 1e-6)
}
