package experiment_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// A network on an executor whose memory works ahead.
const batched = `
workloads:
  - {name: a, file: encoder/config.json, sequence: 16, dtype: int8, frames: 7, arrivals: {name: periodic, period: 1ps}, deadline: 1ms}
  - {name: b, file: encoder/config.json, sequence: 40, dtype: int8, frames: 5, arrivals: {name: poisson, mean: 3us}, deadline: 1ms}
nodes:
  - {name: Schedule, kind: schedule, policy: round_robin, ahead: 3, batching: {rule: adaptive, max: 4, memory: 256KiB, wait: 2ns}}
  - {name: Core, kind: roofline, compute: 2TFLOP/s, memory: 10GB/s, prefetch: 2}
links:
  - Schedule -> Core
`

// Whatever the rule: all work is done, as the checks of the run say, within the memory; the
// bytes do not depend on engine and ties; batches take less time than single requests.
func TestBatches(t *testing.T) {
	bytes := func(r *result.Result) string {
		return string(result.MetricsCSV(r.Metrics)) + string(result.TableCSV(r.Layers)) + string(result.TableCSV(r.Requests))
	}
	alone, err := scheduled(t, batched, experiment.Options{Set: []string{"Schedule.batching.max=1"}})
	require.NoError(t, err)
	slow, _ := alone.Metric("Schedule", "total_time")
	for _, rule := range []string{"static", "cascaded", "adaptive"} {
		set := []string{"Schedule.batching.rule=" + rule}
		r, err := scheduled(t, batched, experiment.Options{Set: set})
		require.NoError(t, err)
		for _, engine := range []string{"parallel", "shuffle:1", "shuffle:2"} {
			other, err := scheduled(t, batched, experiment.Options{Set: set, Engine: engine})
			require.NoError(t, err)
			require.Equal(t, bytes(r), bytes(other), "%s with %s", rule, engine)
		}
		require.Len(t, r.Requests.Rows, 12)
		fast, _ := r.Metric("Schedule", "total_time")
		require.Less(t, fast.Value, slow.Value, rule)
		peak, ok := r.Metric("Schedule", "held_peak_Core")
		require.True(t, ok && peak.Value > 0 && peak.Value <= 256<<10)
		mean, _ := r.Metric("Schedule", "batch_mean")
		require.Greater(t, mean.Value, 1.5, rule)
		used, _ := r.Metric("Core", "utilization")
		require.LessOrEqual(t, used.Value, 100.0)
		done, _ := r.Metric("Core", "macs")
		want, _ := alone.Metric("Core", "macs")
		require.Equal(t, want.Value, done.Value)
	}
}

// With less memory batches are smaller, down to single requests: what does not fit goes through
// in pieces, and takes all the room.
func TestLessMemorySmallerBatches(t *testing.T) {
	before := 0.0
	for _, memory := range []string{"1KiB", "4KiB", "16KiB", "64KiB", "256KiB", "1MiB", "16MiB"} {
		r, err := scheduled(t, batched, experiment.Options{Set: []string{"Schedule.batching.rule=cascaded", "Schedule.batching.memory=" + memory}})
		require.NoError(t, err, memory)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		mean, ok := r.Metric("Schedule", "batch_mean")
		require.True(t, ok)
		require.GreaterOrEqual(t, mean.Value, before, memory)
		if before = mean.Value; memory == "1KiB" {
			require.Equal(t, 1.0, before)
		}
	}
	require.Greater(t, before, 1.5)
}

// A priority has a warning under a policy that ignores it, and none under one that reads it.
func TestPriorityWithoutEffect(t *testing.T) {
	const want = "priority: 3 of a has no effect with policy round_robin of Schedule (used by: priority, tokens)."
	r, err := scheduled(t, batched, experiment.Options{Set: []string{"workloads.a.priority=3"}})
	require.NoError(t, err)
	require.Contains(t, r.Warnings, want)
	r, err = scheduled(t, batched, experiment.Options{Set: []string{"workloads.a.priority=3", "Schedule.policy=priority"}})
	require.NoError(t, err)
	for _, w := range r.Warnings {
		require.NotContains(t, w, "priority")
	}
	for _, e := range schedule.Policies.Entries() { // the list is that of policies which differ by it
		spec := e.Spec
		order := func(first, second int) []int32 {
			models := []schedule.Model{{Name: "a", Priority: first}, {Name: "b", Priority: second}}
			for m := range models {
				models[m].Executors = []int{0}
				models[m].Ops = []schedule.Operator{{Cost: []schedule.Cost{{Can: true, Time: 100}}}}
			}
			s, err := schedule.New(models, []string{"x"}, e.New(spec), schedule.Options{Grain: schedule.ByOperator, Ahead: 1})
			if err != nil {
				return nil
			}
			s.Arrive(1, 0)
			s.Arrive(1, 1)
			i, ok := s.Next(50)
			if !ok {
				return nil
			}
			return []int32{s.Request(i.Request).Model}
		}
		require.Equal(t, slices.Contains(schedule.Prioritizing(), e.Name), !slices.Equal(order(1, 9), order(9, 1)), e.Name)
	}
}

