package experiment_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// nested is a workload on a core that a loop nest describes.
func nested(fidelity, levels, memory string) string {
	return `
workload:
  ops:
    - {op: gemm, m: 24, n: 36, k: 60}
    - {op: gelu, rows: 24, cols: 36}
    - {op: gemm, batch: 6, m: 10, n: 14, k: 8}
    - {op: softmax, rows: 60, cols: 14}
    - {op: conv, channels: 12, height: 14, width: 14, filters: 24, kernel: 3, padding: 1}
    - {op: conv, channels: 24, height: 14, width: 14, filters: 12, kernel: 1, stride: 2}
    - {op: conv, channels: 12, height: 12, width: 12, filters: 12, kernel: 3, groups: 12}
nodes:
  - {name: Core, kind: spatial, fidelity: ` + fidelity + `, search: {evaluations: 300}, vector: {lanes: 8}, ` + levels + `}
  - {name: Mem, kind: memory, fidelity: ideal, ` + memory + `}
links: [Core -> Mem]
`
}

// On a memory of fixed latency both fidelities of a nest agree in every cycle of every
// layer and in every cause, whatever the machine and the mappings; what the core moves is
// what the memory sees.
func TestNestFidelitiesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range 12 {
		levels := fmt.Sprintf("dma: {burst: %s, outstanding: %d}, levels: [{name: DRAM}, {name: Buffer, capacity: %s, fanout: {x: %d, y: %d}}, {name: Registers, capacity: %s%s}]",
			pick("64B", "256B", "4KiB"), 1+r.IntN(16), pick("2KiB", "8KiB", "64KiB"), 1+r.IntN(6), 1+r.IntN(6), pick("16B", "64B"),
			pick("", ", bypass: [Weights]", ", bypass: [Inputs]", ", read_bandwidth: 2word/cycle"))
		memory := fmt.Sprintf("latency: %dns%s", r.IntN(80), pick("", ", bandwidth: 8GB/s", ", bandwidth: 1GB/s"))
		t.Run(levels+" "+memory, func(t *testing.T) {
			tile, err := scheduled(t, nested("tile", levels, memory), experiment.Options{})
			require.NoError(t, err)
			closed, err := scheduled(t, nested("analytic", levels, memory), experiment.Options{})
			require.NoError(t, err)
			require.Equal(t, tile.Layers, closed.Layers)
			core, ok := tile.Metric("Core", "read_bytes")
			require.True(t, ok)
			written, _ := tile.Metric("Core", "write_bytes")
			require.Equal(t, core.Value+written.Value, bytesOf(t, tile, "Mem"))
			_, energy := tile.Metric("Core", "energy")
			require.False(t, energy, "there is no energy without figures")
		})
	}
}

// With a memory that takes no time, a layer takes the cycles that its nest counts and no
// others but those until the first words are here and the last have left.
func TestNestWithoutContention(t *testing.T) {
	levels := "dma: {burst: 64KiB, outstanding: 64}, levels: [{name: DRAM}, {name: Buffer, capacity: 64KiB, fanout: {x: 4, y: 4}}, {name: Registers, capacity: 64B}]"
	r, err := scheduled(t, nested("tile", levels, "latency: 0ns"), experiment.Options{})
	require.NoError(t, err)
	compute, ok := r.Metric("Core", "compute_cycles")
	require.True(t, ok)
	macs, _ := r.Metric("Core", "macs")
	require.GreaterOrEqual(t, compute.Value, macs.Value/16)
	total, _ := r.Metric("Core", "total_cycles")
	require.Greater(t, compute.Value, 0.8*total.Value)
}

// Unlike cores share a workload: products on a nest, the rest on a systolic core.
func TestNestIsAssigned(t *testing.T) {
	text := `
workload: {model: resnet18, image: 64}
mapping:
  assign: {rules: [{type: conv, core: Nest}, {match: "*", core: Array}]}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Nest, kind: spatial, fidelity: tile, search: {evaluations: 200}, levels: [{name: DRAM}, {name: Buffer, capacity: 256KiB, fanout: {x: 16, y: 16}}, {name: Registers, capacity: 64B}]}
  - {name: Array, kind: systolic, on_chip: none, rows: 16, cols: 16}
  - {name: Mem, kind: memory, fidelity: ideal}
links: [Schedule -> Nest, Schedule -> Array, Nest -> Mem, Array -> Mem]
`
	r, err := scheduled(t, text, experiment.Options{})
	require.NoError(t, err)
	a, _ := r.Metric("Nest", "macs")
	b, _ := r.Metric("Array", "macs")
	all := a.Value + b.Value
	require.EqualValues(t, 148_557_824, all, "those of the network")
	require.Greater(t, a.Value, 0.99*all)
	require.Positive(t, b.Value, "the classifier")
}

