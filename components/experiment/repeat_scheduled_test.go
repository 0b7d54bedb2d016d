package experiment

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

const scheduledRepeats = `schema: causeway/1
workload: {model: gpt2, sequence: 16, dtype: int8, layers: 0..9}
nodes:
  - {name: Core, count: 1, %}
  - {name: Schedule, kind: schedule}
`

const chipsRepeat = `schema: causeway/1
workload: {model: gpt2, sequence: 16, dtype: int8, layers: 0..9, parallel: {tensor: 2}}
nodes:
  - {name: Core, kind: systolic, count: 2, rows: 32, cols: 32, sram: {ifmap: 256KiB, filter: 256KiB, ofmap: 256KiB}, dma: {burst: 4KiB}}
  - {name: Nic, kind: nic, count: 2, bandwidth: 10GB/s, overhead: 500ns}
  - {name: Net, kind: network, topology: {name: ring, size: 2}, energy: {byte: 1pJ}}
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}
links: [Core.mem -> Mem, Schedule -> Core.ops, Schedule -> Nic.ops, Nic.net -> Net]
`

func bothWays(t *testing.T, text string, set ...string) (full, some *result.Result) {
	run := func(set []string) *result.Result {
		x, err := Parse("repeats", []byte(text), Options{Set: set})
		require.NoError(t, err, set)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err, set)
		return r
	}
	return run(set), run(append(set, "simulation.repeat=sampled"))
}

// Layers that a schedule issues are taken for what those before them took, on any
// executor: time, energy and all that is counted is that of the full run, but for a message
// each way at every layer that is simulated.
func TestLayersOfAScheduleRepeat(t *testing.T) {
	const behind = "  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}\nlinks: [Core.mem -> Mem, Schedule -> Core.ops]\n"
	const alone = "links: [Schedule -> Core]\n"
	core := "kind: systolic, rows: 32, cols: 32, sram: {ifmap: 256KiB, filter: 256KiB, ofmap: 256KiB}, dma: {burst: 4KiB}"
	for _, c := range [][2]string{
		{core, behind}, {core + ", fidelity: analytic", behind}, {"kind: systolic, preset: tpu_v4", behind},
		{"kind: gpu, preset: a100, fidelity: tile, l2: none", behind}, {"kind: gpu, preset: a100", alone},
		{"kind: roofline, power: 3W", alone}, {"kind: roofline, power: 3W, prefetch: 2", alone}, {"kind: lanes, memory: 50GB/s", alone},
	} {
		full, some := bothWays(t, strings.Replace(scheduledRepeats, "%", c[0], 1)+c[1])
		require.Len(t, some.Metrics, len(full.Metrics), c[0])
		for i, m := range full.Metrics {
			require.Equal(t, m.Name, some.Metrics[i].Name)
			if m.Name != "idle_cycles" { // the messages, besides next to nothing
				require.InDelta(t, m.Value, some.Metrics[i].Value, 1e-3*m.Value, "%s.%s of %s", m.Where, m.Name, c[0])
			}
		}
		require.Contains(t, strings.Join(some.Assumptions, "\n"), "Schedule: of the parts of the workload (layers, and what comes before and after them; simulation.repeat), 5 simulated and 5 taken as equal", c[0])
	}
}

// Chips that share each operator meet at the end of each layer; networks and interfaces count
// as if all layers were simulated.
func TestLayersOfChipsRepeat(t *testing.T) {
	for _, set := range [][]string{{}, {"Net.fidelity=flow"}, {"Net.fidelity=packet", "workload.parallel={tensor: 2, sequence: true}"}} {
		full, some := bothWays(t, chipsRepeat, set...)
		value := func(r *result.Result, where, name string) float64 {
			m, ok := r.Metric(where, name)
			require.True(t, ok, "%s.%s", where, name)
			return m.Value
		}
		for _, m := range [][2]string{{"Net", "messages"}, {"Net", "bytes_delivered"}, {"Net", "message_hops_mean"}, {"Net", "energy"}, {"Net", "channel_busy_mean"},
			{"Nic[0]", "transfers"}, {"Nic[1]", "transfer_bytes"}, {"Core[0]", "macs"}, {"Mem", "reads"}, {"Schedule", "operators"}} {
			require.InEpsilon(t, value(full, m[0], m[1]), value(some, m[0], m[1]), 1e-9, "%s.%s %v", m[0], m[1], set)
		}
		for _, m := range [][2]string{{"", "total_cycles"}, {"", "energy"}, {"Nic[1]", "total_cycles"}, {"Schedule", "latency_max"}} {
			require.InEpsilon(t, value(full, m[0], m[1]), value(some, m[0], m[1]), 0.01, "%s.%s %v", m[0], m[1], set)
		}
		busy := func(r *result.Result) float64 { // which of two equal cores is first at their memory is chance
			return value(r, "Schedule", "utilization_Core_0") + value(r, "Schedule", "utilization_Core_1")
		}
		require.InEpsilon(t, busy(full), busy(some), 0.01, "%v", set)
		require.Contains(t, strings.Join(some.Assumptions, "\n"), "5 simulated and 5 taken as equal", set)
	}
}

