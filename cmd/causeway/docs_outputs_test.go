package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// TestOutputsPage holds the tables of docs/outputs.md against what runs write:
// every metric and column with unit and text. UPDATE_DOCS=1 writes them anew.
func TestOutputsPage(t *testing.T) {
	const page = "../../docs/outputs.md"
	src, err := os.ReadFile(page)
	require.NoError(t, err)
	want := map[string]string{}
	metrics := func(name string, r *result.Result, where string, more ...stats.Metric) {
		var rows []stats.Column
		for _, m := range append(more, r.Metrics...) {
			require.Equal(t, "all", m.Phase)
			c := stats.Column{Name: m.Name, Unit: m.Unit, Text: m.Text}
			if m.Where == where && !slices.Contains(rows, c) {
				rows = append(rows, c)
			}
		}
		slices.SortFunc(rows, func(a, b stats.Column) int { return cmp.Compare(a.Name, b.Name) })
		want["metrics of "+name] = reference("metric", rows)
	}
	layers := func(name string, r *result.Result) {
		want["layers of "+name] = reference("column", r.Layers.Columns)
	}

	const mem = "  - {name: Mem, kind: memory, preset: ddr4_3200, fidelity: curve}\nlinks: [Core -> Mem]"
	several := simulate(t, "  - {name: Core, kind: systolic, count: 2}\n"+mem)
	metrics("the system", several, "")
	metrics("systolic", several, "Core[0]")
	metrics("memory", several, "Mem")
	metrics("the issuer", several, "Issuer")
	layers("systolic", several)
	cached := simulate(t, "  - {name: Core, kind: systolic, on_chip: none}\n  - {name: LLC, kind: cache, detail: [core], prefetch: {name: next_line}, flush: {op: clean}, reuse_distance: true}\n"+
		"  - {name: Mem, kind: memory, preset: ddr4_3200, fidelity: curve}\nlinks: [Core -> LLC.top, LLC.bottom -> Mem]")
	judged := simulate(t, "  - {name: Core, kind: systolic, on_chip: none}\n  - {name: LLC, kind: cache, hindsight: true}\n"+
		"  - {name: Mem, kind: memory, preset: ddr4_3200, fidelity: curve}\nlinks: [Core -> LLC.top, LLC.bottom -> Mem]")
	metrics("cache", cached, "LLC", judged.Metrics...) // which goes without prefetches
	tool := simulate(t, "  - {name: Core, kind: systolic, timing: scalesim, scalesim_dram: true}")
	metrics("scalesim", tool, "Core")
	layers("scalesim", tool)
	sheet := simulate(t, "  - {name: Core, kind: systolic, timing: nvdla}")
	metrics("nvdla", sheet, "Core")
	layers("nvdla", sheet)
	rows := simulate(t, "  - {name: Core, kind: systolic, timing: eyeriss, rows: 12, cols: 14, eyeriss: {mac: 1pJ}}")
	metrics("eyeriss", rows, "Core")
	layers("eyeriss", rows)
	stream := simulate(t, "  - {name: Core, kind: systolic, timing: gemmini, rows: 16, cols: 16}")
	metrics("gemmini", stream, "Core")
	layers("gemmini", stream)
	kernels := simulate(t, "  - {name: Core, kind: systolic, preset: tpu_v1}\n"+mem)
	metrics("kernel", kernels, "Core")
	layers("kernel", kernels)
	engine := simulate(t, "  - {name: Core, kind: lanes}")
	metrics("lanes", engine, "Core")
	layers("lanes", engine)
	roof := simulate(t, "  - {name: Chip, kind: roofline}")
	metrics("roofline", roof, "Chip")
	layers("roofline", roof)
	chip := simulate(t, "  - {name: Chip, kind: gpu, power: {process: 4n, idle: 100W}, power_limit: 700W}")
	metrics("gpu", chip, "Chip")
	layers("gpu", chip)
	ranks, err := experiment.Parse("outputs.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Ranks, kind: ranks, ranks: 4, pattern: halo3d}\n"+
		"  - {name: Net, kind: network, fidelity: flit, topology: {name: mesh, dims: [2, 2]}}\nlinks: [Ranks -> Net]\n"), experiment.Options{})
	require.NoError(t, err)
	played, _, err := ranks.Run(context.Background(), nil)
	require.NoError(t, err)
	metrics("ranks", played, "Ranks")
	layers("ranks", played)
	core, err := experiment.Parse("outputs.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Core, kind: cpu, generate: {name: chase, size: 64KiB}, limit: 100, warm: 10, tlb: {entries: 4}}\n"+
		"  - {name: Mem, kind: memory, fidelity: ideal}\nlinks: [Core -> Mem]\n"), experiment.Options{})
	require.NoError(t, err)
	loaded, _, err := core.Run(context.Background(), nil)
	require.NoError(t, err)
	metrics("cpu", loaded, "Core")
	near, err := experiment.Parse("outputs.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Near, kind: nearmem, work: knn}\n"), experiment.Options{})
	require.NoError(t, err)
	offloaded, _, err := near.Run(context.Background(), nil)
	require.NoError(t, err)
	metrics("nearmem", offloaded, "Near")
	layers("nearmem", offloaded)
	nested, err := experiment.Load("../../configs/examples/timeloop.yaml", experiment.Options{Set: []string{"Core.search.always=true", "Core.search.evaluations=100"}})
	require.NoError(t, err)
	mapped, _, err := nested.Run(context.Background(), nil)
	require.NoError(t, err)
	metrics("spatial", mapped, "Core")
	want["levels of spatial"] = reference("column", mapped.Levels.Columns)

	costs := filepath.Join(t.TempDir(), "costs.csv")
	require.NoError(t, os.WriteFile(costs, []byte("machine,workload,layer,cycles,energy_nj\nm,ops,g,7,1\n"), 0o644))
	queue, err := experiment.Parse("outputs.yaml", []byte("schema: causeway/1\nworkload: {ops: [{name: g, op: gemm, m: 1, n: 1, k: 1}], deadline: 1ms}\n"+
		"nodes:\n  - {name: Schedule, kind: schedule, drop: late}\n  - {name: Core, kind: profile, file: "+costs+", machine: m}\nlinks: [Schedule -> Core]\n"), experiment.Options{})
	require.NoError(t, err)
	served, _, err := queue.Run(context.Background(), nil)
	require.NoError(t, err)
	all := *served
	all.Metrics = slices.DeleteFunc(slices.Clone(served.Metrics), func(m stats.Metric) bool { return m.Phase != "all" })
	metrics("schedule", &all, "Schedule")
	metrics("profile", &all, "Core")
	layers("profile", served)
	want["requests of schedule"] = reference("column", served.Requests.Columns)

	answers, err := experiment.Parse("outputs.yaml", []byte("schema: causeway/1\nworkload: {model: llama3_8b, layers: 0..0, dtype: bf16, requests: {count: 2, prompt: 64, output: 3}}\n"+
		"nodes:\n  - {name: Serve, kind: serve}\n  - {name: Chip, kind: roofline}\nlinks: [Serve -> Chip]\n"), experiment.Options{})
	require.NoError(t, err)
	answered, _, err := answers.Run(context.Background(), nil)
	require.NoError(t, err)
	metrics("serve", answered, "Serve")
	want["requests of serve"] = reference("column", answered.Requests.Columns)

	priced := simulate(t, "  - {name: Core, kind: systolic, fidelity: analytic}\n"+mem+"\ncost: {chips: [{name: Die, nodes: [Core], fill: 0.5, process: 7nm, hbm: {stacks: 1, capacity: 16GB}}], grid: {intensity: 380}, years: 4}")
	metrics("a chip", priced, "Die")
	whole := *priced
	whole.Metrics = slices.DeleteFunc(slices.Clone(priced.Metrics), func(m stats.Metric) bool {
		return m.Unit != stats.USD && m.Unit != stats.Gram
	})
	metrics("cost", &whole, "")
	hot := simulate(t, "  - {name: Chip, kind: gpu, preset: h100}\nthermal: {blocks: [{name: Array, nodes: [Chip], width: 28mm, height: 28mm}], leakage: {power: 9W, at: 60, doubles: 25}, limit: 90, throttle: [Chip]}")
	metrics("a block", hot, "Array")
	whole = *hot
	whole.Metrics = slices.DeleteFunc(slices.Clone(hot.Metrics), func(m stats.Metric) bool {
		return m.Unit != stats.Celsius && m.Name != "power_leakage" && m.Name != "power_closed" && !strings.HasPrefix(m.Name, "thermal_")
	})
	metrics("temperatures", &whole, "")

	marked := regexp.MustCompile(`(?s)<!-- table: ([^>]*) -->\n(.*?)<!-- end -->`)
	seen := map[string]bool{}
	got := marked.ReplaceAllStringFunc(string(src), func(s string) string {
		m := marked.FindStringSubmatch(s)
		seen[m[1]] = true
		if os.Getenv("UPDATE_DOCS") == "" {
			require.Equal(t, want[m[1]], m[2], "table %q", m[1])
		}
		return fmt.Sprintf("<!-- table: %s -->\n%s<!-- end -->", m[1], want[m[1]])
	})
	for name := range want {
		require.Contains(t, seen, name, "%s has no such table", page)
	}
	require.Len(t, seen, len(want))
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(page, []byte(got), 0o644))
	}
}

// simulate runs ResNet-18 on the nodes.
func simulate(t *testing.T, nodes string) *result.Result {
	x, err := experiment.Parse("outputs.yaml", []byte("schema: causeway/1\nworkload: {model: resnet18}\nnodes:\n"+nodes+"\n"), experiment.Options{})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	return r
}

// reference is a table with a line for each name.
func reference(what string, rows []stats.Column) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | unit | meaning |\n|---|---|---|\n", what)
	for _, r := range rows {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Name, r.Unit, r.Text)
	}
	return b.String()
}
