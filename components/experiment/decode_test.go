package experiment_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// LLaMA-3 8B on a core of 128 x 128 at 1 GHz before 819 GB/s.
const llamaCore = `
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, rows: 128, cols: 128, dataflow: ws, clock: 1GHz, overlap: {preload: true, drain: true}, vector: {lanes: 512}, sram: {ifmap: 4MiB, filter: 4MiB, ofmap: 4MiB}, dma: {burst: 4KiB, outstanding: auto}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 819GB/s}
links:
  - Core -> Mem
`

// One token per request at a context of 2,048 takes as long as its bytes at the nominal
// bandwidth, within a tenth, where memory binds: all of batch 1 and 8, and attention of
// batch 8 and 64. The products of batch 64 fill the array, and one attention of batch 1 is
// 5,121 cycles of memory, of which latency, skew and the last store are 9% alone.
func TestDecodeIsBoundByMemory(t *testing.T) {
	for _, batch := range []int{1, 8, 64} {
		src := fmt.Sprintf("schema: causeway/1\nworkload: {model: llama3_8b, phase: decode, batch: %d, context: 2048, dtype: int8, attention: fused}\nmapping: {objective: time}%s", batch, llamaCore)
		x, err := experiment.Parse("decode.yaml", []byte(src), experiment.Options{})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		if batch < 64 {
			bytes := metric(t, r, "read_bytes") + metric(t, r, "write_bytes")
			require.InEpsilon(t, bytes/819, metric(t, r, "total_cycles"), 0.1, "batch %d", batch)
		}
		if batch == 1 {
			continue
		}
		kind, cycles := r.Layers.Index("type"), r.Layers.Index("cycles")
		n, sum := 0.0, 0.0
		for _, row := range r.Layers.Rows {
			if row[kind] == "attention" {
				n++
				sum += float64(row[cycles].(uint64))
			}
		}
		require.EqualValues(t, 32, n)
		require.InEpsilon(t, 32*float64(batch)*2*2048*1024/819, sum, 0.1, "attention of batch %d", batch)
	}
}

// A request more costs its keys and values and no more than 1% besides, from one request on:
// products of one row and of a few take the same way into the array.
func TestARequestMoreCostsItsKeys(t *testing.T) {
	run := func(fidelity string, batch int) float64 {
		src := fmt.Sprintf("schema: causeway/1\nworkload: {model: llama3_8b, phase: decode, batch: %d, context: 2048, dtype: int8, layers: 2}\n"+
			"nodes:\n  - {name: Core, kind: systolic, fidelity: %s}\n  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 400GB/s}\nlinks: [Core -> Mem]\n", batch, fidelity)
		x, err := experiment.Parse("decode.yaml", []byte(src), experiment.Options{})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		return metric(t, r, "total_cycles")
	}
	const keys = 2 * 2048 * 1024 / 400.0 // cycles of memory
	at, before := 1, run("analytic", 1)
	for _, batch := range []int{2, 3, 8, 9, 32} {
		now := run("analytic", batch)
		require.LessOrEqual(t, now, before+float64(batch-at)*(keys+0.01*before), "batch %d", batch)
		at, before = batch, now
		if batch == 2 {
			require.Equal(t, now, run("tile", 2))
		}
	}
}

func metric(t *testing.T, r *result.Result, name string) float64 {
	m, ok := r.Metric("Core", name)
	require.True(t, ok, name)
	return m.Value
}
