package explain_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/explain"
	_ "github.com/causeway-sim/causeway/components/std"
	"github.com/causeway-sim/causeway/configs"
)

const examples = "../../../configs/examples/"

func of(t *testing.T, file string, o explain.Options) *explain.Explanation {
	t.Helper()
	o.Workers = 2
	e, err := explain.File(t.Context(), experiment.NewLoader(experiment.Options{}), file, o)
	require.NoError(t, err, file)
	return e
}

func setsOf(l explain.LeverResult) []string {
	if len(l.Sets) > 0 {
		return l.Sets
	}
	return []string{l.Set}
}

// Every example has levers, best first, whose best is confirmed by whole runs with and without it:
// within 2 % where layers are sampled, else to the digit. The long tests explain all of them with
// all their levers, and print the table of docs/outputs.md.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob(examples + "*.yaml")
	require.NoError(t, err)
	slow := []string{ // a CPU second and more each
		"allreduce", "cxl-shared", "cxl-stream", "llama3_decode", "llama3_prefill", "mesh", "multicore", "multicore_network",
		"resnet50_cache", "resnet50_dram", "schedule", "tenants",
	}
	long, most := os.Getenv("CAUSEWAY_LONG") != "", 4
	if long {
		most = explain.DefaultMost
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		switch {
		case name == "sweep" || name == "host-latency" || name == "amg": // sweeps, and one with an input
			continue
		case name == "llm-cluster" || name == "llama3_memories" || name == "llama3_far", !long && slices.Contains(slow, name): // minutes, seconds
			continue
		}
		t.Run(name, func(t *testing.T) {
			e := of(t, file, explain.Options{Most: most, Confirm: true})
			require.NotEmpty(t, e.Levers)
			require.NotEmpty(t, e.Sentence)
			for i, l := range e.Levers[1:] {
				require.LessOrEqual(t, l.Ratio, e.Levers[i].Ratio)
			}
			best, c := e.All()[0], e.Confirmed
			t.Logf("%s: %s: %.4f, of whole runs %.4f", name, best.Set, best.Ratio, c.Ratio)
			require.Equal(t, setsOf(best), c.Set)
			near := 1e-9
			if len(e.Short) > 0 { // layers that repeat are sampled
				near = 0.02
				require.NotEmpty(t, e.Sampled)
			}
			require.InEpsilon(t, c.Base, e.Base.Value, near)
			require.InEpsilon(t, c.Ratio, best.Ratio, near)
		})
	}
}

// A served model whose operators are issued is explained by some layers, of prompts and answers
// that are as much shorter, unless it is short. They have more weights
// than a cache twice as large has place for.
func TestServedPart(t *testing.T) {
	model := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(model, []byte(`{"model_type": "llama", "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 16, "num_attention_heads": 8, "num_key_value_heads": 4, "vocab_size": 1000, "max_position_embeddings": 2048}`), 0o644))
	small := []string{"workload.model=null", "workload.file=" + model, "chips=2", "output=3", "Chip.LLC.size=512KiB"}
	const file = examples + "llm-cluster.yaml"
	for _, c := range []struct {
		set   []string
		short []string
	}{
		// 294,912 bytes of weights of a layer on a chip: 4 layers have more than 1 MiB.
		{[]string{"prompt=512"}, []string{"workload.layers=6..9", "workload.requests.prompt=256", "workload.requests.output=2"}},
		{[]string{"prompt=511"}, []string{"workload.layers=6..9"}},
		{[]string{"prompt=16"}, nil}, // short as it is
		{[]string{"prompt=511", "Chip.LLC.size=8MiB"}, nil},
	} {
		x, err := experiment.Load(file, experiment.Options{Set: slices.Concat(small, c.set)})
		require.NoError(t, err)
		part := x.Shorter()
		require.Equal(t, c.short, part.Set, c.set)
		require.Equal(t, c.short == nil, part.Text == "")
	}
}

// A memory-bound run is helped by bandwidth and by nothing else.
func TestBound(t *testing.T) {
	const file = "bound.yaml"
	loader := experiment.NewLoader(experiment.Options{})
	loader.Text(file, []byte(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: random, size: 1MiB, object: 1KiB, count: 2000}, mode: "closed:64"}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 10ns, bandwidth: 1GB/s}
