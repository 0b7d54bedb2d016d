package std_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
)

// samples holds a small model for every kind of operator, and one for every
// normalisation, by the name of the kind or "norm NAME".
func samples() map[string]func(b *graph.Builder) {
	const rows, cols = 64, 128
	one := func(of func(b *graph.Builder, x graph.TensorID) graph.TensorID, shape ...int) func(b *graph.Builder) {
		return func(b *graph.Builder) { b.Output(of(b, b.Input("x", shape...))) }
	}
	out := map[string]func(b *graph.Builder){
		"conv": one(func(b *graph.Builder, x graph.TensorID) graph.TensorID {
			return b.Conv("op", x, graph.SquareConv(16, 3, 1, 1))
		}, 1, 16, 16, 16),
		"gemm": one(func(b *graph.Builder, x graph.TensorID) graph.TensorID { return b.Linear("op", x, 96) }, rows, cols),
		"pool": one(func(b *graph.Builder, x graph.TensorID) graph.TensorID {
			return b.Pool("op", x, graph.SquarePool(2, 2, 0))
		}, 1, 16, 16, 16),
		"elementwise": one(func(b *graph.Builder, x graph.TensorID) graph.TensorID { return b.Elementwise("op", "relu", x) }, rows, cols),
		"softmax":     one(func(b *graph.Builder, x graph.TensorID) graph.TensorID { return b.Softmax("op", x) }, rows, cols),
		"reduce":      one(func(b *graph.Builder, x graph.TensorID) graph.TensorID { return b.Reduce("op", "sum", x, rows, 1) }, rows, cols),
		"move": one(func(b *graph.Builder, x graph.TensorID) graph.TensorID {
			return b.Move("op", "transpose", x, cols, rows)
		}, rows, cols),
		"gather": one(func(b *graph.Builder, x graph.TensorID) graph.TensorID {
			return b.Gather("op", b.Weight("table", 1000, cols), x)
		}, rows),
		"attention": func(b *graph.Builder) {
			q, k, v := b.Input("q", 2, 4, rows, 32), b.Cache("k", 2, rows, 32), b.Cache("v", 2, rows, 32)
			b.Output(b.Op("op", graph.Attention{Batch: 2, Group: 4, Queries: rows, Keys: rows, Size: 32, Value: 32}, []graph.TensorID{q, k, v}, 2, 4, rows, 32))
		},
		"attention_back": func(b *graph.Builder) {
			of := func(name string) graph.TensorID { return b.Input(name, 2, 4, rows, 32) }
			keys := func(name string) graph.TensorID { return b.Input(name, 2, rows, 32) }
			k := graph.AttentionBackward{Attention: graph.Attention{Batch: 2, Group: 4, Queries: rows, Keys: rows, Size: 32, Value: 32, Partial: graph.LogSumExp}}
			b.Into("op", k, []graph.TensorID{of("q"), keys("k"), keys("v"), of("out"), b.Input("sums", 2, 4, rows, 1), of("d")},
				b.Tensor("dq", graph.Output, 2, 4, rows, 32), b.Tensor("dk", graph.Output, 2, rows, 32), b.Tensor("dv", graph.Output, 2, rows, 32))
		},
		"recurrence": func(b *graph.Builder) {
			state := b.Cache("state", 2, 4, 32, 16)
			y := b.Tensor("op", graph.Output, 2, rows, 4, 32)
			b.Into("op", graph.Recurrence{Func: "state_space", Batch: 2, Sequence: rows, Heads: 4, Size: 32, State: 16}, []graph.TensorID{b.Input("x", 2, rows, 4, 32), state}, y, b.Tensor("next", graph.Output, 2, 4, 32, 16))
		},
		"merge": func(b *graph.Builder) {
			sums, statistics := b.Input("sums", 2, rows, cols), b.Input("statistics", 2, rows, 1)
			b.Output(b.Op("op", graph.Merge{Rows: rows, Cols: cols, Pieces: 2 * rows, Statistics: graph.LogSumExp}, []graph.TensorID{sums, statistics}, rows, cols))
		},
	}
	for _, name := range graph.Norms() {
		out["norm "+name] = one(func(b *graph.Builder, x graph.TensorID) graph.TensorID {
			return b.Op("op", graph.Norm{Func: name, Rows: rows, Cols: cols}, []graph.TensorID{x, b.Weight("weight", cols)}, rows, cols)
		}, rows, cols)
	}
	return out
}

func build(t *testing.T, name string) *graph.Graph {
	b := graph.NewBuilder("sample")
	samples()[name](b)
	return finish(t, b)
}

