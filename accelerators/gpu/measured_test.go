package gpu_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

const profiled = `schema: causeway/1
workload: {model: llama3_8b, phase: decode, batch: 2, context: 64, dtype: bf16, attention: fused}
nodes:
  - name: Chip
    kind: gpu
    preset: rtx_4090
    profile:
      dense_file: dense.csv
      attention_file: attention.csv
      layers: {"*.q": qkv_proj, "*.k": none, "*.v": none, "*.down": down_proj}
`

// Operators that the tables have take their times, launch and all; what is a part of
// another takes none; the rest is the model's.
func TestProfileInPlaceOfTheModel(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"c.yaml":        profiled,
		"dense.csv":     "layer,tokens,time_us\nqkv_proj,1,50\nqkv_proj,3,70\ndown_proj,1,126\n",
		"attention.csv": "prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n0,0,2,64,11\n0,0,2,128,15\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	load := func(set ...string) (*experiment.Experiment, error) {
		return experiment.Load(filepath.Join(dir, "c.yaml"), experiment.Options{Set: set})
	}
	x, err := load()
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	cycles := map[string]uint64{}
	for _, row := range r.Layers.Rows {
		cycles[row[0].(string)] = row[4].(uint64)
	}
	for name, us := range map[string]float64{"L3.q": 60, "L3.down": 126, "L3.attention": 11} {
		require.InDelta(t, us*2520, cycles[name], 1, name)
	}
	require.Zero(t, cycles["L3.k"])
	require.Positive(t, cycles["L3.up"])
	n, _ := r.Metric("Chip", "profiled_kernels")
	require.Equal(t, 32*5.0, n.Value)
	require.Len(t, r.Inputs, 2, "the tables are inputs")

	for set, want := range map[string]string{
		`Chip.profile.layers={"*.q": qkv}`:   `nodes.Chip.profile.layers.*.q: the table has no layer "qkv" (want one of: down_proj, qkv_proj, none;`,
		"Chip.profile.dense_file=null":       "dense_file and layers go together",
		"Chip.profile.dense_file=c.yaml":     "c.yaml:1:1: the columns are",
		"Chip.fidelity=tile":                 "profile: has no effect at fidelity tile (used by: analytic)",
		"Chip.profile.attention_file=no.csv": `no file "no.csv"`,
	} {
		t.Chdir(dir)
		_, err := load(set)
		require.ErrorContains(t, err, want)
	}
	for set, want := range map[string]string{
		`Chip.profile.layers={"*.qq": qkv_proj}`: `profile.layers: no operator is called "*.qq"`,
		"workload.attention=unfused":             "the workload has no attention as one operator",
	} {
		x, err := load(set)
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		if err == nil {
			require.NotEqual(t, result.Complete, r.Status)
			require.Contains(t, r.Reason, want)
			continue
		}
		require.ErrorContains(t, err, want)
	}
}
