package std

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
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
				tables[fidelity] = result.TableCSV(r.Layers)
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
	r := simulate(t, "workload: {file: "+path+"}\nnodes:\n  - {name: Core, kind: systolic, rows: 128, cols: 128, dataflow: os, gemv: none}\n  - {name: Mem, kind: memory, fidelity: ideal}\nlinks: [Core -> Mem]\n")
	require.Contains(t, r.Sentence, "Mapping is the bottleneck: the array is 6% filled: 8 of 128 rows; cores compute ")
}

// Roofs are those of the configuration: processing elements, and the nominal bandwidth
// of the memories behind the core's link.
func TestRoofsComeFromTheConfiguration(t *testing.T) {
	const core = "workload: {model: alexnet}\nnodes:\n  - {name: Core, kind: systolic, rows: 32, cols: 24, clock: 500MHz, on_chip: none}\n" // else weights come while the layer before computes
	for _, c := range []struct {
		rest string
		want float64 // GB/s; 0: unlimited
	}{
		{"  - {name: Mem, kind: memory, fidelity: ideal, bandwidth: 25.6GB/s}\nlinks: [Core -> Mem]\n", 25.6},
		{"  - {name: Mem, kind: memory, fidelity: ideal, bandwidth: 25.6GB/s}\nlinks: [{link: Core -> Mem, bandwidth: 10GB/s}]\n", 10},
		{"  - {name: Mem, kind: memory, fidelity: ideal}\nlinks: [{link: Core -> Mem, bandwidth: 10GB/s}]\n", 10},
		{"  - {name: Mem, kind: memory, fidelity: ideal}\nlinks: [Core -> Mem]\n", 0},
		{"  - {name: Mem, kind: memory, preset: ddr4_3200, channels: 2}\nlinks: [Core -> Mem]\n", 51.2},
	} {
		r := simulate(t, core+c.rest)
		require.Equal(t, 32.0*24, value(t, r, "Core", "peak_macs"))
		if c.want == 0 {
			_, ok := r.Metric("Core", "peak_bandwidth")
			require.False(t, ok, "nothing limits it")
			continue
		}
		require.InEpsilon(t, c.want, value(t, r, "Core", "peak_bandwidth"), 1e-9, c.rest)
		require.InEpsilon(t, 2*c.want, value(t, r, "Core", "peak_bytes"), 1e-9, "2 ns a cycle")
		for _, row := range r.Layers.Rows {
			at := func(name string) float64 { return float(t, row[r.Layers.Index(name)]) }
			read, written := at("ifmap_read_bytes")+at("filter_read_bytes")+at("ofmap_read_bytes"), at("ofmap_write_bytes")
			if !strings.Contains(c.rest, "link:") {
				read += written // a memory moves both in turn, a link one each way
			}
			require.LessOrEqual(t, max(read, written)/at("cycles"), 2*c.want*(1+1e-9), "no layer is above the roof")
		}
	}
	r := simulate(t, "workload: {model: alexnet}\nnodes:\n  - {name: Chip, kind: roofline, compute: 2TFLOP/s, memory: 100GB/s, clock: 2GHz}\n")
	require.Equal(t, []float64{500, 100, 50}, []float64{value(t, r, "Chip", "peak_macs"), value(t, r, "Chip", "peak_bandwidth"), value(t, r, "Chip", "peak_bytes")})
}