// Layers may begin with any number: those before them are no periods that something waits for.
func TestSomeLayersOfAScheduleRepeat(t *testing.T) {
	for _, layers := range []string{"4..9", "1..6", "3", "0"} {
		full, some := bothWays(t, chipsRepeat, "workload.layers="+layers)
		for _, r := range []*result.Result{full, some} {
			require.Equal(t, result.Complete, r.Status, "%s: %s", layers, r.Reason)
		}
		want, _ := full.Metric("", "total_time")
		got, _ := some.Metric("", "total_time")
		require.InEpsilon(t, want.Value, got.Value, 0.01, layers)
	}
}

// What has no common end of a layer is refused, with the reason.
func TestScheduleThatDoesNotRepeat(t *testing.T) {
	for want, set := range map[string]string{
		"gpt2.0 has 3 requests, whose layers go on at the same time (want one, or a node of kind serve)": "workload.frames=3",
		"chips are in different layers at a time (want none but parallel: {tensor: N}, and no training)": "workload.parallel={pipeline: 2}",
		"systems that simulation.quantum divides have no common end of a layer":                          "simulation.quantum=1us",
	} {
		_, err := Parse("repeats", []byte(chipsRepeat), Options{Set: []string{set, "simulation.repeat=sampled"}})
		require.ErrorContains(t, err, "simulation.repeat: has no effect: "+want, set)
	}
	plain := strings.Replace(scheduledRepeats, "%", "kind: roofline", 1) + "links: [Schedule -> Core]\n"
	_, err := Parse("repeats", []byte(plain), Options{Set: []string{"workload={model: resnet18}", "simulation.repeat=sampled"}})
	require.ErrorContains(t, err, "resnet18 has no numbered layers (operators called L0., L1. and so on)")
	two := strings.Replace(plain, "workload: {", "workloads:\n  - {name: other, ", 1)
	two = strings.Replace(two, "nodes:", "  - {model: gpt2, sequence: 16}\nnodes:", 1)
	_, err = Parse("repeats", []byte(two), Options{Set: []string{"simulation.repeat=sampled"}})
	require.ErrorContains(t, err, "there are 2 workloads, whose layers go on at the same time (want one)")
}

// A GPU of fidelity tile takes layers that repeat for what they took, without a schedule: every
// row and every metric is that of the full run.
func TestLayersOnAGPURepeat(t *testing.T) {
	text := strings.Replace(scheduledRepeats, "%", "kind: gpu, preset: a100, clock: 1GHz, fidelity: tile, l2: none", 1) +
		"  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}\nlinks: [Core -> Mem]\n"
	text = strings.Replace(text, "  - {name: Schedule, kind: schedule}\n", "", 1)
	full, some := bothWays(t, text)
	require.Equal(t, full.Layers.Columns, some.Layers.Columns)
	require.Equal(t, full.Layers.Rows, some.Layers.Rows)
	require.Len(t, some.Metrics, len(full.Metrics))
	for i, m := range full.Metrics {
		require.Equal(t, m.Name, some.Metrics[i].Name)
		near := 1e-9
		if strings.Contains(m.Name, "latency") { // a mean over what was simulated
			near = 0.01
		}
		require.InDelta(t, m.Value, some.Metrics[i].Value, near*m.Value, "%s.%s", m.Where, m.Name)
	}
	require.Contains(t, strings.Join(some.Assumptions, "\n"), "simulated and")
	require.NotContains(t, strings.Join(some.Assumptions, "\n"), "and 0 taken as equal")
	text = strings.Replace(scheduledRepeats, "%", "kind: gpu, preset: a100", 1)
	_, err := Parse("repeats", []byte(strings.Replace(text, "  - {name: Schedule, kind: schedule}\n", "", 1)), Options{Set: []string{"simulation.repeat=sampled"}})
	require.ErrorContains(t, err, "carries out every operator (want kind systolic with timing physical, kind gpu of fidelity tile, or a node of kind schedule or serve)")
}

// A core that waits until a collective has brought what its next operator reads is not idle for
// want of a workload: its cause is the network, in a full run and in a sampled one.
func TestCoresAwaitCollectives(t *testing.T) {
	full, some := bothWays(t, chipsRepeat, "Nic.bandwidth=200MB/s")
	for _, r := range []*result.Result{full, some} {
		value := func(name string) float64 {
			m, ok := r.Metric("Core[0]", name)
			require.True(t, ok, name)
			return m.Value
		}
		require.Greater(t, value("stall_network_cycles"), 0.5*value("total_cycles"))
		require.Less(t, value("idle_cycles"), 0.05*value("total_cycles"))
		require.Contains(t, r.Sentence, "waiting for messages and collectives of other chips")
	}
	want, _ := full.Metric("Core[1]", "stall_network_cycles")
	got, _ := some.Metric("Core[1]", "stall_network_cycles")
	require.InEpsilon(t, want.Value, got.Value, 0.01)
}

// Where operators go to any idle executor, the figures of a single core are said to be arbitrary.
func TestFiguresOfOneCore(t *testing.T) {
	const links = "links: [Schedule -> Core]\n"
	for grain, said := range map[string]bool{"operator": true, "model": false} {
		text := strings.Replace(scheduledRepeats, "count: 1, %", "count: 2, kind: roofline", 1) + links
		_, some := bothWays(t, text, "Schedule.grain="+grain)
		require.Equal(t, said, strings.Contains(strings.Join(some.Assumptions, "\n"), "figures of a single executor are arbitrary"), grain)
	}
}
