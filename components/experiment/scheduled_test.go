package experiment_test

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
	_ "github.com/causeway-sim/causeway/components/std"
	"github.com/causeway-sim/causeway/components/task"
)

// two are workloads with unlike rates, on three unlike executors.
const two = `
workloads:
  - {name: a, file: encoder/config.json, sequence: 16, dtype: int8, arrivals: {name: periodic, period: 40us, jitter: 9us}, frames: 4, deadline: 60us, priority: 1}
  - {name: b, file: encoder/config.json, sequence: 40, dtype: int8, arrivals: {name: poisson, mean: 30us}, frames: 3, deadline: 400us}
`

const three = `
nodes:
  - {name: Schedule, kind: schedule, policy: fcfs}
  - {name: Tile, kind: systolic, rows: 32, cols: 32}
  - {name: Analytic, kind: systolic, fidelity: analytic, rows: 16, cols: 64, clock: 700MHz}
  - {name: Roof, kind: roofline, compute: 300GFLOP/s, memory: 20GB/s, overhead: 200ns}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 64GB/s}
links:
  - Schedule -> Tile
  - Schedule -> Analytic
  - Schedule -> Roof
  - Tile -> Mem
  - Analytic -> Mem
`

func scheduled(t *testing.T, text string, o experiment.Options) (*result.Result, error) {
	t.Helper()
	x, err := experiment.Parse(filepath.Join("testdata", "held", "scheduled.yaml"), []byte("schema: causeway/1\n"+text), o)
	if err != nil {
		return nil, err
	}
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	return r, nil
}

// cells are the columns of a table that are named, as text.
func cells(r *result.Result, columns ...string) (out []string) {
	for _, row := range r.Layers.Rows {
		var line []string
		for _, c := range columns {
			line = append(line, fmt.Sprint(row[r.Layers.Index(c)]))
		}
		out = append(out, strings.Join(line, " "))
	}
	return out
}

// With one executor and one request a schedule adds the cycle of the first message, and
// nothing between layers: they are those of a run without it.
func TestScheduleAddsNothingBetweenLayers(t *testing.T) {
	for _, core := range []string{
		"kind: systolic, on_chip: none, rows: 32, cols: 32",
		"kind: systolic, on_chip: none, fidelity: analytic, rows: 32, cols: 32",
		"kind: systolic, on_chip: none, rows: 16, cols: 16, clock: 500MHz",
		"kind: roofline, compute: 300GFLOP/s, memory: 20GB/s",
	} {
		mem := "  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 64GB/s}\nlinks:\n"
		if strings.Contains(core, "systolic") {
			mem += "  - Core -> Mem\n"
		} else {
			mem = "links: []\n"
		}
		work := "workload: {file: encoder/config.json, sequence: 16, dtype: int8}\nnodes:\n"
		node := "  - {name: Core, " + core + "}\n"
		alone, err := scheduled(t, work+node+mem, experiment.Options{})
		require.NoError(t, err)
		mem = strings.Replace(mem, "links: []", "links:", 1) + "  - Schedule -> Core\n"
		under, err := scheduled(t, work+"  - {name: Schedule, kind: schedule}\n"+node+mem, experiment.Options{})
		require.NoError(t, err)
		var want []string
		columns := []string{"layer", "cycles", "compute_cycles"}
		for _, c := range cells(alone, columns...) {
			if !strings.HasSuffix(c, " 0 0") { // views have no job
				want = append(want, c)
			}
		}
		require.Equal(t, want, cells(under, columns...), core)
		a, _ := alone.Metric("Core", "total_cycles")
		b, _ := under.Metric("Core", "total_cycles")
		idle, _ := under.Metric("Core", "idle_cycles")
		require.Equal(t, a.Value, b.Value-idle.Value, core)
		require.LessOrEqual(t, idle.Value, 2.0, core)
	}
}

