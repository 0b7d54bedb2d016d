package experiment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// fused is a small network on two unlike cores before a scratchpad.
const Fused = `
workload: {model: resnet18, image: 64}
mapping:
  objective: traffic
  assign: {rules: [{type: conv, core: Big}, {match: "*", core: Small}]}
  fusion: {search: dp}
nodes:
  - {name: Schedule, kind: schedule, grain: operator, ahead: 4}
  - {name: Big, kind: systolic, on_chip: none, rows: 32, cols: 32, sram: {ifmap: 4MiB, filter: 4MiB, ofmap: 4MiB}}
  - {name: Small, kind: systolic, on_chip: none, dataflow: os, rows: 16, cols: 16, sram: {ifmap: 4MiB, filter: 4MiB, ofmap: 4MiB}}
  - {name: Net, kind: network, fidelity: packet, topology: {name: crossbar, terminals: 4}, clock: 1GHz, width: 128B}
  - {name: Pad, kind: scratchpad, capacity: 24KiB}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 80ns, bandwidth: 6.4GB/s, size: 1GiB}
links:
  - Schedule -> Big
  - Schedule -> Small
  - Big -> Net
  - Small -> Net
  - Net -> Pad
  - Net -> Mem
memory:
  - {tier: dram, node: Mem, base: 0GiB, size: 1GiB}
  - {tier: pad, node: Pad, base: 4GiB}
placement: {default: dram}
`

func bytesOf(t *testing.T, r *result.Result, node string) float64 {
	a, ok := r.Metric(node, "read_bytes")
	require.True(t, ok)
	b, _ := r.Metric(node, "write_bytes")
	return a.Value + b.Value
}

// What the plan says of bytes from and to memory is what the memory sees; fusion moves
// fewer, and less the more room there is.
func TestFusionMovesWhatItPlans(t *testing.T) {
	run := func(set ...string) (off float64) {
		r, err := scheduled(t, Fused, experiment.Options{Set: set})
		require.NoError(t, err)
		var pieces, planned int64
		for _, w := range r.Warnings {
			var ops, groups, peak int64
			if n, _ := fmt.Sscanf(w, "mapping.fusion: %d operators in %d groups, %d pieces, at most %d B of the scratchpad; by the plan %d B", &ops, &groups, &pieces, &peak, &planned); n == 5 {
				require.LessOrEqual(t, float64(peak), 1048576.)
			}
		}
		off = bytesOf(t, r, "Mem")
		require.EqualValues(t, planned, off, "%v", set)
		return off
	}
	alone := run("mapping.fusion={search: none, between: memory}")
	kept := run("mapping.fusion={search: none}")
	both := run()
	require.Less(t, kept, alone)
	require.Less(t, both, kept)
	require.Less(t, run("Pad.capacity=128KiB"), both)
	require.GreaterOrEqual(t, run("mapping.fusion={search: dp, weights: stream}"), both)
	run("mapping.fusion={search: dp, halo: recompute}")
}

// The bytes of a fused run do not depend on the engine or on ties.
func TestFusionIsDeterministic(t *testing.T) {
	bytes := func(o experiment.Options) string {
		o.Set = []string{`mapping.fusion={groups: [["res2_*"], ["res3_*"]], tiles: 4}`, "Pad.capacity=128KiB"}
		r, err := scheduled(t, Fused, o)
		require.NoError(t, err)
		return string(result.MetricsCSV(r.Metrics)) + string(result.TableCSV(r.Layers))
	}
	first := bytes(experiment.Options{})
	require.True(t, strings.Contains(first, "res2_0_a.3,"))
	for _, engine := range []string{"parallel", "shuffle:1", "shuffle:2"} {
		require.Equal(t, first, bytes(experiment.Options{Engine: engine}), engine)
	}
}

// What cannot be is said before the first event, where it stands.
func TestFusionRefuses(t *testing.T) {
	for set, want := range map[string]string{
		`mapping.fusion={groups: [[conv1, res2_0_a]]}`:                  "mapping.fusion.groups[0]: is cyclic: group 0 (conv1...) waits for pool1 waits for group 0 (conv1...)",
		`mapping.fusion={groups: [[conv1, pool1], ["res2_*", pool1]]}`:  "mapping.fusion.groups[1]: pool1 is in group 0 too",
		`mapping.fusion={groups: [[conv1, pool2]]}`:                     `mapping.fusion.groups[0][1]: no operator "pool2" (want one of: conv1, pool1, `,
		`mapping.fusion={groups: [[conv1, pool1, "res2_*"]], tiles: 2}`: "B of the scratchpad while",
		`mapping.fusion={search: exhaustive}`:                           "can be cut in 2^38 ways",
		`mapping.fusion={search: best}`:                                 "want one of: none, dp, exhaustive",
		`mapping.fusion={longest: 3}`:                                   "mapping.fusion.longest: has no effect without a search",
		`mapping.fusion={search: dp, groups: [[conv1]]}`:                "mapping.fusion.groups: has no effect with search dp",
		`workload.frames=2`:                                             "the scratchpad is planned for one request",
	} {
		_, err := scheduled(t, Fused, experiment.Options{Set: []string{set}})
		require.ErrorContains(t, err, want, set)
	}
	_, err := scheduled(t, pair, experiment.Options{Set: []string{"mapping.fusion={search: dp}"}})
	require.ErrorContains(t, err, "mapping.fusion: there is no node of kind scratchpad")
}
