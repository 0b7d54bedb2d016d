package traffic_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

// MIN under ADV+1 carries 1/(ap), whatever is offered, and every source gets its
// share. Reference: Kim et al., ISCA 2008, section 4.
func TestSaturated(t *testing.T) {
	m := pair(t, df72, "pattern: adv+1, load: 0.4").run(t)
	require.EqualValues(t, 1, m["saturated"])
	require.InEpsilon(t, .125, m["accepted_load"], .01)
	require.Greater(t, m["packet_latency_mean"], 500.)
	require.Less(t, m["source_load_min"], m["source_load_max"])
	require.Less(t, m["source_fairness"], 1.)
	require.NotContains(t, m, "drain.cycles")
	require.Contains(t, pair(t, df72, "pattern: adv+1, load: 0.4").verdict(t), "is saturated: of 0.4 flits per terminal and cycle it accepts 0.125")
}

func (b *bench) verdict(t testing.TB) string {
	b.run(t)
	return b.sys.Node("Traffic").(interface{ Summarize() string }).Summarize()
}

// A search finds the load beyond which ADV+1 saturates, and says how sure it is.
func TestSearch(t *testing.T) {
	b := pair(t, df72, "pattern: adv+1, search: {repeats: 2, precision: 0.02}, rules: {sample: 400}")
	m := b.run(t)
	require.InDelta(t, .125, m["saturation_load"], .02)
	require.Less(t, m["saturation_load_low"], m["saturation_load"])
	require.Greater(t, m["saturation_load_high"], m["saturation_load"])
	require.Less(t, m["saturation_load_high"]-m["saturation_load_low"], .4)
	require.EqualValues(t, 2*7, m["all.trials"]) // the full load, then six halvings
	require.NotContains(t, m, "packet_latency_mean")
	require.Contains(t, b.sys.Node("Traffic").(interface{ Summarize() string }).Summarize(), "Net saturates at a load of 0.1")
}

// Without a precision a search goes to a fiftieth of the load, however small that is.
// MIN at ADV+1 carries 1/(a p), which the interval has in it and what is accepted is.
func TestSearchCoversTruth(t *testing.T) {
	for topology, want := range map[string]float64{
		df72: .125, "topology: {name: dragonfly, p: 3, a: 6, h: 1}, router: {preset: booksim}": 1. / 18,
	} {
		m := pair(t, topology, "pattern: adv+1, search: {repeats: 2}").run(t)
		require.InEpsilon(t, want, m["saturation_accepted"], .01, topology)
		require.InEpsilon(t, want, m["saturation_load"], .05, topology)
		require.LessOrEqual(t, m["saturation_load_low"], want*1.001, topology)
		require.Less(t, m["saturation_load_high"], want*1.08, topology)
	}
}

// On-off sources offer alpha/(alpha+beta) at most: what carries that does not saturate.
// Their numbers scatter, which is no sign of saturation.
func TestSearchOfBursts(t *testing.T) {
	b := pair(t, "topology: {name: mesh, dims: [4, 4]}", "search: {repeats: 2}, process: {name: on_off, alpha: 0.02, beta: 0.06}")
	m := b.run(t)
	require.InDelta(t, .25, m["saturation_load"], 1e-12)
	require.InDelta(t, .25, m["saturation_load_high"], 1e-12)
	require.EqualValues(t, 2, m["all.trials"])
	require.Contains(t, b.sys.Node("Traffic").(interface{ Summarize() string }).Summarize(), "Net does not saturate: it carries 0.2500 flits")
}

// An answer follows every packet: twice the packets, and a round trip is two
// latencies and the cycle in between.
func TestReplies(t *testing.T) {
	m := pair(t, "topology: {name: mesh, dims: [4, 4]}", "pattern: uniform, load: 0.02, reply: 3").run(t)
	require.InEpsilon(t, .02+.06, m["accepted_load"], .05)
	require.InEpsilon(t, 2*m["packet_latency_mean"], m["round_trip_mean"], .03)
}

// Bursts leave the load as it is and make packets wait.
func TestBursts(t *testing.T) {
	mesh := "topology: {name: mesh, dims: [4, 4]}"
	smooth := pair(t, mesh, "load: 0.2, rules: {sample: 4000}").run(t)
	bursty := pair(t, mesh, "load: 0.2, rules: {sample: 4000}, process: {name: on_off, alpha: 0.01, beta: 0.03}").run(t)
	rows := pair(t, mesh, "load: 0.2, rules: {sample: 4000}, process: {length: 16}").run(t)
	require.InEpsilon(t, smooth["accepted_load"], bursty["accepted_load"], .05)
	require.InEpsilon(t, smooth["accepted_load"], rows["accepted_load"], .03)
	require.Greater(t, bursty["packet_latency_mean"], smooth["packet_latency_mean"]+.5)
	require.Greater(t, rows["packet_latency_p99"], smooth["packet_latency_p99"])
}

