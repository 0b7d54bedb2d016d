package gpu_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// testdata/tile.txt has the rows of kernels at fidelity tile before an ideal memory: with launches of the
// host, with steps that fetch ahead, with joined kernels and with experts. go test -update writes it again.
func TestTileTranscript(t *testing.T) {
	const ops = "workload: {ops: [{op: gemm, m: 300, n: 2048, k: 1024, dtype: fp16}, {op: softmax, rows: 300, cols: 2048, dtype: fp16}, {op: decode, batch: 4, heads: 8, kv_heads: 2, head_dim: 128, context: 900, dtype: fp16}," +
		" {op: moe, tokens: 5, hidden: 512, inter: 256, top_k: 2, experts: 4, dtype: bf16}, {op: gelu, rows: 3, cols: 100, dtype: fp16}]}\n"
	const layer = "workload: {model: llama3_8b, layers: 0..0, phase: decode, batch: 2, context: 64, dtype: bf16, attention: fused}\n"
	var b strings.Builder
	for _, x := range []struct{ why, workload, chip string }{
		{"by the host, one by one", ops, "launch: {mode: eager, gemm: 2us}"},
		{"three steps ahead", ops, "fetch_ahead: 3, launch: {other: 1us}"},
		{"kernels of Hopper", ops, "architecture: sm90, tensor: {bf16: 4096, fp16: 4096}"},
		{"joined kernels of Hopper", layer, "architecture: sm90"},
		{"joined kernels, steps ahead", layer, "architecture: sm90, fetch_ahead: 2, launch: eager"},
	} {
		r := simulate(t, x.workload+"nodes:\n  - {name: Chip, kind: gpu, fidelity: tile, "+x.chip+"}\n"+
			"  - {name: HBM, kind: memory, fidelity: ideal, latency: 300ns, bandwidth: 800GB/s, clock: 1GHz}\nlinks: [Chip -> HBM]\n")
		fmt.Fprintf(&b, "# %s\n", x.why)
		for _, c := range r.Layers.Columns {
			fmt.Fprintf(&b, "%s ", c.Name)
		}
		for _, row := range r.Layers.Held().Rows {
			b.WriteString("\n")
			for _, cell := range row {
				if f, ok := cell.(float64); ok {
					cell = fmt.Sprintf("%.6g", f)
				}
				if cell == nil {
					cell = "-"
				}
				fmt.Fprintf(&b, "%v ", cell)
			}
		}
		for _, where := range []string{"Chip", "HBM"} {
			for _, m := range r.Metrics {
				if m.Where == where && m.Phase == "all" && m.Value != 0 {
					fmt.Fprintf(&b, "\n%s.%s %.6g %s", where, m.Name, m.Value, m.Unit)
				}
			}
		}
		b.WriteString("\n\n")
	}
	got := strings.ReplaceAll(b.String(), " \n", "\n")
	const file = "testdata/tile.txt"
	if flag.Lookup("update").Value.String() == "true" {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
