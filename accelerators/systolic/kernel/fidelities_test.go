package kernel_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	_ "github.com/causeway-sim/causeway/components/std"
)

// finish loads an experiment and runs it to its end.
func finish(t *testing.T, load func(experiment.Options) (*experiment.Experiment, error), set ...string) *result.Result {
	x, err := load(experiment.Options{Set: set, SetDir: "../../../configs/studies/hardware"})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	return r
}

// Every row of validate hardware on a TPU: before the ideal memory of its machine a kernel takes at fidelity
// tile what it takes at analytic, and all of its bytes pass the port.
func TestFidelitiesAgreeOverTPUs(t *testing.T) {
	const study = "../../../configs/studies/hardware/"
	for _, x := range []struct{ machine, table string }{
		{"tpu_v3", "tpu_v3_operators"}, {"tpu_v4", "tpu_v4_shapes"}, {"tpu_v6e", "tpu_v6e_gemm"}, {"tpu_v6e", "tpu_v6e_elementwise"},
		{"tpu_v6e_stream", "tpu_v6e_stream"}, {"tpu_v6e_pallas", "tpu_v6e_attention"},
	} {
		at := func(fidelity string, set ...string) *result.Result {
			return finish(t, func(o experiment.Options) (*experiment.Experiment, error) {
				return experiment.Load(study+"table.yaml", o)
			},
				append(set, "machine="+x.machine, "file=tables/"+x.table+".csv", "Chip.fidelity="+fidelity)...)
		}
		own, tile := at("analytic"), at("tile", "Chip.dma.burst=16KiB")
		in, err := os.Open(study + "tables/" + x.table + ".csv")
		require.NoError(t, err)
		r := csv.NewReader(in)
		r.Comment = '#'
		rows, err := r.ReadAll()
		require.NoError(t, err)
		sum, worst := 0.0, 0.0
		for _, row := range rows[1:] {
			a, ok := own.MetricIn("layer:"+row[0], "Chip", "time")
			require.True(t, ok, row[0])
			b, ok := tile.MetricIn("layer:"+row[0], "Chip", "time")
			require.True(t, ok, row[0])
			off := b.Value/a.Value - 1
			sum += math.Abs(off)
			if math.Abs(off) > math.Abs(worst) {
				worst = off
			}
			if math.Abs(off) > 0.02 {
				t.Errorf("%s %s: %g ns at tile, %g analytic: %+.1f%%", x.machine, row[0], b.Value, a.Value, 100*off)
			}
		}
		t.Logf("%-14s %-20s %3d rows: mean %5.2f%%, worst %+6.2f%%", x.machine, x.table, len(rows)-1, 100*sum/float64(len(rows)-1), 100*worst)
		bytes, _ := own.Metric("Chip", "memory_bytes")
		read, _ := tile.Metric("HBM", "read_bytes")
		written, _ := tile.Metric("HBM", "write_bytes")
		require.InDelta(t, bytes.Value, read.Value+written.Value, 2*float64(len(rows)))
	}
}

// Chips without rows: every operator of a decoded token.
func TestFidelitiesAgreeOnOtherTPUs(t *testing.T) {
	for chip, hbm := range map[string]string{"tpu_v5e": "tpu_v5e_hbm", "tpu_v5p": "tpu_v5p_hbm", "tpu_v7": "tpu_v7_hbm"} {
		text := fmt.Sprintf("schema: causeway/1\nworkload: {model: llama3_8b, layers: 2, phase: decode, batch: 16, context: 2048, attention: fused, dtype: bf16}\nnodes:\n"+
			"  - {name: Chip, kind: systolic, preset: %s}\n  - {name: HBM, kind: memory, preset: %s}\nlinks: [Chip -> HBM]\n", chip, hbm)
		parse := func(o experiment.Options) (*experiment.Experiment, error) {
			return experiment.Parse("v.yaml", []byte(text), o)
		}
		own, tile := finish(t, parse), finish(t, parse, "Chip.fidelity=tile", "Chip.dma.burst=16KiB")
		a, _ := own.Metric("Chip", "total_cycles")
		b, _ := tile.Metric("Chip", "total_cycles")
		require.InEpsilon(t, a.Value, b.Value, 0.02, chip)
	}
}

// Bytes at each boundary by hand, of three layers of LLaMA-3 8B behind a cache, the weights of the first in
// another memory. Weights pass every boundary once; keys and values pass the port once for each of the four
// query heads that share them (heads: apart on the TPU) or once (the GPU), and the cache once.
func TestBytesAtEachBoundary(t *testing.T) {
	const text = `
schema: causeway/1
workload: {model: llama3_8b, layers: 0..2, phase: decode, batch: 2, context: 512, attention: fused, dtype: bf16}
nodes:
  - {name: Chip, %s, fidelity: tile}
  - {name: LLC, kind: cache, size: 32MiB, ways: 16, slices: 16, line: 1KiB, mshrs: 256, clock: 2GHz, policy: {name: dco}}
  - {name: HBM, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 1640GB/s, size: 16GiB}
  - {name: Far, kind: memory, fidelity: ideal, latency: 400ns, bandwidth: 100GB/s, size: 16GiB}
links: [Chip.mem -> LLC.top, LLC.bottom -> HBM, LLC.bottom -> Far]
memory: [{tier: hbm, node: HBM, base: 0GiB, size: 16GiB}, {tier: far, node: Far, base: 1TiB, size: 16GiB}]
placement: {rules: [{tensor: "L0.*.weight", tier: far}], default: hbm}
`
	const (
		layer   = 2 * (2*4096*4096 + 2*4096*1024 + 3*4096*14336 + 2*4096) // q, o; k, v; gate, up, down; norms
		caches  = 3 * 2 * 512 * 2 * 8 * 128 * 2                           // layers, requests, entries, keys and values
		kernels = 3 * 24
		line    = 1 << 10
	)
	for _, x := range []struct {
		chip  string
		heads int // that read keys apart
	}{{"kind: systolic, preset: tpu_v6e", 4}, {"kind: gpu, preset: h100", 1}} {
		r := finish(t, func(o experiment.Options) (*experiment.Experiment, error) {
			return experiment.Parse("b.yaml", fmt.Appendf(nil, text, x.chip), o)
		})
		get := func(node, name string) float64 {
			m, ok := r.Metric(node, name)
			require.True(t, ok, "%s of %s", name, node)
			return m.Value
		}
		port := get("LLC", "read_bytes")
		require.Equal(t, get("Chip", "memory_bytes"), port+get("LLC", "write_bytes"))
		activations := port - 3*layer - float64(x.heads*caches)
		require.Positive(t, activations, x.chip)
		require.Less(t, activations, 2e6, "results of operators: 2 rows of at most 14,336")
		require.InDelta(t, layer, get("Far", "read_bytes"), line*kernels/3, x.chip)
		require.Zero(t, get("Far", "write_bytes"))
		below := get("HBM", "read_bytes") - 2*layer - caches
		require.GreaterOrEqual(t, below, -float64(line*kernels), x.chip)
		require.LessOrEqual(t, below, activations+line*kernels, "the cache has what was just written")
		require.Equal(t, get("LLC", "below_read_bytes"), get("HBM", "read_bytes")+get("Far", "read_bytes"))
	}
}
