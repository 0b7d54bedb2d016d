package item

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/chain"
	"github.com/causeway-sim/causeway/components/experiment"
	_ "github.com/causeway-sim/causeway/components/std"
	"github.com/causeway-sim/causeway/components/task"
)

// of is a loader of an example.
func of(name string, set ...string) Loader {
	return func(listeners ...task.Listener) (*experiment.Experiment, error) {
		return experiment.Load(filepath.Join("..", "..", "..", "configs", "examples", name), experiment.Options{Set: set, Tasks: listeners})
	}
}

// no is a query of nothing.
var no = Query{Request: -1, Step: -1, Message: -1}

func layer(name string) Query { q := no; q.Layer = name; return q }
func request(n int) Query     { q := no; q.Request = n; return q }
func token(n, k int) Query    { q := request(n); q.Token = k; return q }
func step(n int) Query        { q := no; q.Step = n; return q }
func message(n int) Query     { q := no; q.Message = n; return q }

// flat lists all texts of an answer.
func flat(parts []chain.Part) (out []string) {
	for _, p := range parts {
		out = append(out, p.Where+": "+p.What)
		out = append(out, flat(p.Parts)...)
	}
	return out
}

// What an item waited for is named across cores, caches, memories, links, networks and
// servers, and the parts sum to its latency to the picosecond, in JSON too.
func TestItems(t *testing.T) {
	for _, c := range []struct {
		file  string
		set   []string
		q     Query
		names []string // of parts, besides others
	}{
		{"resnet50_dram.yaml", nil, layer("fc"), []string{"Core: waits for weights", "Mem: bank conflict", "Core: computes", "Core: fills the array"}},
		{"resnet50_cache.yaml", nil, layer("res3_0_b"), []string{"LLC: read", "Mem: read", "Core: stores results"}},
		{"multicore_network.yaml", nil, layer("embed.word"), []string{"Net: terminal", "Far: unloaded latency of the memory"}},
		{"gpu.yaml", nil, layer("lm_head"), []string{"Chip: waits for memory", "Chip: launches the kernel"}},
		{"pipeline.yaml", nil, layer("send res2_2.relu to 1"), []string{"Net: "}},
		{"pipeline.yaml", nil, request(10), []string{"Chip[0]: busy with request", "Chip[0]: conv1"}},
		{"schedule.yaml", nil, request(3), []string{"Big: conv1", "computes"}},
		{"cxl-pool.yaml", nil, request(100), []string{"in a switch", "Pool.Memory: read", "the link Switch.down[0] to Pool.up: is sent"}},
		{"cxl-latency.yaml", nil, request(5), []string{"in bridge and root port"}},
		{"serve.yaml", nil, request(100), []string{"Serve: waits for blocks of keys and values", "attention of all layers"}},
		{"serve.yaml", nil, token(100, Slowest), []string{"Serve: was preempted", "Serve: computes a token"}},
		{"serve.yaml", nil, token(100, 3), []string{"Serve: computes a token"}},
		{"serve.yaml", nil, token(7, WholeRequest), nil},
		{"serve.yaml", nil, step(40), []string{"gate of all layers"}},
		{"llm-cluster.yaml", []string{"chips=2", "prompt=16", "output=3"}, token(0, 1), []string{"Serve: computes a token", "L1.gate", "waits for weights"}},
		{"allreduce.yaml", nil, step(3), []string{"waits for rank"}},
		{"allreduce.yaml", nil, message(3), []string{"hops"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			if testing.Short() && c.file == "multicore_network.yaml" {
				t.Skip("some seconds")
			}
			if c.file == "llm-cluster.yaml" && os.Getenv("CAUSEWAY_LONG") == "" {
				t.Skip("half a minute")
			}
			a, err := Explain(context.Background(), of(c.file, c.set...), c.q, nil)
			require.NoError(t, err)
			require.Greater(t, a.End, a.Begin)
			all := strings.Join(flat(a.Parts), "\n")
			for _, name := range c.names {
				require.Contains(t, all, name)
			}
			whole := chain.Part{Time: a.End - a.Begin, Parts: a.Parts}
			require.True(t, whole.Sums())
			within(t, a.Parts, a.Begin, a.End)
			sumsInJSON(t, a)
			var text strings.Builder
			require.NoError(t, a.Print(&text))
			require.LessOrEqual(t, strings.Count(text.String(), "\n"), 40)
		})
	}
}

// within demands that parts lie in their interval.
func within(t *testing.T, parts []chain.Part, from, to int64) {
	for _, p := range parts {
		require.True(t, from <= p.Begin && p.Begin <= p.End && p.End <= to, "%+v", p)
		require.LessOrEqual(t, p.Time, p.End-p.Begin)
		within(t, p.Parts, p.Begin, p.End)
	}
}

type read struct {
	Latency, Time json.Number
	Parts         []read
}