func finish(t *testing.T, b *graph.Builder) *graph.Graph {
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	return g
}

// A sampleReader reads files that name one of the samples, so that a run can have any kind of
// operator.
type sampleReader struct{}

func (sampleReader) Sniff(_ string, head []byte) int {
	if strings.HasPrefix(string(head), "sample: ") {
		return 100
	}
	return 0
}

func (sampleReader) Read(src format.Source, _ format.Options) (*graph.Graph, error) {
	text, err := src.ReadAll(100)
	if err != nil {
		return nil, err
	}
	b := graph.NewBuilder("sample")
	samples()[strings.TrimPrefix(string(text), "sample: ")](b)
	return b.Graph()
}

func init() {
	format.All.Add(registry.Entry[format.Reader]{Name: "sample", Doc: "One operator of a kind.", Source: "none: a test", New: sampleReader{}})
}

// Every kind of operator, and every normalisation, has a sample.
func TestEveryKindHasASample(t *testing.T) {
	have := samples()
	for _, k := range graph.ComputeTypes() {
		_, ok := have[k]
		require.True(t, ok || k == "norm", "kind %s has no sample in this file: add one, and the tests below try it everywhere", k)
	}
}

// An executor takes time for every kind of operator that it does not refuse by name.
func TestEveryKindTakesTime(t *testing.T) {
	const memory = "  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}\nlinks: [Core -> Mem]\n"
	executors := map[string]string{
		"systolic tile":     "  - {name: Core, kind: systolic, rows: 32, cols: 32}\n" + memory,
		"systolic analytic": "  - {name: Core, kind: systolic, fidelity: analytic, rows: 32, cols: 32}\n" + memory,
		"tpu_v4":            "  - {name: Core, kind: systolic, preset: tpu_v4}\n" + memory,
		"gpu":               "  - {name: Core, kind: gpu, preset: h100}\n",
		"roofline":          "  - {name: Core, kind: roofline, compute: 1TFLOP/s, memory: 100GB/s}\n",
	}
	dir := t.TempDir()
	for kind := range samples() {
		file := filepath.Join(dir, strings.ReplaceAll(kind, " ", "_")+".txt")
		require.NoError(t, os.WriteFile(file, []byte("sample: "+kind), 0o666))
		g := build(t, kind)
		for name, nodes := range executors {
			t.Run(kind+" on "+name, func(t *testing.T) {
				text := fmt.Sprintf("schema: causeway/1\nworkload: {file: %s, dtype: bf16}\nnodes:\n%s", file, nodes)
				x, err := experiment.Parse("test.yaml", []byte(text), experiment.Options{})
				if kind == "attention_back" && name != "gpu" && name != "roofline" {
					require.ErrorContains(t, err, "cannot carry out op, the backward pass of attention as one operator")
					return
				}
				require.NoError(t, err)
				r, _, err := x.Run(context.Background(), func(experiment.Live) {})
				require.NoError(t, err)
				m, ok := r.Metric("", "total_time")
				require.True(t, ok)
				work := float64(g.Footprint(&g.Ops[0]).Bytes())
				require.Positive(t, work)
				if name != "gpu" && name != "tpu_v4" { // their memories have rates of their own
					require.GreaterOrEqual(t, m.Value, 0.99*work/100, "ns for %g bytes at 100 GB/s", work)
				}
				require.Positive(t, m.Value)
			})
		}
	}
}

// Ranks share every kind beside two products, or refuse it by name: what one rank does, times
// the ranks, is no less than the whole.
func TestEveryKindIsSharedOrRefused(t *testing.T) {
	for kind, sample := range samples() {
		b := graph.NewBuilder("sample")
		sample(b)
		b.Output(b.Linear("down", b.Linear("up", b.Input("y", 64, 128), 256), 128))
		g := finish(t, b)
		s, err := parallel.Tensor(g, parallel.Tensors{Ranks: 2})
		if kind == "conv" {
			require.ErrorContains(t, err, "a convolution is not cut among ranks")
			continue
		}
		if kind == "attention_back" {
			require.ErrorContains(t, err, "there is no rule that cuts attention_back among ranks")
			continue
		}
		require.NoError(t, err, kind)
		require.GreaterOrEqual(t, 2*s.Graph.VectorOps(), g.VectorOps(), kind)
		require.GreaterOrEqual(t, 2*s.Graph.MACs(), g.MACs(), kind)
		require.Less(t, s.Graph.MACs(), g.MACs(), kind)
	}
}