// Whatever the policy: the bytes do not depend on the engine, on ties, or on the order of
// nodes and workloads in the file; all requests are served, as the checks of the run say.
func TestSchedulesAgree(t *testing.T) {
	bytes := func(r *result.Result) string {
		return string(result.MetricsCSV(r.Metrics)) + string(result.TableCSV(r.Layers)) + string(result.TableCSV(r.Requests))
	}
	backwards := func(text string) string {
		var out strings.Builder
		for _, part := range strings.SplitAfter(text, ":\n") { // a section's items, then the next section's name
			lines := strings.SplitAfter(part, "\n")
			n := len(lines)
			for n > 0 && !strings.HasPrefix(lines[n-1], "  - ") {
				n--
			}
			for i := n - 1; i >= 0; i-- {
				out.WriteString(lines[i])
			}
			out.WriteString(strings.Join(lines[n:], ""))
		}
		return out.String()
	}
	require.Contains(t, backwards(three), "  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 64GB/s}\n  - {name: Roof")
	seen := map[string]bool{}
	for _, set := range [][]string{
		{"Schedule.policy=fcfs"},
		{"Schedule.policy=round_robin", "Schedule.grain=operator"},
		{"Schedule.policy=static"},
		{"Schedule.policy=earliest_finish", "Schedule.ahead=1"},
		{"Schedule.policy={name: edf, preempt: true}", "Schedule.grain=operator", "Schedule.ahead=4"},
		{"Schedule.policy={name: priority, preempt: true}", "Schedule.clock=930MHz", "Schedule.ahead=3"},
	} {
		first, err := scheduled(t, two+three, experiment.Options{Set: set})
		require.NoError(t, err)
		for _, name := range []string{"parallel", "shuffle:1", "shuffle:2", "shuffle:3"} {
			r, err := scheduled(t, two+three, experiment.Options{Set: set, Engine: name})
			require.NoError(t, err)
			require.Equal(t, bytes(first), bytes(r), "%v with %s", set, name)
		}
		r, err := scheduled(t, backwards(two)+backwards(three), experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, bytes(first), bytes(r), "%v, order of the file", set)
		require.Len(t, r.Requests.Rows, 7)
		seen[bytes(first)] = true
		for _, name := range []string{"Tile", "Analytic", "Roof"} {
			u, ok := r.Metric("Schedule", "utilization_"+name)
			require.True(t, ok && u.Value >= 0 && u.Value <= 100)
		}
	}
	require.Len(t, seen, 6, "every policy comes to something else")
}

// Every request is a task, and every operator of it a task below it, on its executor.
type ledger struct {
	requests map[task.ID]bool
	layers   int
	orphans  int
	open     int
}

func (l *ledger) Task(s *task.Stream, e task.Event) {
	switch {
	case e.Phase == task.Begin:
		l.open++
		if e.Kind == task.Request {
			l.requests[e.ID] = true
		}
		if e.Kind == task.Layer {
			l.layers++
			if !l.requests[e.Parent] {
				l.orphans++
			}
		}
	case e.Phase == task.End:
		l.open--
	}
}

func TestScheduleTasks(t *testing.T) {
	l := &ledger{requests: map[task.ID]bool{}}
	r, err := scheduled(t, two+three, experiment.Options{Tasks: []task.Listener{l}, Set: []string{"Schedule.grain=operator"}})
	require.NoError(t, err)
	require.Len(t, l.requests, 7)
	require.Equal(t, [2]int{}, [2]int{l.orphans, l.open})
	require.Equal(t, len(r.Layers.Rows), l.layers)
}

// A more urgent request takes back what has not begun, and no work is lost.
func TestSchedulePreempts(t *testing.T) {
	text := `
workloads:
  - {name: slow, file: encoder/config.json, sequence: 64, dtype: int8, frames: 3}
  - {name: urgent, file: encoder/config.json, sequence: 8, dtype: int8, arrival: 11us, deadline: 1us}
nodes:
  - {name: Schedule, kind: schedule, policy: {name: edf, preempt: true}, ahead: 8}
  - {name: Core, kind: systolic, rows: 32, cols: 32}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 64GB/s}
links:
  - Schedule -> Core
  - Core -> Mem
`
	for _, fidelity := range []string{"tile", "analytic"} {
		end := map[string]float64{}
		for _, preempt := range []string{"false", "true"} {
			r, err := scheduled(t, text, experiment.Options{Set: []string{"Schedule.policy.preempt=" + preempt, "Core.fidelity=" + fidelity}})
			require.NoError(t, err)
			m, _ := r.MetricIn("workload:urgent", "Schedule", "latency_max")
			end[preempt] = m.Value
			n, _ := r.Metric("Schedule", "revoked")
			require.Equal(t, preempt == "true", n.Value > 0, fidelity)
		}
		require.Less(t, end["true"], end["false"]*0.7, fidelity)
	}
}

