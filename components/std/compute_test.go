package std

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// The parts of compute, in every layer of both fidelities and of SCALE-Sim's timing:
// none is below 0, they add up, useful ones are the products over the processing
// elements. Both fidelities write the same bytes.
func TestPartsOfCompute(t *testing.T) {
	parts := []string{"useful_cycles", "mapping_loss_cycles", "fill_cycles", "drain_cycles"}
	const system = "workload: {model: alexnet}\nnodes:\n  - {name: Core, kind: systolic, rows: 32, cols: 24, vector: {lanes: 4}}\n  - {name: Mem, kind: memory, fidelity: ideal}\nlinks: [Core -> Mem]\n"
	for _, set := range [][]string{
		{"Core.dataflow=ws"}, {"Core.dataflow=os"}, {"Core.dataflow=is"},
		{"Core.dataflow=ws", "Core.overlap.preload=true", "Core.overlap.drain=true"},
		{"Core.dataflow=os", "Core.overlap.drain=true"},
	} {
		tables := map[string][]byte{}
		for fidelity, more := range map[string]string{"tile": "Core.fidelity=tile", "analytic": "Core.fidelity=analytic", "scalesim": "Core.timing=scalesim"} {
			r := simulate(t, system, append(slices.Clone(set[:1]), more)...)
			if fidelity != "scalesim" {
				r = simulate(t, system, append(slices.Clone(set), more)...)
				tables[fidelity] = experiment.TableCSV(r.Layers)
			}
			sums := [5]float64{}
			for _, row := range r.Layers.Rows {
				at := func(name string) float64 { return float(t, row[r.Layers.Index(name)]) }
				sum := 0.0
				for i, p := range parts {
					require.GreaterOrEqual(t, at(p), 0.0, "%v %s", row[0], p)
					sum += at(p)
					sums[i] += at(p)
				}
				require.InDelta(t, at("compute_cycles"), sum, 1e-6, "%s %v", fidelity, row[0])
				require.InDelta(t, at("macs")/(32*24), at("useful_cycles"), 1e-6)
				sums[4] += at("compute_cycles")
			}
			for i, p := range append(parts, "compute_cycles") {
				require.InEpsilon(t, sums[i], value(t, r, "Core", p), 1e-9)
			}
		}
		require.Equal(t, string(tables["tile"]), string(tables["analytic"]), "%v", set)
	}
}

func float(t *testing.T, v any) float64 {
	t.Helper()
	switch x := v.(type) {
	case float64:
		return x
	case uint64:
		return float64(x)
	case int64:
		return float64(x)
	}
	require.Failf(t, "no number", "%T", v)
	return 0
}

// The sentence names the real cause: a product of 8 rows on 128.
func TestVerdictNamesTheMapping(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "g.csv")
	require.NoError(t, os.WriteFile(path, []byte("Layer, M, N, K,\ngemm, 8, 1024, 4096,\n"), 0o600))
	r := simulate(t, "workload: {file: "+path+"}\nnodes:\n  - {name: Core, kind: systolic, rows: 128, cols: 128, dataflow: os}\n  - {name: Mem, kind: memory, fidelity: ideal}\nlinks: [Core -> Mem]\n")
	require.Contains(t, r.Bottleneck, "Mapping is the bottleneck: the array is 6% filled: 8 of 128 rows; cores compute ")
}