// Scores of attention without a mask stay on the chip: fewer bytes move than where it is
// two products and a softmax, and both fidelities agree.
func TestNestAttends(t *testing.T) {
	run := func(fidelity, attention string) *result.Result {
		r, err := scheduled(t, `
workload: {model: bert_base, layers: 0..0, sequence: 64`+attention+`}
nodes:
  - {name: Core, kind: spatial, fidelity: `+fidelity+`, search: {evaluations: 200}, levels: [{name: DRAM}, {name: Buffer, capacity: 64KiB, fanout: {x: 8, y: 8}}, {name: Registers, capacity: 64B}]}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 12.8GB/s}
links: [Core -> Mem]
`, experiment.Options{})
		require.NoError(t, err)
		return r
	}
	one, apart := run("tile", ""), run("tile", ", attention: unfused")
	require.Len(t, one.Warnings, 1, "of the layers that are left out alone")
	require.Less(t, bytesOf(t, one, "Mem"), bytesOf(t, apart, "Mem"))
	scores, ok := one.Metric("Core", "score_bytes")
	require.True(t, ok)
	require.Zero(t, scores.Value)
	require.Equal(t, one.Layers, run("analytic", "").Layers)
}

// problem is a nest with a mapping of its own, before a memory or by its counts alone.
func problem(fidelity, capacity, memory string) string {
	text := `
nodes:
  - name: Core
    kind: spatial
    fidelity: ` + fidelity + `
    word: 16bit
    levels:
      - {name: DRAM}
      - {name: Buffer, capacity: ` + capacity + `, fanout: {x: 8, y: 8}}
      - {name: Registers, capacity: 64word}
    problem: {dims: {N: 256, M: 256, C: 128}}
    mapping:
      - {level: DRAM, loops: [N 4, M 4]}
      - {level: Buffer, loops: [M 2, N 2, C 32], x: [M 8], y: [N 8]}
      - {level: Registers, loops: [N 4, M 4, C 4]}
`
	if fidelity == "tile" {
		text += "  - {name: Mem, kind: memory, fidelity: ideal, " + memory + "}\nlinks: [Core -> Mem]\n"
	}
	return text
}

// A problem of the node's own: fidelity tile has the counts of fidelity analytic, computes
// for as long, and moves the words of the outermost level; a memory costs time, less where
// two tiles fit.
func TestOwnProblemBeforeMemory(t *testing.T) {
	run := func(fidelity, capacity, memory string) *result.Result {
		r, err := scheduled(t, problem(fidelity, capacity, memory), experiment.Options{})
		require.NoError(t, err)
		return r
	}
	of := func(r *result.Result, name string) float64 {
		m, ok := r.Metric("Core", name)
		require.True(t, ok, name)
		return m.Value
	}
	counts := run("analytic", "64KiB", "")
	fast, slow, wide := run("tile", "64KiB", "latency: 0ns"), run("tile", "64KiB", "latency: 50ns, bandwidth: 6.4GB/s"), run("tile", "128KiB", "latency: 50ns, bandwidth: 6.4GB/s")
	for _, r := range []*result.Result{fast, slow, wide} {
		require.Equal(t, counts.Levels, r.Levels)
		require.Equal(t, of(counts, "cycles"), of(r, "compute_cycles"))
		require.EqualValues(t, 2*(131072+32768+65536), bytesOf(t, r, "Mem"))
	}
	require.Less(t, of(fast, "total_cycles"), of(slow, "total_cycles"))
	require.Less(t, of(wide, "total_cycles"), of(slow, "total_cycles"), "two tiles fit")
	require.Less(t, of(counts, "cycles"), of(fast, "total_cycles"), "the first loads and the last stores")
}

