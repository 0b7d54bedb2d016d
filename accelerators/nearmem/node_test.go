package nearmem_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nearmem"
	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

// build makes a system of one node with the given keys.
func build(e sim.Engine, keys string) (*system.System, error) {
	d, err := configs.Parse("test.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Near, kind: nearmem, "+keys+"}\n"), configs.Options{Dir: "."})
	if err != nil {
		return nil, err
	}
	return system.Build(d, &system.Env{Engine: e, Seed: 1})
}

// run simulates and returns the metrics.
func run(t *testing.T, e sim.Engine, keys string) ([]stats.Metric, error) {
	s, err := build(e, keys)
	require.NoError(t, err)
	n := s.Node("Near")
	require.NoError(t, n.(system.Starter).Start())
	err = e.Run()
	if err == nil {
		require.Empty(t, n.Stats().Verify())
	}
	return n.Stats().Metrics(), err
}

func value(t *testing.T, ms []stats.Metric, name string) float64 {
	for _, m := range ms {
		if m.Name == name {
			return m.Value
		}
	}
	t.Fatalf("no metric %s", name)
	return 0
}

// Host and device in a plain Akita program, with Akita's engine. The work is one
// phase of four tasks.
func Example() {
	e := engine.Adopt(sim.NewSerialEngine())
	near := nearmem.MakeBuilder(offload.Program{{
		Name: "sums", Tasks: 4, Task: offload.Cost{Ops: 20000, Read: 1 << 20}, Result: 64, Host: offload.Cost{Ops: 3000},
	}}).WithEngine(e).With(func(s *nearmem.Spec) { s.Protocol = nearmem.Async }).Build("Near")
	e.Watch(near)
	if err := errors.Join(near.Start(), e.Run()); err != nil {
		panic(err)
	}
	for _, m := range near.Stats().Metrics() {
		switch m.Name {
		case "run_time", "dma_requests", "device_idle":
			fmt.Printf("%s %.1f %s\n", m.Name, m.Value, m.Unit)
		}
	}
	// Output:
	// device_idle 14.9 %
	// dma_requests 1.0 request
	// run_time 11750.0 ns
}

// Every engine gives the same values.
func TestEngines(t *testing.T) {
	for _, keys := range []string{"work: sssp", "work: pagerank, out_of_order: false", "work: knn, protocol: rp"} {
		want, err := run(t, engine.New(), keys)
		require.NoError(t, err)
		for name, e := range map[string]sim.Engine{
			"shuffle": engine.New(engine.Shuffle(3)), "serial": engine.Adopt(sim.NewSerialEngine()), "parallel": engine.Adopt(sim.NewParallelEngine()),
		} {
			got, err := run(t, e, keys)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s, %s", name, keys)
		}
	}
}

// Streaming is never slower than waiting, and knows of results by polling before
// an interrupt comes.
// Reference: arXiv 2512.04449, on average 30.21% less time than RP, 26.22% than BS.
func TestOrderOfProtocols(t *testing.T) {
	var rp, bs float64
	works := []string{
		"knn", "{name: knn, dim: 1024, rows: 256}", "{name: knn, dim: 512, rows: 512}", "sssp", "pagerank", "ssb", "{name: ssb, query: q1_2}", "llm", "dlrm",
	}
	for _, w := range works {
		times := map[string]float64{}
		for _, p := range []string{"rp", "bs", "async", "interrupt"} {
			ms, err := run(t, engine.New(), "work: "+w+", protocol: "+p)
			require.NoError(t, err)
			times[p] = value(t, ms, "run_time")
		}
		require.Less(t, times["bs"], times["rp"], w)
		require.Less(t, times["async"], times["bs"], w)
		require.Less(t, times["async"], times["interrupt"], w)
		rp, bs = rp+1-times["async"]/times["rp"], bs+1-times["async"]/times["bs"]
	}
	n := float64(len(works))
	t.Logf("mean reduction: %.2f%% against RP, %.2f%% against BS", 100*rp/n, 100*bs/n)
	require.Greater(t, rp, bs)
	require.InDelta(t, .3021, rp/n, .1)
	require.InDelta(t, .2622, bs/n, .1)
}

// Reference: with 12.5% of the slots the LLM deadlocks; the report names the circle.
func TestDeadlock(t *testing.T) {
	_, err := run(t, engine.New(), "work: llm, ring: {slots: 6250}")
	var stuck *engine.Stuck
	require.ErrorAs(t, err, &stuck)
	require.Equal(t, []string{"Near.device", "Near.host", "Near.device"}, append(stuck.Circle(), stuck.Circle()[0]))
	require.ErrorContains(t, err, "the ring is full (6080 of 6250 slots wait for heads)")
	require.ErrorContains(t, err, "group 0 has 19 of the 32 results (10240 slots)")
	_, err = run(t, engine.New(), "work: llm, ring: {slots: 12500}")
	require.NoError(t, err)
	for _, w := range []string{"knn", "sssp", "pagerank", "ssb", "dlrm"} {
		_, err = run(t, engine.New(), "ring: {slots: 6250}, work: "+w)
		require.NoError(t, err)
	}
}