// Cores share the operators of a schedule by any split, as many products in all as one core
// does.
func TestScheduleSplits(t *testing.T) {
	const text = "workload: {file: encoder/config.json, batch: 2, sequence: 24, dtype: int8}\n%s" + `
nodes:
  - {name: Schedule, kind: schedule}
  - {name: Core, kind: systolic, fidelity: analytic, count: %d, rows: 32, cols: 32}
  - {name: Mem, kind: memory, fidelity: ideal}
links: [Core -> Mem, Schedule -> Core]
`
	one, err := scheduled(t, fmt.Sprintf(text, "", 1), experiment.Options{})
	require.NoError(t, err)
	macs, _ := one.Metric("Core[0]", "macs")
	cycles, _ := one.Metric("Core[0]", "total_cycles")
	for _, split := range []string{"auto", "batch", "head", "column", "row"} {
		r, err := scheduled(t, fmt.Sprintf(text, "mapping: {split: "+split+"}", 2), experiment.Options{})
		require.NoError(t, err, split)
		sum := 0.0
		for _, core := range []string{"Core[0]", "Core[1]"} {
			n, _ := r.Metric(core, "macs")
			require.Positive(t, n.Value, split)
			sum += n.Value
			end, _ := r.Metric(core, "total_cycles")
			require.Less(t, end.Value, cycles.Value, split)
		}
		require.Equal(t, macs.Value, sum, split)
	}
}

