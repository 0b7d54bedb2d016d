package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// at are the metrics of some nodes, a line each.
func at(r *result.Result, nodes ...string) string {
	var b strings.Builder
	for _, m := range r.Metrics {
		for _, n := range nodes {
			if m.Where == n {
				fmt.Fprintln(&b, m.Phase, m.Where, m.Name, result.Number(m.Value), m.Unit)
			}
		}
	}
	return b.String()
}

// What crossed LLC.top, played by a driver into the same cache, gives every metric of
// cache and memory again: hits, misses and bytes, by kind and by tensor, and, since the
// trace has times, latencies and DRAM commands. dco lives on tensors and reuse hints.
func TestACaptureReplaysAsTheRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fidelity, policy string }{{"timed", "lru"}, {"timed", "dco"}, {"functional", "dco"}} {
		dir := t.TempDir()
		llc := "LLC.policy.name=" + c.policy
		set := append(small(t, dir), "LLC.size=8KiB", "LLC.slices=1", "LLC.ways=4", llc, "LLC.fidelity="+c.fidelity, "simulation={record: {requests: [LLC.top, LLC.bottom, Core.mem]}}")
		example := filepath.Join(repository(t), "configs", "examples", "resnet50_cache.yaml")
		run := func(file string, set []string) *result.Result {
			t.Helper()
			x, err := experiment.Load(file, experiment.Options{Set: set})
			require.NoError(t, err)
			r, p, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			require.Empty(t, r.Warnings)
			require.NoError(t, r.WriteDir(filepath.Join(dir, "out"), p))
			return r
		}
		first := run(example, set)
		quiet := run(example, set[:len(set)-1])
		require.Equal(t, at(quiet, "Core", "LLC", "Mem"), at(first, "Core", "LLC", "Mem"), "recording changes a result")
		require.NoFileExists(t, filepath.Join(dir, "out", "LLC.top.trace"), "of the run before")
		first = run(example, set)
		hits, ok := first.Metric("LLC", "hits")
		require.True(t, ok)
		require.NotZero(t, hits.Value)

		text, err := os.ReadFile(example)
		require.NoError(t, err)
		nodes := string(text[strings.Index(string(text), "  - name: LLC"):])
		replay := func(trace, to string, nodes string) *result.Result {
			file := filepath.Join(dir, "replay.yaml")
			body := "schema: causeway/1\nnodes:\n  - {name: Driver, kind: driver, mode: timed, trace: out/" + trace + "}\n" +
				strings.Replace(nodes, "  - Core -> LLC.top\n", "  - Driver -> "+to+"\n", 1)
			require.NoError(t, os.WriteFile(file, []byte(body), 0o644))
			replayed := []string{"Driver.trace=" + filepath.Join(dir, "kept", trace)}
			if strings.Contains(nodes, "name: LLC") {
				replayed = append(replayed, "LLC.size=8KiB", "LLC.slices=1", "LLC.ways=4", llc, "LLC.fidelity="+c.fidelity)
			}
			return run(file, replayed)
		}
		require.NoError(t, os.Rename(filepath.Join(dir, "out"), filepath.Join(dir, "kept")))
		require.Equal(t, at(first, "LLC", "Mem"), at(replay("LLC.top.trace", "LLC.top", nodes), "LLC", "Mem"), c.fidelity)

		mem := "  - {name: Mem, kind: memory, fidelity: bank, preset: hbm2e}\nlinks:\n  - Driver -> Mem\n"
		below := replay("LLC.bottom.trace", "Mem", mem)
		for _, name := range []string{"reads", "writes", "read_bytes", "write_bytes"} {
			want, ok := first.Metric("Mem", name)
			require.True(t, ok)
			got, _ := below.Metric("Mem", name)
			require.Equal(t, want.Value, got.Value, name)
		}
	}
}

// A port that does not exist, or that no request can cross, is bad input with its
// place; a port that none has crossed is a warning.
func TestRecordOfWrongPorts(t *testing.T) {
	t.Parallel()
	example := filepath.Join(repository(t), "configs", "examples", "resnet50_cache.yaml")
	_, err := experiment.Load(example, experiment.Options{Set: []string{`simulation={record: {requests: [Core.mm, LLB.top, LLC, Core.ops, "LLC[2].top"]}}`}})
	require.Error(t, err)
	for _, want := range []string{
		`simulation.record.requests[0]: there is no port Core.mm (want one of: Core.mem, Core.ops; did you mean "Core.mem"?)`,
		`simulation.record.requests[1]: there is no node LLB (want one of: Core, LLC, Mem)`,
		`simulation.record.requests[2]: LLC names no port (want one of: LLC.top, LLC.bottom; did you mean "LLC.top"?)`,
		`simulation.record.requests[3]: no memory request crosses Core.ops: it carries ops`,
		`simulation.record.requests[4]: LLC[2]: 2 is out of range: there is one element, 0`,
	} {
		require.ErrorContains(t, err, want)
	}
	_, err = experiment.Load(filepath.Join(repository(t), "configs", "examples", "cxl-latency.yaml"), experiment.Options{Set: []string{"simulation={record: {requests: [Path.Root.down]}}"}})
	require.ErrorContains(t, err, "no message crosses Path.Root.down")

	x, err := experiment.Load(example, experiment.Options{Set: append(small(t, t.TempDir()), "Core.fidelity=analytic", "simulation={record: {requests: [LLC.top]}}")})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Contains(t, r.Warnings, "simulation.record: no request crossed LLC.top")
}
