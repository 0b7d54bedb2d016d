package experiment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// pair is two unlike cores and a CPU under a schedule.
const pair = `
workload: {model: mobilenet_v1, image: 64}
mapping: {assign: {search: dp, handover: 2us}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator, ahead: 64}
  - {name: Big, kind: systolic, on_chip: none, fidelity: analytic, rows: 32, cols: 32}
  - {name: Small, kind: systolic, on_chip: none, fidelity: analytic, rows: 8, cols: 8}
  - {name: Cpu, kind: roofline, compute: 50GFLOP/s, memory: 8GB/s, overhead: 1us}
  - {name: Free, kind: roofline, compute: 50GFLOP/s, memory: 8GB/s}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 16GB/s}
links:
  - {link: Schedule -> Big, latency: 1us}
  - {link: Schedule -> Small, latency: 1us}
  - {link: Schedule -> Cpu, latency: 1us}
  - Big -> Mem
  - Small -> Mem
`

// Rules hold in layers.csv, row by row; the first that matches wins.
func TestAssignRules(t *testing.T) {
	r, err := scheduled(t, pair, experiment.Options{Set: []string{
		`mapping.assign={rules: [{match: "dw1*", core: Small}, {match: "dw*", core: Cpu}, {type: conv, from: 4KiB, core: Big}, {type: conv, core: "Small"}, {match: "*", core: Cpu}]}`}})
	require.NoError(t, err)
	seen := map[string]int{}
	for _, c := range cells(r, "layer", "where") {
		name, where, _ := strings.Cut(c, " ")
		seen[where]++
		switch {
		case strings.HasPrefix(name, "dw1"):
			require.Equal(t, "Small", where, name)
		case strings.HasPrefix(name, "dw"):
			require.Equal(t, "Cpu", where, name)
		case name == "conv1":
			require.Equal(t, "Big", where, name)
		}
	}
	require.Len(t, seen, 3)
}

// What a search promises holds in a run: the optimum is no slower than the others, and
// dynamic programming finds it on a chain.
func TestAssignSearches(t *testing.T) {
	time := func(set ...string) float64 {
		r, err := scheduled(t, pair, experiment.Options{Set: set})
		require.NoError(t, err)
		m, _ := r.Metric("Schedule", "total_time")
		return m.Value
	}
	best := time("mapping.assign.search=exhaustive")
	require.Equal(t, best, time())
	for _, other := range []string{"mapping.assign.search=greedy", "mapping.assign.search=input_size", "mapping.assign={rules: [{match: '*', core: Big}]}", "mapping.assign={rules: [{match: '*', core: Cpu}]}"} {
		require.GreaterOrEqual(t, time(other), best, other)
	}
}

// What cannot be is said before the first event, where it stands.
func TestAssignRefuses(t *testing.T) {
	for set, want := range map[string]string{
		`mapping.assign={rules: [{match: "conf1", core: Big}]}`:               `mapping.assign.rules[0].match: no operator "conf1" (want one of: avgpool, conv1, `,
		`mapping.assign={rules: [{type: konv, core: Big}]}`:                   `mapping.assign.rules[0].type: no operator of type "konv" (want one of: conv, gemm, pool`,
		`mapping.assign={rules: [{type: conv, core: Bug}]}`:                   `mapping.assign.rules[0].core: no node "Bug" (want one of: `,
		`mapping.assign={rules: [{type: conv, core: Free}]}`:                  `mapping.assign.rules[0].core: Free is not linked to Schedule`,
		`mapping.assign={rules: [{type: conv, from: 1GiB, core: Big}]}`:       `mapping.assign.rules[0]: is for no operator`,
		`mapping.assign={rules: [{from: 2KiB, below: 1KiB, core: Big}]}`:      `no operand has as many bytes`,
		`mapping.assign={search: dp, like: gone}`:                             `mapping.assign.like: unknown workload "gone"`,
		`mapping.assign={search: all}`:                                        `want one of: policy, greedy, dp, exhaustive, input_size`,
		`mapping.assign={objective: energy}`:                                  `mapping.assign.objective: has no effect`,
		`mapping.assign={search: exhaustive, handover: 0s, objective: "edp"}`: ``,
	} {
		_, err := scheduled(t, pair, experiment.Options{Set: []string{set}})
		if want == "" {
			require.NoError(t, err, set)
			continue
		}
		require.ErrorContains(t, err, want, set)
		require.ErrorContains(t, err, "--set:1:", set)
	}
	_, err := scheduled(t, pair, experiment.Options{Set: []string{`mapping.assign={search: all, handover: 1us}`}})
	require.NotContains(t, err.Error(), "has no effect", "nothing follows from a section that is wrong")
	alone := "workload: {model: alexnet}\nmapping: {assign: {search: dp}}\nnodes:\n  - {name: Cpu, kind: roofline}\n"
	_, err = scheduled(t, alone, experiment.Options{})
	require.ErrorContains(t, err, "mapping.assign: has no effect: there is no node of kind schedule")
}

// Cores have no link between them, under a schedule or without one (which ended in a panic).
func TestCoresAreNotLinked(t *testing.T) {
	want := "Big and Small are executors, which have no link between them: results go through a memory or a scratchpad"
	_, err := scheduled(t, pair+"  - Big -> Small\n", experiment.Options{})
	require.ErrorContains(t, err, want)
	alone := strings.NewReplacer("  - {name: Schedule, kind: schedule, grain: operator, ahead: 64}\n", "",
		"  - {link: Schedule -> Big, latency: 1us}\n  - {link: Schedule -> Small, latency: 1us}\n  - {link: Schedule -> Cpu, latency: 1us}\n", "",
		"mapping: {assign: {search: dp, handover: 2us}}\n", "").Replace(pair)
	_, err = scheduled(t, alone+"  - Big -> Small\n", experiment.Options{})
	require.ErrorContains(t, err, want)
}