// The pattern changes while the run goes on: what was near comes to be far.
func TestChanges(t *testing.T) {
	mesh := "topology: {name: mesh, dims: [8, 8]}"
	rules := "load: 0.05, rules: {sample: 2000, warmup: 1, samples: 3}"
	near := pair(t, mesh, "pattern: neighbor, "+rules).run(t)
	far := pair(t, mesh, "pattern: bitcomp, "+rules).run(t)
	both := pair(t, mesh, "pattern: neighbor, "+rules+", changes: [{at: 4000, pattern: bitcomp}]").run(t)
	require.InEpsilon(t, (near["hops_mean"]+far["hops_mean"])/2, both["hops_mean"], .03)
	off := pair(t, mesh, "pattern: uniform, "+rules+", changes: [{at: 4000, load: 0}]").run(t)
	require.InEpsilon(t, .025, off["accepted_load"], .05)
	require.NotContains(t, off, "offered_load")
}

// Nothing waits at a source without a queue: latency is the network's.
func TestNoQueue(t *testing.T) {
	m := pair(t, df72, "pattern: adv+1, load: 0.5, process: {queue: none}, rules: {limit: 0, count: arrived, samples: 4}").run(t)
	require.InEpsilon(t, .125, m["accepted_load"], .01)
	require.Zero(t, m["saturated"])
}

// A permutation from a file; a mix by percent.
func TestFilesAndMixes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "to.txt")
	require.NoError(t, os.WriteFile(path, []byte("1 # a neighbour\n0\n-\n\n2\n"), 0o600))
	net := "topology: {name: mesh, dims: [4]}"
	m := pair(t, net, fmt.Sprintf("pattern: {name: permutation, file: %q}, load: 0.2", path)).run(t)
	require.EqualValues(t, 1, m["hops_mean"])
	require.InEpsilon(t, .15, m["accepted_load"], .03) // one of four is silent
	m = pair(t, net, fmt.Sprintf("pattern: [{name: permutation, file: %q, percent: 50}, {name: uniform, percent: 50}], load: 0.2", path)).run(t)
	require.Greater(t, m["hops_mean"], 1.)
	require.NoError(t, os.WriteFile(path, []byte("1\n0\n"), 0o600))
	_, err := try(net, fmt.Sprintf("pattern: {name: permutation, file: %q}", path))
	require.ErrorContains(t, err, "the permutation has 2 lines, the network 4 terminals")
	require.NoError(t, os.WriteFile(path, []byte("1\nx\n"), 0o600))
	_, err = try(net, fmt.Sprintf("pattern: {name: permutation, file: %q}", path))
	require.ErrorContains(t, err, `line 2: "x" is no terminal`)
}

// The same bytes whatever order equal times are run in.
func TestTiesDoNotMatter(t *testing.T) {
	a := pair(t, df72+", routing: {name: ugal_l}", "pattern: adv+1, load: 0.2, reply: 2, rules: {sample: 300}").run(t)
	for seed := range uint64(3) {
		b := pair(t, df72+", routing: {name: ugal_l}", "pattern: adv+1, load: 0.2, reply: 2, rules: {sample: 300}", engine.Shuffle(seed)).run(t)
		require.Equal(t, a, b)
	}
}

// An interrupted run has the metrics of what it has seen.
func TestInterrupted(t *testing.T) {
	b := pair(t, df72, "load: 0.1")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, b.start(ctx), context.Canceled)
	require.NotContains(t, b.metrics(), "accepted_load")
	done, total := b.sys.Node("Traffic").(interface{ Progress() (int64, int64) }).Progress()
	require.Less(t, done, total)
	require.NotEmpty(t, b.sys.Node("Traffic").(engine.Waiter).Waiting())
}

func FuzzPattern(f *testing.F) {
	for _, s := range []string{"uniform", "adv+1", "{name: hotspot, terminals: [1], percent: 5}", "[{name: uniform, percent: 100}]", "{name: stencil, dims: [2, 2]}", "[]", "{}", "{name: adv+x}", "[[1]]", "null"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := configs.Parse("f.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Net, kind: network, fidelity: flit, topology: {name: mesh, dims: [2, 2]}}\n  - name: Traffic\n    kind: traffic\n    pattern: "+s+"\nlinks:\n  - Traffic -> Net\n"), configs.Options{Dir: t.TempDir()})
		if err == nil {
			_, _ = system.Build(d, &system.Env{Engine: engine.New()})
		}
	})
}

// BenchmarkRun reports cycles and flit-hops per second, messages included.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ name, net, load string }{
		{"72/min/0.4", df72, "load: 0.4, rules: {warmup: 1, samples: 2, sample: 3000}"},
		{"1056/min/0.3", "topology: {name: dragonfly, p: 4, a: 8, h: 4}, router: {preset: booksim}", "load: 0.3, rules: {warmup: 1, samples: 2, sample: 500}"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var hops, cycles float64
			for b.Loop() {
				x := pair(b, c.net, c.load)
				cycles += x.run(b)["all.simulated_cycles"]
				for _, m := range x.sys.Node("Net").Stats().Metrics() {
					if m.Name == "flit_hops" {
						hops += m.Value
					}
				}
			}
			b.ReportMetric(hops/b.Elapsed().Seconds(), "flit-hops/s")
			b.ReportMetric(cycles/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}