links: [Driver -> Mem]
`))
	e, err := explain.File(t.Context(), loader, file, explain.Options{Workers: 2})
	require.NoError(t, err)
	require.Equal(t, "total_time", e.Base.Metric)
	require.Equal(t, "Mem.bandwidth=2GB/s", e.Levers[0].Set)
	require.InDelta(t, 2, e.Levers[0].Ratio, 0.01)
	require.InDelta(t, 1, e.Levers[1].Ratio, 0.01)
	require.Equal(t, "Twice the bandwidth of Mem makes it 2.00x as fast; nothing else that was tried helps.", e.Sentence)
	require.NotContains(t, e.Sentence, "NaN")
}

// Nodes of equal kind and keys are changed together, others apart.
func TestTogether(t *testing.T) {
	const file = "two.yaml"
	text := `schema: causeway/1
nodes:
  - {name: DriverA, kind: driver, generate: {name: random, size: 1MiB, count: 200}, mode: "closed:4"}
  - {name: DriverB, kind: driver, base: 1GiB, generate: {name: random, size: 1MiB, count: 200}, mode: "closed:4"}
  - {name: MemA, kind: memory, fidelity: ideal, latency: 10ns}
  - {name: MemB, kind: memory, fidelity: ideal, latency: LATENCY}
links: [DriverA -> MemA, DriverB -> MemB]
memory: [{tier: a, node: MemA, base: 0B, size: 1GiB}, {tier: b, node: MemB, base: 1GiB, size: 1GiB}]
`
	for latency, want := range map[string][]string{"10ns": {"MemA.latency=5ns", "MemB.latency=5ns"}, "20ns": {"MemB.latency=10ns"}} {
		loader := experiment.NewLoader(experiment.Options{})
		loader.Text(file, []byte(strings.Replace(text, "LATENCY", latency, 1)))
		e, err := explain.File(t.Context(), loader, file, explain.Options{})
		require.NoError(t, err)
		require.Equal(t, want, setsOf(e.Levers[0]), latency)
	}
}

// What cannot run with a change is named, and the rest goes on.
func TestRefused(t *testing.T) {
	e := of(t, examples+"cxl-stream.yaml", explain.Options{Most: 4})
	require.Contains(t, e.Refused, explain.RefusedLever{Name: "Path.Root lanes x2", Why: "32 lanes (want one of: 1, 2, 4, 8, 16)"})
	require.NotEmpty(t, e.Levers)
	require.NotEmpty(t, e.Untried)
}

// The same question has the same answer under any engine and number of workers.
func TestSameBytes(t *testing.T) {
	file := examples + "resnet18.yaml"
	one, err := of(t, file, explain.Options{}).JSON()
	require.NoError(t, err)
	e, err := explain.File(t.Context(), experiment.NewLoader(experiment.Options{Engine: "shuffle:3"}), file, explain.Options{Workers: 3})
	require.NoError(t, err)
	two, err := e.JSON()
	require.NoError(t, err)
	require.Equal(t, string(one), string(two))
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ran := 0
	_, err := explain.File(ctx, experiment.NewLoader(experiment.Options{}), examples+"resnet18.yaml", explain.Options{Done: func(int) {
		if ran++; ran == 2 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 2, ran)
}

// Every preset of a chip that carries out a product can be explained: its levers name keys that it has.
func TestLeversOfPresets(t *testing.T) {
	explained := 0
	for _, p := range configs.Presets() {
		if p.Kind != "systolic" && p.Kind != "gpu" {
			continue
		}
		file, rest := p.Name+".yaml", "\n"
		if p.Kind == "systolic" {
			rest = "\n  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}\nlinks: [Chip -> Mem]\n"
		}
		loader := experiment.NewLoader(experiment.Options{})
		loader.Text(file, []byte("schema: causeway/1\nworkload: {ops: [{op: gemm, m: 256, n: 256, k: 256, dtype: int8}]}\nnodes:\n  - {name: Chip, preset: "+p.Name+"}"+rest))
		e, err := explain.File(t.Context(), loader, file, explain.Options{Most: 1})
		if experiment.IsBadInput(err) { // a chip of other layers or types
			t.Log(err)
			continue
		}
		require.NoError(t, err, p.Name)
		require.NotEmpty(t, e.Levers, p.Name)
		explained++
	}
	require.Greater(t, explained, 25)
}
