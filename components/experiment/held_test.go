package experiment_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	_ "github.com/causeway-sim/causeway/components/std"
)

var updateHeld = flag.Bool("update-held", false, "write the rows that TestHeldRows compares with")

// held are runs whose results stay as they were before attention became one operator
// and before results could stay on the chip: those features are switched off by their
// keys, everything that has a default that may change is written out.
var held = map[string]string{
	"encoder_tile": `
workload: {file: encoder/config.json, batch: 2, sequence: 64, dtype: int8}
mapping: {split: head}
nodes:
  - {name: Core, kind: systolic, count: 2, rows: 64, cols: 64, dataflow: ws, clock: 1GHz, sram: {ifmap: 128KiB, filter: 128KiB, ofmap: 128KiB}, vector: {lanes: 64}, dma: {burst: 1KiB, outstanding: 16}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 64GB/s}
links:
  - Core -> Mem
`,
	"decoder_prefill": `
workload: {file: decoder/config.json, phase: prefill, sequence: 96, context: 160, dtype: {weight: int8, activation: bf16, kv: int8}}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, rows: 32, cols: 32, dataflow: ws, clock: 1GHz, overlap: {preload: true, drain: true}, sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}, vector: {lanes: 128}, dma: {burst: 4KiB, outstanding: 16}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}
links:
  - Core -> Mem
`,
	"decoder_decode": `
workload: {file: decoder/config.json, phase: decode, batch: 3, context: 200, dtype: int8}
nodes:
  - {name: Core, kind: systolic, rows: 32, cols: 32, dataflow: is, clock: 1GHz, sram: {ifmap: 16KiB, filter: 16KiB, ofmap: 16KiB}, vector: {lanes: 32}, dma: {burst: 512B, outstanding: 8}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 80ns, bandwidth: 32GB/s}
links:
  - Core -> Mem
`,
	"encoder_os": `
workload: {file: encoder/config.json, sequence: 100, dtype: int8}
mapping: {split: row}
nodes:
  - {name: Core, kind: systolic, count: 3, fidelity: analytic, rows: 16, cols: 48, dataflow: os, clock: 700MHz, overlap: {drain: true}, sram: {ifmap: 32KiB, filter: 32KiB, ofmap: 32KiB}, vector: {lanes: 16}, dma: {burst: 2KiB, outstanding: 4}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 90ns, bandwidth: 20GB/s}
links:
  - Core -> Mem
`,
	"resnet": `
workload: {model: resnet18, image: 64, dtype: int8}
nodes:
  - {name: Core, kind: systolic, rows: 32, cols: 32, dataflow: ws, clock: 1GHz, sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}, vector: {lanes: 32}, dma: {burst: 4KiB, outstanding: 16}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 64GB/s}
links:
  - Core -> Mem
`,
}

// switches turn off what came later, by path.
var switches = []string{"mapping.objective=traffic", "workload.attention=unfused", "Core.on_chip=none"}

// The metrics of the held runs and the columns of their layers are those of
// testdata/held: a value per metric, a sum per column. Metrics and columns that were
// added since are not compared.
func TestHeldRows(t *testing.T) {
	for name, src := range held {
		t.Run(name, func(t *testing.T) {
			x, err := experiment.Parse(filepath.Join("testdata", "held", name+".yaml"), []byte("schema: causeway/1"+src), experiment.Options{Set: switches})
			require.NoError(t, err)
			r, _, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			got, keys := heldRows(t, r)
			at := filepath.Join("testdata", "held", name+".csv")
			if *updateHeld {
				var b strings.Builder
				for _, k := range keys {
					fmt.Fprintf(&b, "%s,%s\n", k, got[k])
				}
				require.NoError(t, os.WriteFile(at, []byte(b.String()), 0o644))
			}
			want, err := os.ReadFile(at)
			require.NoError(t, err)
			lines := strings.Split(strings.TrimSpace(string(want)), "\n")
			require.Greater(t, len(lines), 80)
			for _, line := range lines {
				cut := strings.LastIndex(line, ",")
				require.Equal(t, line[cut+1:], got[line[:cut]], "%s", line[:cut])
			}
		})
	}
}

// heldRows are the metrics by place and name, and the sums of the columns of layers,
// with their keys in the order of the result.
func heldRows(t *testing.T, r *result.Result) (rows map[string]string, keys []string) {
	rows = map[string]string{}
	put := func(key, value string) { keys, rows[key] = append(keys, key), value }
	for _, m := range r.Metrics {
		put(fmt.Sprintf("%s,%s,%s", m.Phase, m.Where, m.Name), strconv.FormatFloat(m.Value, 'g', -1, 64))
	}
	table, err := csv.NewReader(bytes.NewReader(result.TableCSV(r.Layers))).ReadAll()
	require.NoError(t, err)
	for c, column := range table[0] {
		h := sha256.New()
		for _, row := range table[1:] {
			fmt.Fprintln(h, row[c])
		}
		put("layers,"+column, fmt.Sprintf("%x", h.Sum(nil)[:8]))
	}
	return rows, keys
}
