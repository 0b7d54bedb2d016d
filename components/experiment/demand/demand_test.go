package demand_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func decode(t *testing.T, text string) (*configs.Document, []*demand.Workload, error) {
	t.Helper()
	doc, err := configs.Parse("a.yaml", []byte("schema: causeway/1\n"+text), configs.Options{})
	require.NoError(t, err)
	ws, err := demand.Decode(doc)
	return doc, ws, err
}

func one(t *testing.T, section string) *demand.Workload {
	t.Helper()
	_, ws, err := decode(t, "workload: "+section)
	require.NoError(t, err)
	require.Len(t, ws, 1)
	return ws[0]
}

// The work of a model on several ranks is that of the whole, however they share it; only what
// every rank of tensor does (norms, no products) is there more than once.
func TestRanksShareTheWork(t *testing.T) {
	whole := one(t, "{model: llama3_8b, layers: 0..3, phase: decode, context: 256, batch: 8}")
	for _, parallel := range []string{"{tensor: 2}", "{tensor: 8}", "{pipeline: 2}", "{pipeline: 4}", "{tensor: 2, pipeline: 2}", "{tensor: 4, sequence: true}"} {
		w := one(t, "{model: llama3_8b, layers: 0..3, phase: decode, context: 256, batch: 8, parallel: "+parallel+"}")
		n := w.Spec.Parallel.Ranks()
		ranks, err := w.Ranks(n, n)
		require.NoError(t, err, parallel)
		require.Len(t, ranks, n)
		var macs int64
		for k, r := range ranks {
			require.Equal(t, k, r.Rank)
			macs += r.Graph.MACs()
		}
		require.Equal(t, whole.Graph.MACs(), macs, parallel)
	}
	w := one(t, "{model: llama3_8b, phase: decode, parallel: {tensor: 4}}")
	_, err := w.Ranks(8, 2)
	require.ErrorContains(t, err, "workload.parallel.tensor: is 4 chips, and the schedule is linked to 2 nodes of kind nic")
	_, err = w.Ranks(6, 4)
	require.ErrorContains(t, err, "is 4 chips, which 6 nodes do not share evenly")
}

// Requests arrive at the times of their section; chance leaves some of them out, the same ones
// for the same seed.
func TestRequests(t *testing.T) {
	text := "{model: alexnet, arrival: 5us, arrivals: {name: periodic, period: 10us}, frames: 40, probability: 0.5}"
	made := func(seed uint64) *demand.Workload {
		w := one(t, text)
		times, err := w.Arrivals(seed, nil)
		require.NoError(t, err)
		require.Len(t, times, 40)
		for i, at := range times {
			require.Equal(t, 5*units.Microsecond+units.Time(i)*10*units.Microsecond, at)
		}
		w.Times = times
		require.NoError(t, w.Draw(seed))
		require.Equal(t, 40, w.Possible())
		require.Len(t, w.Nth, len(w.Times))
		require.EqualValues(t, len(w.Times), w.Repeats())
		for i, n := range w.Nth {
			require.Equal(t, times[n], w.Times[i])
		}
		return w
	}
	require.Equal(t, made(1).Nth, made(1).Nth)
	require.NotEqual(t, made(1).Nth, made(2).Nth)
	require.Greater(t, len(made(1).Nth), 8)
	require.Less(t, len(made(1).Nth), 32)
}

// A workload waits for one that is there, makes as many requests and does not wait for it.
func TestAfter(t *testing.T) {
	check := func(sections ...string) (out []string) {
		_, ws, err := decode(t, "workloads: ["+strings.Join(sections, ", ")+"]")
		require.NoError(t, err)
		for _, w := range ws {
			if w.Times, err = w.Arrivals(1, nil); err != nil {
				t.Fatal(err)
			}
			if err := w.CheckAfter(ws); err != nil {
				out = append(out, err.Error())
			}
		}
		return out
	}
	a, b := "{name: a, model: alexnet, frames: 2%}", "{name: b, model: alexnet, frames: 2, after: a}"
	plain := strings.Replace(a, "%", "", 1)
	require.Empty(t, check(plain, b))
	require.Len(t, check(strings.Replace(a, "%", ", after: b", 1), b), 2, "a circle")
	require.Contains(t, check(strings.Replace(plain, "2", "3", 1), b)[0], "b has 2 requests and a 3")
	require.Contains(t, check(plain, strings.Replace(b, "after: a", "after: c", 1))[0], `unknown workload "c"`)
}

// Attention becomes one operator where all of it fits; what does not fit is a note, or an error
// where the section asks for it.
func TestFuseAttention(t *testing.T) {
	attentions := func(w *demand.Workload) (n int) {
		for i := range w.Graph.Ops {
			if strings.Contains(w.Graph.Ops[i].Name, "softmax") {
				n++
			}
		}
		return n
	}
	w := one(t, "{model: bert_base, layers: 0..1, batch: 1}")
	require.Equal(t, demand.Fused, w.Attention())
	require.Positive(t, attentions(w))
	require.NoError(t, w.FuseAttention(fits))
	require.Zero(t, attentions(w))

	w = one(t, "{model: bert_base, layers: 0..1, batch: 1}")
	before := attentions(w)
	require.NoError(t, w.FuseAttention(tooLarge))
	require.Equal(t, before, attentions(w))
	require.Contains(t, strings.Join(w.Graph.Notes, "\n"), "attention is not one operator: too large")

	w = one(t, "{model: bert_base, layers: 0..1, batch: 1, attention: fused}")
	require.ErrorContains(t, w.FuseAttention(tooLarge), "workload.attention: attention is not one operator: too large")
	require.Equal(t, demand.Unfused, one(t, "{model: gpt2, batch: 1, sequence: 64, training: {}}").Attention())
}

// Errors of a section name the key.
func TestRefused(t *testing.T) {
	for section, want := range map[string]string{
		"{model: nobody}": `workload.model: unknown model "nobody"`,
		"{}":              "a workload needs model:, file: or ops:",
		"{model: alexnet, ops: [{op: gemm, m: 1, n: 1, k: 1}]}": "there is a list of operators too",
		"{model: bert_base, layers: 11..12}":                    "layers 11..12",
		"{model: alexnet, experts: even}":                       "workload.experts: has no effect on alexnet",
		"{model: alexnet, ranks: 2}":                            "workload.ranks: has no effect on a model",
		"{model: alexnet, unknown: {Foo: free}}":                "workload.unknown: has no effect on a built-in model",
		"{model: alexnet, symbols: {N: 3}}":                     "a built-in model has no symbolic dimensions",
		"{model: alexnet, dtype: mxfp3}":                        `workload.dtype: unknown data type "mxfp3"`,
		"{model: alexnet, sparsity: 5:4}":                       "workload.sparsity: ",
	} {
		_, _, err := decode(t, "workload: "+section)
		require.ErrorContains(t, err, want, section)
	}
}

func fits(*graph.Op, *graph.Graph) error { return nil }

func tooLarge(*graph.Op, *graph.Graph) error { return errors.New("too large") }