func TestBuilderPanics(t *testing.T) {
	require.PanicsWithValue(t, "system: Near has no engine", func() { nearmem.MakeBuilder(nil).Build("Near") })
	require.PanicsWithValue(t, "system: Near: nothing is offloaded", func() { nearmem.MakeBuilder(nil).WithEngine(engine.New()).Build("Near") })
}

// A program can be written out.
func TestPhases(t *testing.T) {
	ms, err := run(t, engine.New(), "protocol: bs, phases: [{name: a, tasks: 16, task: {ops: 2000}, result: 1, host: {ops: 3000}}, {name: b, repeat: 2, tasks: 1, before: {tasks: 1, ops: 3}, result: 1, task: {ops: 2}}]")
	require.NoError(t, err)
	require.EqualValues(t, 3, value(t, ms, "launches"))
	// Three launches and ends of 70 ns, loads of 70 ns and their bytes at 63 B/ns;
	// 1000 ns on each side, twice 1 ns of work ahead and of work.
	require.InDelta(t, 3*140+2000+4, value(t, ms, "run_time"), .5)
}

func TestBadConfigurations(t *testing.T) {
	for _, c := range []struct{ keys, err string }{
		{"protocol: bs", "needs either work, as in work: knn, or phases"},
		{"work: knn, phases: [{name: a, tasks: 1, result: 1}]", "needs either work"},
		{"work: kn", `did you mean "knn"?`},
		{"work: {rows: 3}", "nodes.Near.work: has no name"},
		{"work: {name: knn, row: 3}", "unknown key"},
		{"work: {name: knn, dim: 100}", "no multiple of the 16 slices"},
		{"work: knn, protocol: dma", "unknown protocol"},
		{"work: knn, protocol: bs, ring: {slots: 10}", "nodes.Near.ring: has no effect on protocol bs (used by: [async interrupt])"},
		{"work: knn, protocol: interrupt, local_polling: 1us", "nodes.Near.local_polling: has no effect on protocol interrupt"},
		{"work: knn, link: {rate: 64}", "nodes.Near.link.rate: has no effect without flit"},
		{"work: knn, link: {flit: 68B, bandwidth: 10GB/s}", "nodes.Near.link.bandwidth: has no effect on a link of flits"},
		{"work: knn, link: {flit: 68B, rate: 64}", "nodes.Near.link: 64 GT/s has flits of 256 B only"},
		{"work: knn, remote_polling: 1us", "nodes.Near.remote_polling: has no effect on protocol async"},
		{"work: knn, local_polling: 0ns", "nodes.Near.local_polling: is 0, or less"},
		{"work: knn, ring: {slot: 0B}", "nodes.Near.ring: is 0, or less"},
		{"work: llm, ring: {slots: 100}", "takes 320 slots, and the ring has 100"},
		{"work: knn, host: {units: 0}", "units"},
		{"work: knn, interrupt: 2000s, protocol: interrupt", "is 2000s (at most 1000s)"},
		{"work: knn, device: {clock: 1Hz}", "too long for a clock of picoseconds"},
		{"work: knn, link: {bandwidth: 1bit/s}", "too long for a clock of picoseconds"},
		{"work: {name: knn, dim: 65536, rows: 10000000, slices: 65536}", "more than 10000000"},
		{"work: {name: llm, tokens: 1000000, block: 1, heads: 1000, width: 1000}", "more than 10000000"},
		{"phases: [{name: a, tasks: 0, result: 1}]", "tasks"},
	} {
		_, err := build(engine.New(), c.keys)
		require.ErrorContains(t, err, c.err, c.keys)
		require.ErrorContains(t, err, "test.yaml:3:", c.keys)
	}
}

// Whatever a configuration says, it is refused or it can be started.
func FuzzConfiguration(f *testing.F) {
	f.Add("work: knn, protocol: rp")
	f.Add("phases: [{name: a, tasks: 3, task: {ops: 1, read: 2}, result: 9, gather: 2, split: 2, width: 1}], ring: {slot: 3B, slots: 7}")
	f.Add("work: {name: knn, dim: 16, rows: 2}, host: {units: 1}, link: {bandwidth: 1B/s}")
	f.Fuzz(func(t *testing.T, keys string) {
		if len(keys) > 300 {
			return
		}
		e := engine.New()
		s, err := build(e, keys)
		if err != nil {
			return
		}
		for _, n := range s.Nodes() {
			if x, ok := n.(*nearmem.Comp); ok {
				require.NoError(t, x.Start())
			}
		}
		_ = e.RunUntil(1e-6)
	})
}