// picoseconds reads a number of ns without rounding.
func picoseconds(t *testing.T, n json.Number) (v int64) {
	whole, part, _ := strings.Cut(n.String(), ".")
	_, err := fmt.Sscanf(whole+(part + "000")[:3], "%d", &v)
	require.NoError(t, err)
	require.LessOrEqual(t, len(part), 3)
	return v
}

func sumsInJSON(t *testing.T, a *Answer) {
	b, err := a.JSON()
	require.NoError(t, err)
	var r read
	require.NoError(t, json.Unmarshal(b, &r))
	require.Equal(t, a.End-a.Begin, picoseconds(t, r.Latency))
	r.Time = r.Latency
	var sums func(r read)
	sums = func(r read) {
		sum := int64(0)
		for _, p := range r.Parts {
			sum += picoseconds(t, p.Time)
			sums(p)
		}
		if len(r.Parts) > 0 {
			require.Equal(t, picoseconds(t, r.Time), sum)
		}
	}
	sums(r)
}

// What a layer of fidelity tile says of its waits are its columns of stalls, to the cycle.
func TestAgreesWithLayers(t *testing.T) {
	load := of("resnet50_cache.yaml")
	r := newRecorder(always, mostDetail)
	res, err := play(context.Background(), load, nil, r)
	require.NoError(t, err)
	for _, name := range []string{"conv1", "res3_0_b", "res4_2_c", "fc"} {
		f, err := findLayer(res, r, layer(name))
		require.NoError(t, err)
		a, err := f.answer(res, r)
		require.NoError(t, err)
		clock, ok := r.clockOf(0)
		require.True(t, ok)
		sum := map[string]float64{}
		for _, p := range a.Parts {
			sum[p.What] += float64(p.Time) / 1e3 / clock.Nanoseconds(1)
		}
		for column, what := range rowWords {
			if column == "compute_cycles" || strings.HasPrefix(column, "stall_") {
				n, _ := f.row.number(column)
				require.InDelta(t, n, sum[what], 0.1, "%s of %s", column, name)
			}
		}
		require.NotEmpty(t, sum)
	}
}

// Who asks why changes nothing: metrics and tables are the same.
func TestListenersChangeNothing(t *testing.T) {
	for _, file := range []string{"resnet50_dram.yaml", "cxl-pool.yaml", "serve.yaml", "allreduce.yaml", "multicore_network.yaml"} {
		if testing.Short() && file == "multicore_network.yaml" {
			continue
		}
		alone, err := play(context.Background(), of(file), nil)
		require.NoError(t, err)
		heard, err := play(context.Background(), of(file), nil, newRecorder(always, math.MaxInt))
		require.NoError(t, err)
		require.Equal(t, alone.Metrics, heard.Metrics, file)
		require.Equal(t, alone.Layers, heard.Layers, file)
		require.Equal(t, alone.Requests, heard.Requests, file)
	}
}

// If there are too many tasks, a second run keeps those of the item: the answer is the same, for
// tokens too, which are found by the causes of their request.
func TestSecondRun(t *testing.T) {
	for _, c := range []struct {
		file string
		q    Query
	}{
		{"resnet50_dram.yaml", layer("fc")}, {"serve.yaml", token(100, Slowest)},
	} {
		load := of(c.file)
		want, err := Explain(context.Background(), load, c.q, nil)
		require.NoError(t, err)
		runs := 0
		counted := func(l ...task.Listener) (*experiment.Experiment, error) {
			runs++
			return load(l...)
		}
		got, err := explain(context.Background(), counted, c.q, 10, nil)
		require.NoError(t, err, c.file)
		require.Equal(t, 2, runs, c.file)
		require.Equal(t, want.Item, got.Item)
		require.Equal(t, want.Parts, got.Parts, c.file)
	}
}

func TestUnknownItems(t *testing.T) {
	for _, c := range []struct {
		file string
		q    Query
		want string
	}{
		{"gpu.yaml", layer("lmhead"), `layer "lmhead" (did you mean "lm_head"?)`},
		{"gpu.yaml", layer("zzzzzzzzzzzz"), `(want one of: L0.add1, `},
		{"gpu.yaml", request(0), "request 0 (the run has no requests)"},
		{"schedule.yaml", request(34), "request 34 (want one of 0 to 33)"},
		{"schedule.yaml", token(3, 1), "has no tokens"},
		{"serve.yaml", token(7, 5000), "token 5000 of request 7 of Serve (it has tokens 0, the first, to "},
		{"cxl-latency.yaml", layer("conv1"), "the run has no layers"},
		{"cxl-latency.yaml", step(0), "step 0 (the run has no steps)"},
	} {
		_, err := Explain(context.Background(), of(c.file), c.q, nil)
		require.ErrorIs(t, err, ErrUnknown)
		require.ErrorContains(t, err, c.want)
	}
}
