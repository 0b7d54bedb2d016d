package experiment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// onGPU is a configuration of a core as one of a GPU whose kernels read the same memories.
func onGPU(text string) string {
	return strings.Replace(text, "{name: Core, kind: systolic, rows: 16, cols: 16, on_chip: none}", "{name: Core, kind: gpu, fidelity: tile, caches: cold, absorbed: 0, burst: 64B}", 1)
}

// A GPU reads and writes keys and values where their blocks lie: with one tier in use the bytes
// of each memory are those of a server whose keys and values are in one piece there.
func TestTiersOfAGPU(t *testing.T) {
	for tier, other := range map[string]string{"near": "Far", "far": "Near"} {
		whole, err := serve(t, onGPU(answers), experiment.Options{Set: []string{"Serve.kv_memory=0B", "tier=" + tier}})
		require.NoError(t, err)
		r, err := serve(t, onGPU(inTiers), experiment.Options{Set: []string{"first=" + tier, "near=0B"}})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		for _, node := range []string{"Near", "Far"} {
			for _, name := range []string{"read_bytes", "write_bytes"} {
				require.Equal(t, value(t, whole, node, name), value(t, r, node, name), "%s of %s, all in %s", name, node, tier)
			}
		}
		require.EqualValues(t, 100, value(t, r, "Serve", "kv_share_"+tier))
		if other == "Far" {
			require.Zero(t, value(t, r, other, "read_bytes"))
		}
	}
}

// Blocks that move on a GPU are read in one tier and written in the other, and later kernels read
// them there; the policy sees what reads took.
func TestTiersMoveOnAGPU(t *testing.T) {
	still, err := serve(t, onGPU(inTiers), experiment.Options{Set: []string{"first=far", "near=0B"}})
	require.NoError(t, err)
	r, err := serve(t, onGPU(inTiers), experiment.Options{Set: []string{"first=far", "near=0B", "policy=colloid"}})
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	moved := value(t, r, "Serve", "migrated_bytes")
	require.Positive(t, moved)
	require.Less(t, value(t, r, "Serve", "kv_share_far"), 100.0)
	for _, name := range []string{"read_bytes", "write_bytes"} {
		require.Equal(t, value(t, still, "Near", name)+value(t, still, "Far", name)+moved, value(t, r, "Near", name)+value(t, r, "Far", name), name)
	}
	again, err := serve(t, onGPU(inTiers), experiment.Options{Set: []string{"first=far", "near=0B", "policy=colloid"}, Engine: "shuffle:5"})
	require.NoError(t, err)
	require.Equal(t, r.Metrics, again.Metrics)
	_, err = serve(t, strings.Replace(onGPU(inTiers), "fidelity: tile, caches: cold, absorbed: 0, burst: 64B", "caches: cold", 1), experiment.Options{})
	require.Error(t, err)
}

// Transfers between the chips of a machine need a node that has kernels for them: others say so
// before the run, and do not count their bytes alone.
func TestTransfersOfOtherNodes(t *testing.T) {
	const list = "schema: causeway/1\nworkload: {ops: [{op: all_reduce, name: sum, elements: 1024, dtype: bf16}]}\nnodes: [{name: Chip, "
	for node, want := range map[string]string{
		"kind: roofline, compute: 1TFLOP/s, memory: 1TB/s}]\n": "Chip cannot carry out sum, a transfer between the chips of a machine (want a node of kind gpu",
		"kind: gpu, architecture: sm90}]\n":                    "Chip: sum goes over links to other chips, and it has none (key link)",
		"kind: gpu, architecture: sm90, link: 450GB/s}]\n":     "",
		"kind: gpu, architecture: sm103, link: 900GB/s}]\n":    "",
		"kind: gpu, architecture: sm120, link: 64GB/s}]\n":     `no kernels of generation "sm120" were measured for sum`,
	} {
		_, err := serve(t, list+node, experiment.Options{})
		if want == "" {
			require.NoError(t, err, node)
			continue
		}
		require.ErrorContains(t, err, want, node)
	}
}