// What has no effect or no sense is refused, where it stands.
func TestScheduleRefusals(t *testing.T) {
	one := "workload: {file: encoder/config.json, sequence: 16, dtype: int8%s}\n"
	dir := t.TempDir()
	times := filepath.Join(dir, "times.txt")
	require.NoError(t, os.WriteFile(times, []byte("0s\n3us\n1us\n"), 0o600))
	for _, c := range []struct{ text, want string }{
		{fmt.Sprintf(one, ", frames: 2") + "nodes:\n  - {name: R, kind: roofline}\n", "scheduled.yaml:2:74: workload.frames: has no effect: there is no node of kind schedule"},
		{fmt.Sprintf(one, ", deadline: 0s") + three, "workload.deadline: is 0s (want a time over 0; null for none)"},
		{fmt.Sprintf(one, ", frames: 0") + three, "workload.frames: 0 is too small (want at least 1)"},
		{fmt.Sprintf(one, ", arrivals: {name: periodic, period: 1us}") + three, "workload.arrivals: has no end: frames says how many requests arrive"},
		{fmt.Sprintf(one, ", arrivals: {name: periodic, period: 1us, jitter: 2us}, frames: 2") + three, "workload.arrivals.jitter: jitter is 2us (want at most the period, 1us)"},
		{fmt.Sprintf(one, ", arrivals: poison, frames: 2") + three, "unknown arrivals \"poison\" (want one of: bursty, periodic, poisson, trace; did you mean \"poisson\"?)"},
		{fmt.Sprintf(one, ", arrivals: poisson, frames: 2") + three, "mean is missing or 0"},
		{fmt.Sprintf(one, ", arrivals: {name: trace, file: "+times+"}") + three, "3:1: 1us comes after 3us"},
		{fmt.Sprintf(one, ", cores: Mem") + three, "Mem cannot carry out a workload"},
		{fmt.Sprintf(one, "") + "mapping: {split: row}\n" + three, "mapping.split: Roof does not share operators (want nodes of kind systolic)"},
		{fmt.Sprintf(one, ", sparsity: 2:4") + three, "scheduled.yaml:2:76: workload.sparsity: Analytic cannot skip weights of 2:4"},
		{fmt.Sprintf(one, ", sparsity: 2:4, cores: Roof") + three, "workload.sparsity: Roof cannot skip weights of 2:4"},
		{fmt.Sprintf(one, ", sparsity: 2:4") + "nodes: [{name: C, kind: gpu, preset: mi210}, {name: S, kind: schedule}]\nlinks: [S -> C]\n", "workload.sparsity: C cannot skip weights of 2:4"},
		{fmt.Sprintf(one, ", sparsity: 2:4") + "nodes: [{name: C, kind: lanes}, {name: S, kind: schedule}]\nlinks: [S -> C]\n", "workload.sparsity: C cannot skip weights of 2:4"},
		{fmt.Sprintf(one, ", sparsity: 2:4") + "nodes: [{name: C, kind: systolic, preset: tpu_v4}, {name: S, kind: schedule}, {name: M, kind: memory, fidelity: ideal}]\nlinks: [S -> C, C -> M]\n", "workload.sparsity: C cannot skip weights of 2:4"},
		{fmt.Sprintf(one, "") + strings.Replace(three, "policy: fcfs", "policy: fifo", 1), "unknown scheduling policy \"fifo\""},
		{fmt.Sprintf(one, "") + strings.Replace(three, "policy: fcfs", "policy: {name: fcfs, preempt: true}", 1), "nodes.Schedule.policy.preempt: unknown key"},
		{fmt.Sprintf(one, "") + strings.Replace(three, "policy: fcfs", "ahead: 0", 1), "nodes.Schedule.ahead: 0 is too small (want at least 1)"},
		{fmt.Sprintf(one, "") + strings.Replace(three, "policy: fcfs", "grain: layer", 1), "nodes.Schedule.grain: \"layer\" is not known (want one of: model, operator)"},
		{fmt.Sprintf(one, "") + strings.Replace(three, "  - Schedule -> Analytic\n", "", 1) + "mapping: {cores: Analytic}\n", "Analytic is not linked to Schedule"},
		{fmt.Sprintf(one, "") + strings.Replace(three, "rows: 32,", "timing: scalesim, rows: 32,", 1), "Tile counts layers as another program does, and takes no single operators"},
		{three, "there is no workload for Schedule"},
	} {
		_, err := scheduled(t, c.text, experiment.Options{})
		require.ErrorContains(t, err, c.want, c.text)
	}
}

// Requests arrive when a file says.
func TestScheduleTrace(t *testing.T) {
	times := filepath.Join(t.TempDir(), "times.txt")
	require.NoError(t, os.WriteFile(times, []byte("0s\n3us # a late one\n7us\n"), 0o600))
	r, err := scheduled(t, "workload: {file: encoder/config.json, sequence: 16, dtype: int8, arrival: 5us, arrivals: {name: trace, file: "+times+"}}\n"+three, experiment.Options{})
	require.NoError(t, err)
	require.Len(t, r.Requests.Rows, 3)
	for i, at := range []float64{5000, 8000, 12000} {
		require.Equal(t, at, r.Requests.Rows[i][2])
	}
	require.Len(t, r.Inputs, 2, "the trace is an input as the model is")
}

// The table of policies in docs/model-schedule.md is what the example comes to.
func TestScheduleExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/model-schedule.md")
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		set  []string
	}{
		{"`fcfs`", []string{"policy=fcfs"}}, {"`round_robin`", []string{"policy=round_robin"}}, {"`edf`", nil},
		{"`static`", []string{"policy=static"}}, {"`earliest_finish`", []string{"policy=earliest_finish"}},
		{"`earliest_finish`, `grain: operator`", []string{"policy=earliest_finish", "Schedule.grain=operator"}},
	} {
		x, err := experiment.Load("../../configs/examples/schedule.yaml", experiment.Options{Set: c.set})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		late, _ := r.MetricIn("workload:camera", "Schedule", "deadline_misses")
		mean, _ := r.Metric("Schedule", "latency_mean")
		big, _ := r.Metric("Schedule", "utilization_Big")
		small, _ := r.Metric("Schedule", "utilization_Small")
		require.Contains(t, string(page), fmt.Sprintf("| %s | %.0f | %.2f ms | %.0f, %.0f %% |", c.name, late.Value, mean.Value/1e6, big.Value, small.Value))
	}
}

