package explain_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/explain"
	"github.com/causeway-sim/causeway/components/experiment/result"
	_ "github.com/causeway-sim/causeway/components/std"
)

const examples = "../../../configs/examples/"

func of(t *testing.T, file string, o explain.Options) *explain.Explanation {
	t.Helper()
	o.Workers = 2
	e, err := explain.File(t.Context(), experiment.NewLoader(experiment.Options{}), file, o)
	require.NoError(t, err, file)
	return e
}

// confirmed runs a configuration with a lever's settings and returns the base's metric.
func confirmed(t *testing.T, file string, set []string, metric string) float64 {
	t.Helper()
	x, err := experiment.Load(file, experiment.Options{Set: set})
	require.NoError(t, err)
	res, _, err := x.Run(t.Context(), nil)
	require.NoError(t, err)
	for _, m := range res.Metrics {
		if result.Key(m) == metric {
			return m.Value
		}
	}
	t.Fatalf("%s: no metric %s", file, metric)
	return 0
}

func setsOf(l explain.Tried) []string {
	if len(l.Sets) > 0 {
		return l.Sets
	}
	return []string{l.Set}
}

// Every example has levers, best first, whose best is confirmed by a run of its own.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob(examples + "*.yaml")
	require.NoError(t, err)
	quick := []string{"resnet50", "dram", "cache", "dragonfly", "gpu", "host", "serve", "nest"}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		switch {
		case name == "sweep" || name == "host-latency" || name == "amg": // sweeps, and one with an input
			continue
		case name == "llm-cluster" || name == "llama3_prefill", testing.Short() && !slices.Contains(quick, name): // minutes, seconds
			continue
		}
		t.Run(name, func(t *testing.T) {
			e := of(t, file, explain.Options{Most: 4})
			require.NotEmpty(t, e.Levers)
			require.NotEmpty(t, e.Sentence)
			for i, l := range e.Levers[1:] {
				require.LessOrEqual(t, l.Ratio, e.Levers[i].Ratio)
			}
			if e.Base.Nodes > 1 {
				return // the sum over nodes is no metric
			}
			best := e.Levers[0]
			base, with := confirmed(t, file, nil, e.Base.Metric), confirmed(t, file, setsOf(best), e.Base.Metric)
			near := 1e-9
			if len(e.Short) > 0 { // layers that repeat are sampled
				near = 0.02
			}
			require.InEpsilon(t, base, e.Base.Value, near)
			ratio := base / with
			if e.Base.Better == "more" {
				ratio = with / base
			}
			if best.Work > 0 {
				ratio *= best.Work
			}
			require.InEpsilon(t, ratio, best.Ratio, near)
		})
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
func TestLeftOut(t *testing.T) {
	e := of(t, examples+"cxl-stream.yaml", explain.Options{Most: 4})
	require.Contains(t, e.LeftOut, explain.LeftOut{Name: "Path.Root lanes x2", Why: "32 is not known"})
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