// Every kept case of Timeloop that is dense and has a level on the chip computes, tile by
// tile, for the cycles that Timeloop prints, and moves the words that it counts.
func TestKeptCasesBeforeMemory(t *testing.T) {
	root := os.Getenv("CAUSEWAY_INPUTS")
	if root == "" {
		root = "../../../shared/inputs"
	}
	files, err := filepath.Glob(filepath.Join(root, "timeloop", "*", "input.yaml"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no inputs of Timeloop here")
	}
	run := 0
	for _, f := range files {
		f, err := filepath.Abs(f)
		require.NoError(t, err)
		text := "\nnodes:\n  - {name: Core, kind: spatial, input_file: " + f
		if m := filepath.Join(filepath.Dir(f), "map.yaml"); fileExists(m) {
			text += ", mapping_file: " + m
		}
		if strings.Contains(f, "sparse") || strings.Contains(f, "1level") {
			continue
		}
		counts, err := scheduled(t, text+"}\n", experiment.Options{})
		require.NoError(t, err)
		tile, err := scheduled(t, text+", fidelity: tile}\n  - {name: Mem, kind: memory, fidelity: ideal, latency: 0ns}\nlinks: [Core -> Mem]\n", experiment.Options{})
		require.NoError(t, err)
		want, _ := counts.Metric("Core", "cycles")
		got, _ := tile.Metric("Core", "compute_cycles")
		require.Equal(t, want.Value, got.Value, f)
		require.Equal(t, counts.Levels, tile.Levels)
		run++
	}
	require.Equal(t, 9, run)
}

func fileExists(name string) bool { _, err := os.Stat(name); return err == nil }

// Elements that are not as wide as the words of a nest on the chip are said, at both
// fidelities: the key word, a level's own, and words of a product's first operand.
func TestElementsInOtherWords(t *testing.T) {
	const says = ": room, accesses and energy there count words"
	for _, c := range []struct{ dtype, keys, want string }{
		{"int8", "", ""},
		{"fp16", "word: 16bit, ", ""},
		{"int8", "word: 16bit, ", "nodes.Core: elements of int8 take words of 16 bits on the chip (key word)" + says},
		{"{weight: int4, activation: int8}", "", "nodes.Core: elements of int4 take words of 8 bits on the chip (as the first operand of the product)" + says},
	} {
		for _, fidelity := range []string{"tile", "analytic"} {
			text := strings.Replace(nested(fidelity, c.keys+"levels: [{name: DRAM, word: 8bit}, {name: Buffer, capacity: 64KiB, fanout: {x: 4, y: 4}}]", "latency: 10ns"), "workload:\n", "workload:\n  dtype: "+c.dtype+"\n", 1)
			run, err := scheduled(t, text, experiment.Options{})
			require.NoError(t, err)
			require.Equal(t, c.want, strings.Join(run.Warnings, "\n"), c.keys+c.dtype)
		}
	}
}

// A sparse nest of its own computes for as many cycles in tiles as in closed form, and moves
// what is counted: of weights the words that are there.
func TestSparseNestInTiles(t *testing.T) {
	text := func(fidelity, memory string) string {
		return `
nodes:
  - name: Core
    kind: spatial
    fidelity: ` + fidelity + `
    levels:
      - {name: DRAM, formats: [{tensor: Weights, ranks: [{format: bitmask, flatten: [M, C]}]}]}
      - {name: Buffer, capacity: 64KiB, formats: [{tensor: Weights, ranks: [{format: bitmask, flatten: [M, C]}]}], fanout: {x: 4}}
      - {name: Registers, capacity: 64B, savings: [{how: skip, options: [{target: Inputs, where: [Weights]}]}]}
    problem: {dims: {N: 16, M: 32, C: 64}, density: {Weights: 0.25}}
    mapping:
      - {level: DRAM, loops: [N 2, M 2]}
      - {level: Buffer, loops: [M 16, N 8], x: [C 4]}
      - {level: Registers, loops: [C 16]}
` + memory
	}
	closed, err := scheduled(t, text("analytic", ""), experiment.Options{})
	require.NoError(t, err)
	tiles, err := scheduled(t, text("tile", "  - {name: Mem, kind: memory, fidelity: ideal, latency: 1ns}\nlinks: [Core -> Mem]\n"), experiment.Options{})
	require.NoError(t, err)
	require.Equal(t, value(t, closed, "Core", "cycles"), value(t, tiles, "Core", "compute_cycles"))
	require.Equal(t, value(t, closed, "Core", "macs"), value(t, tiles, "Core", "macs"))
	require.Less(t, value(t, tiles, "Core", "macs"), 0.26*16*32*64)
	require.Equal(t, closed.Levels.Rows, tiles.Levels.Rows)
	const weights, inputs, results = 32 * 64, 16 * 64, 16 * 32
	require.EqualValues(t, 2*weights/4+inputs, value(t, tiles, "Core", "read_bytes"), "weights come for each half of the inputs")
	require.EqualValues(t, results, value(t, tiles, "Core", "write_bytes"))
}

// The area of a core for a workload has its memories and its units, of the type that is given or
// of the workload's products: 0.346 um2 a bit and 419 um2 for a unit of int8 at 45 nm.
func TestNestArea(t *testing.T) {
	for compute, want := range map[string]float64{"": 32 * 419e-6, ", compute: {dtype: int8}": 32 * 419e-6, ", compute: {dtype: fp16, area: 100um2}": 32 * 100e-6} {
		r, err := scheduled(t, nested("tile", "levels: [{name: DRAM}, {name: Buffer, capacity: 64KiB, fanout: {x: 8, y: 4}}], energy: {process: 45nm}"+compute, "latency: 1ns"), experiment.Options{})
		require.NoError(t, err)
		require.InDelta(t, 0.346e-6*8*65536+want, value(t, r, "Core", "area"), 1e-9, compute)
	}
}