// A pipeline over links that cost next to nothing takes the time computed by hand: the
// first request all stages after each other, each further one the longest stage. Slow
// links cost what the bytes of the slowest transfer take.
func TestPipelineByHand(t *testing.T) {
	const frames = 6
	chips := func(n int, bandwidth string) string {
		return fmt.Sprintf(`
workload: {file: encoder/config.json, sequence: 64, dtype: int8, frames: %d, parallel: {pipeline: %d}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, kind: roofline, count: %d, compute: 2TFLOP/s, memory: 100GB/s}
  - {name: Nic, kind: nic, count: %d, eager: 1MiB}
  - {name: Net, kind: network, fidelity: packet, topology: {name: crossbar, terminals: %d}, clock: 1GHz, terminal: {bandwidth: %s, latency: 1ns}}
links:
  - Schedule -> Chip
  - Schedule -> Nic
  - Nic -> Net
`, frames, n, n, n, n, bandwidth)
	}
	for _, n := range []int{2, 3} {
		r, err := scheduled(t, chips(n, "1TB/s"), experiment.Options{})
		require.NoError(t, err)
		var sum, longest float64
		transfers := 0
		for i := range n {
			m, _ := r.Metric(fmt.Sprintf("Chip[%d]", i), "total_cycles")
			idle, _ := r.Metric(fmt.Sprintf("Chip[%d]", i), "idle_cycles")
			waits, _ := r.Metric(fmt.Sprintf("Chip[%d]", i), "stall_network_cycles")
			stage := (m.Value - idle.Value - waits.Value) / frames
			sum, longest = sum+stage, max(longest, stage)
			x, _ := r.Metric(fmt.Sprintf("Nic[%d]", i), "transfers")
			transfers += int(x.Value)
		}
		total, _ := r.Metric("Schedule", "total_time")
		hand := sum + (frames-1)*longest
		require.GreaterOrEqual(t, total.Value, hand)
		require.LessOrEqual(t, total.Value, hand+400*float64(n), "messages and the network are all that comes on top, %d transfers", transfers)
		require.GreaterOrEqual(t, transfers, frames*(n-1)*2)
	}
	fast, err := scheduled(t, chips(2, "1TB/s"), experiment.Options{})
	require.NoError(t, err)
	slow, err := scheduled(t, chips(2, "100MB/s"), experiment.Options{})
	require.NoError(t, err)
	a, _ := fast.Metric("Schedule", "total_time")
	b, _ := slow.Metric("Schedule", "total_time")
	bytes, _ := slow.Metric("Nic[0]", "transfer_bytes")
	require.Greater(t, b.Value, bytes.Value*10, "the link passes one byte in 10 ns")
	require.Less(t, b.Value, bytes.Value*10+a.Value)
	for _, name := range []string{"parallel", "shuffle:1", "shuffle:2"} {
		r, err := scheduled(t, chips(2, "100MB/s"), experiment.Options{Engine: name})
		require.NoError(t, err)
		require.Equal(t, string(result.MetricsCSV(slow.Metrics)), string(result.MetricsCSV(r.Metrics)))
		require.Equal(t, string(result.TableCSV(slow.Layers)), string(result.TableCSV(r.Layers)))
	}
}

