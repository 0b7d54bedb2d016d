package experiment

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

const opsSystem = `schema: causeway/1
workload: {ops: l.csv, dtype: fp16}
nodes:
  - {name: Chip, kind: roofline, compute: 2TFLOP/s, memory: 100GB/s, overhead: 10ns}
`

// Every row of a list runs by itself and has its time; by hand at 1 MAC per ps and
// 100 B/ns.
func TestRowsHaveTimes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "c.yaml")
	require.NoError(t, os.WriteFile(file, []byte(opsSystem), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "l.csv"), []byte("name,op,m,n,k,rows,cols\nbig,gemm,1000,1000,1000,,\n,copy,,,,50,100\n"), 0o644))
	x, err := Load(file, Options{})
	require.NoError(t, err)
	res, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, res.Status, res.Reason)
	for name, want := range map[string]float64{"layer:big": 1000000 + 10, "layer:copy_1": 200 + 10} {
		m, ok := res.MetricIn(name, "Chip", "time")
		require.True(t, ok, name)
		require.Equal(t, want, m.Value, name)
	}
	require.Len(t, res.Inputs, 1, "the list is an input of the run")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "l.csv"), []byte("op,rows,cols\ncopy,50,100\n"), 0o644))
	y, err := Load(file, Options{})
	require.NoError(t, err)
	require.NotEqual(t, x.Identity(), y.Identity())
}

func TestKeysBesideAListOfOperators(t *testing.T) {
	for set, want := range map[string]string{
		"workload.attention=unfused":     "workload.attention: has no effect on a list of operators: attention is what its rows say",
		"workload.batch=2":               "workload.batch: has no effect on a list of operators: rows say their sizes",
		"workload.model=resnet18":        "workload.model: there is a list of operators too; one of them must go",
		"workload.ops=3":                 "workload.ops: is a CSV file or a list of rows",
		"workload.ops=nope.csv":          `workload.ops: no file "nope.csv"`,
		"workload.ops=[{op: gemm,m: 3}]": "workload.ops[0]: gemm needs n",
	} {
		_, err := Parse("c.yaml", []byte(opsSystem), Options{Set: []string{set}})
		require.ErrorContains(t, err, want, set)
	}
}

// Keys that say how operators are cut are refused where no node has any cut.
func TestMappingThatNobodyReads(t *testing.T) {
	roof := "schema: causeway/1\nworkload: {model: resnet18}\nnodes:\n  - {name: Chip, kind: roofline}\n"
	for _, set := range []string{"mapping.split=row", "mapping.objective=traffic", "mapping.micro_batches=2", "mapping.multicast=none",
		"mapping.rules=onnxim", "mapping.fuse=false", "mapping.layers=[{match: nothing}]"} {
		_, err := Parse("c.yaml", []byte(roof), Options{Set: []string{set}})
		key, _, _ := strings.Cut(set, "=")
		require.ErrorContains(t, err, "--set:1: "+key+": has no effect: no node has its operators cut into tiles", set)
	}
	_, err := Parse("c.yaml", []byte(roof), Options{Set: []string{"mapping.cores=Chip"}})
	require.NoError(t, err, "who does the work is another question")
}

// The energy of a memory is that of its requests. An ideal one is charged for those that
// analytic cores do not send; what hits in a cache on the way is not known, and the run
// says so.
func TestEnergyWithoutRequests(t *testing.T) {
	const text = "schema: causeway/1\nworkload: {ops: [{op: gemm, m: 64, n: 64, k: 64}]}\nnodes:\n" +
		"  - {name: Core, kind: systolic, fidelity: analytic, rows: 16, cols: 16}\n" +
		"  - {name: Mem, kind: memory, fidelity: ideal, bandwidth: 64GB/s, energy: {dram: ddr4}}\nlinks: [Core -> Mem]\n"
	cached := strings.Replace(text, "links: [Core -> Mem]", "  - {name: LLC, kind: cache, size: 64KiB}\nlinks: [Core -> LLC, LLC -> Mem]", 1)
	run := func(text, set string) *result.Result {
		x, err := Parse("c.yaml", []byte(text), Options{Set: []string{set}})
		require.NoError(t, err, set)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err, set)
		return r
	}
	var spent []float64
	for _, set := range []string{"Core.fidelity=analytic", "Core.fidelity=tile"} {
		r := run(text, set)
		require.Empty(t, r.Warnings, set)
		for _, m := range r.Metrics {
			if m.Where == "Mem" && m.Name == "energy" {
				spent = append(spent, m.Value)
			}
		}
	}
	require.Len(t, spent, 2)
	require.Positive(t, spent[0])
	require.Equal(t, spent[1], spent[0])
	require.Contains(t, run(cached, "Core.fidelity=analytic").Warnings[0], "requests, bytes and energy of LLC, Mem are 0, though cores moved bytes: those of fidelity analytic")
	require.Empty(t, run(cached, "Core.fidelity=tile").Warnings)
}