// Cores that map their operators take batches as well, where memory is not accounted.
func TestBatchesOfCores(t *testing.T) {
	text := `
workload: {name: a, file: encoder/config.json, sequence: 16, dtype: int8, frames: 6, arrivals: {name: periodic, period: 1ps}}
nodes:
  - {name: Schedule, kind: schedule, policy: earliest_finish, batching: {rule: static, max: 3, wait: 10ns}}
  - {name: Core, kind: systolic, count: 2, rows: 16, cols: 16}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 4GB/s}
links:
  - Schedule -> Core
  - Core -> Mem
`
	one, err := scheduled(t, text, experiment.Options{Set: []string{"Schedule.batching=null"}})
	require.NoError(t, err)
	three, err := scheduled(t, text, experiment.Options{})
	require.NoError(t, err)
	a, _ := one.Metric("Schedule", "total_time")
	b, _ := three.Metric("Schedule", "total_time")
	require.Less(t, b.Value, 0.7*a.Value, "weights are fetched once for three")
	n, _ := three.Metric("Schedule", "batch_mean")
	require.Equal(t, 3.0, n.Value)
}

// What has no effect or no sense is refused, where it stands.
func TestBatchRefusals(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"Schedule.batching.rule=greedy", "nodes.Schedule.batching.rule: \"greedy\" is not known (want one of: static, cascaded, adaptive)"},
		{"Schedule.batching.rule=null", "nodes.Schedule.batching: has no rule (want one of: static, cascaded, adaptive)"},
		{"Schedule.batching.max=0", "nodes.Schedule.batching.max: 0 is too small (want at least 1)"},
		{"Schedule.batching.weights=1MiB", "nodes.Schedule.batching.weights: is 1MiB of a memory of 256KiB"},
		{"Schedule.grain=operator", "nodes.Schedule.batching: is not built for grain operator"},
		{"Schedule.policy={name: edf, preempt: true}", "nodes.Schedule.batching: is not built for a policy with preempt: true"},
		{"Schedule.policy=latency_greedy", "nodes.Schedule.batching: is not built for policy latency_greedy"},
		{"Core.prefetch=-1", "nodes.Core.prefetch: -1 is too small (want at least 0)"},
	} {
		_, err := scheduled(t, batched, experiment.Options{Set: []string{c.set}})
		require.ErrorContains(t, err, c.want, c.set)
	}
	_, err := scheduled(t, `
workload: {ops: [{op: gemm, m: 8, n: 8, k: 8}]}
nodes:
  - {name: Schedule, kind: schedule, batching: {rule: static}}
  - {name: Core, kind: roofline}
links: [Schedule -> Core]
`, experiment.Options{})
	require.ErrorContains(t, err, "workload.ops: Schedule carries out several requests together, and rows say their sizes")
	_, err = scheduled(t, `
workload: {file: encoder/config.json, sequence: 16, dtype: int8}
nodes:
  - {name: Schedule, kind: schedule, batching: {rule: static, memory: 1MiB}}
  - {name: Core, kind: systolic, fidelity: analytic}
  - {name: Mem, kind: memory, fidelity: ideal}
links: [Schedule -> Core, Core -> Mem]
`, experiment.Options{})
	require.ErrorContains(t, err, "Core moves everything through memory: it is no executor for batching.memory")
}

// Leaving a request in the middle costs what switch says, each time; executors that know no
// such time are refused.
func TestSwitchCost(t *testing.T) {
	text := `
workloads:
  - {name: long, file: encoder/config.json, sequence: 256, dtype: int8, frames: 2}
  - {name: short, file: encoder/config.json, sequence: 8, dtype: int8, frames: 6, arrivals: {name: periodic, period: 40us}}
nodes:
  - {name: Schedule, kind: schedule, policy: tokens, switch: 3us}
  - {name: Core, kind: roofline, compute: 300GFLOP/s, memory: 20GB/s}
links: [Schedule -> Core]
`
	r, err := scheduled(t, text, experiment.Options{})
	require.NoError(t, err)
	n, _ := r.Metric("Schedule", "switches")
	require.Positive(t, n.Value)
	overhead, _ := r.Metric("Core", "stall_overhead_cycles")
	require.Equal(t, 3000*n.Value, overhead.Value)
	_, err = scheduled(t, text, experiment.Options{Set: []string{
		"nodes=[{name: Schedule, kind: schedule, switch: 3us}, {name: Core, kind: systolic, fidelity: analytic}, {name: Mem, kind: memory, fidelity: ideal}]",
		"links=[Schedule -> Core, Core -> Mem]"}})
	require.ErrorContains(t, err, "Core takes no time to switch between requests")
}

// A workload waits for another one, not for a batch of it, and names are offered once.
func TestBatchesAfter(t *testing.T) {
	_, err := scheduled(t, batched, experiment.Options{Set: []string{"workloads.b.after=c"}})
	require.ErrorContains(t, err, `workloads.b.after: unknown workload "c" (want a)`)
	r, err := scheduled(t, batched, experiment.Options{Set: []string{"workloads.b.after=a", "workloads.b.frames=7"}})
	require.NoError(t, err)
	require.Len(t, r.Requests.Rows, 14)
}

// Requests without a deadline are never late, so that nothing could be given up.
func TestDropNeedsDeadlines(t *testing.T) {
	late := []string{"Schedule.drop=late", "workloads.a.deadline=null"}
	_, err := scheduled(t, batched, experiment.Options{Set: late})
	require.NoError(t, err)
	_, err = scheduled(t, batched, experiment.Options{Set: append(late, "workloads.b.deadline=null")})
	require.ErrorContains(t, err, "drop: late of Schedule has no effect: no workload has a deadline")
}