// Chips of systolic cores, two each, go through a pipeline as well, and all work is done.
func TestPipelineOfCores(t *testing.T) {
	r, err := scheduled(t, `
workload: {file: encoder/config.json, sequence: 32, dtype: int8, frames: 3, parallel: {pipeline: 2}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator, policy: earliest_finish}
  - {name: Core, kind: systolic, count: 4, rows: 16, cols: 16}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 64GB/s}
  - {name: Nic, kind: nic, count: 2, bandwidth: 5GB/s, overhead: 100ns}
  - {name: Net, kind: network, fidelity: flow, topology: {name: crossbar, terminals: 2}, terminal: {bandwidth: 5GB/s, latency: 10ns}}
links:
  - Schedule -> Core
  - Schedule -> Nic
  - Core -> Mem
  - Nic -> Net
`, experiment.Options{})
	require.NoError(t, err)
	for i := range 4 {
		m, _ := r.Metric(fmt.Sprintf("Core[%d]", i), "macs")
		require.Positive(t, m.Value, "core %d has work", i)
	}
	require.Len(t, r.Requests.Rows, 6, "a row per stage")
	n, _ := r.Metric("Schedule", "requests")
	last, _ := r.MetricIn("workload:config.1", "Schedule", "latency_mean")
	mean, _ := r.Metric("Schedule", "latency_mean")
	require.Equal(t, 3.0, n.Value, "the model's")
	require.Equal(t, last.Value, mean.Value)
	for text, want := range map[string]string{
		"parallel: {pipeline: 3}": "workload.parallel.pipeline: is 3 stages, and the schedule is linked to 2 nodes of kind nic",
		"frames: 2":               "nodes.Nic: has nothing to transfer: no workload is cut over ranks (workload: {parallel: {tensor: 2}})",
	} {
		_, err = scheduled(t, "workload: {file: encoder/config.json, sequence: 16, dtype: int8, "+text+`}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, kind: roofline, count: 2}
  - {name: Nic, kind: nic, count: 2}
  - {name: Net, kind: network, topology: {name: crossbar, terminals: 2}, clock: 1GHz}
links:
  - Schedule -> Chip
  - Schedule -> Nic
  - Nic -> Net
`, experiment.Options{})
		require.ErrorContains(t, err, want)
	}
}

// Whatever carries out operators can be one of a schedule's executors.
func TestScheduleOfEveryKind(t *testing.T) {
	r, err := scheduled(t, `
workload: {file: encoder/config.json, sequence: 16, dtype: int8, frames: 10}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Gpu, kind: gpu, preset: a100}
  - {name: Lanes, kind: lanes}
  - {name: Tile, kind: systolic, rows: 32, cols: 32}
  - {name: Analytic, kind: systolic, fidelity: analytic}
  - {name: Kernel, kind: systolic, preset: tpu_v4}
  - {name: Roof, kind: roofline}
  - {name: Mem, kind: memory, fidelity: ideal}
links:
  - Schedule -> Gpu
  - Schedule -> Lanes
  - Schedule -> Tile
  - Schedule -> Analytic
  - Schedule -> Kernel
  - Schedule -> Roof
  - Tile -> Mem
  - Analytic -> Mem
  - Kernel -> Mem
`, experiment.Options{})
	require.NoError(t, err)
	rows := map[string]int{}
	for _, row := range r.Layers.Rows {
		rows[fmt.Sprint(row[r.Layers.Index("where")])]++
	}
	for _, name := range []string{"Gpu", "Lanes", "Tile", "Analytic", "Kernel", "Roof"} {
		require.Positive(t, rows[name], name)
		u, ok := r.Metric("Schedule", "utilization_"+name)
		require.True(t, ok && u.Value > 0 && u.Value <= 100, name)
	}
	ops, _ := r.Metric("Schedule", "operators")
	require.LessOrEqual(t, ops.Value, float64(len(r.Layers.Rows)), "a row for each, one more where an executor does what is fused by itself")
}

// The time of an operator of a list is its mean over requests, once per node.
func TestScheduleOfOperators(t *testing.T) {
	r, err := scheduled(t, `
workload: {ops: [{op: gemm, m: 256, n: 256, k: 256}, {op: softmax, rows: 128, cols: 128}], frames: 3}
nodes:
  - {name: S, kind: schedule}
  - {name: A, kind: roofline, compute: 2TFLOP/s}
  - {name: B, kind: roofline}
links:
  - S -> A
  - S -> B
`, experiment.Options{})
	require.NoError(t, err)
	seen := map[string]float64{}
	for _, m := range r.Metrics {
		if m.Name == "time" {
			key := m.Where + " " + m.Phase
			require.NotContains(t, seen, key)
			seen[key] = m.Value
		}
	}
	require.Equal(t, map[string]float64{
		"A layer:gemm_1": 16778, "A layer:softmax_1": 328,
		"B layer:gemm_1": 33555, "B layer:softmax_1": 328,
	}, seen)
}
