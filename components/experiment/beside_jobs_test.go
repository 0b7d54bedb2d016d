package experiment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// besides is a model on every second of sixteen terminals of a mesh. Traffic and ranks have those
// between, so that messages of all pass the same channels.
const besides = `
schema: causeway/1
workload: {model: llama3_8b, phase: prefill, sequence: 64, layers: 0..0, dtype: bf16, parallel: {tensor: 8}}
nodes:
  - {name: Train, kind: schedule, grain: operator}
  - {name: Chip, kind: gpu, preset: h100, count: 8}
  - {name: Nic, kind: nic, count: 8, overhead: 1us}
  - {name: Net, kind: network, fidelity: packet, topology: {name: mesh, dims: [4, 4]}, clock: 1GHz, width: 64B}
  - {name: Bg, kind: traffic, load: 0.4, packet: 32}
  - {name: Halo, kind: ranks, ranks: 4, pattern: {name: all_reduce, bytes: 16MiB}}
links:
  - Train -> Chip
  - Train -> Nic
  - "Nic -> Net.terminal[0..15:2]"
  - Bg -> Net
  - Halo -> Net
`

// without is besides without the lines that hold a name.
func without(text string, names ...string) string {
	var out []string
	for l := range strings.Lines(text) {
		keep := true
		for _, n := range names {
			keep = keep && !strings.Contains(l, n)
		}
		if keep {
			out = append(out, l)
		}
	}
	return strings.Join(out, "")
}

// Traffic and parallel programs besides a model have the terminals that are free, slow its
// collectives down, and leave its bytes as they are; traffic ends when all others have ended.
func TestTrafficBesidesAModel(t *testing.T) {
	run := func(text string, o experiment.Options) *result.Result {
		r, err := serve(t, text, o)
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		return r
	}
	alone := run(without(besides, "Bg", "Halo"), experiment.Options{})
	halo := run(without(besides, "Bg"), experiment.Options{})
	bg := run(without(besides, "Halo"), experiment.Options{})
	all := run(besides, experiment.Options{})
	took := func(r *result.Result) float64 { return value(t, r, "Train", "total_time") }
	require.Greater(t, took(halo), took(alone))
	require.Greater(t, took(bg), 1.02*took(alone))
	require.Greater(t, took(all), took(alone))
	for _, r := range []*result.Result{halo, bg, all} {
		for _, m := range []string{"messages", "message_bytes", "collectives"} {
			require.Equal(t, value(t, alone, "Program", m), value(t, r, "Program", m), m)
		}
	}
	require.Equal(t, value(t, halo, "Halo", "message_bytes"), value(t, all, "Halo", "message_bytes"))
	for _, r := range []*result.Result{bg, all} {
		ends := value(t, r, "Bg", "simulated_cycles") // of a nanosecond
		last := took(r)
		if r == all {
			last = max(last, value(t, r, "Halo", "total_time"))
		}
		require.GreaterOrEqual(t, ends, last)
		require.Less(t, ends, last+2000, "a look every microsecond, and what is under way")
		m, ok := r.MetricIn("measure", "Bg", "measured_cycles")
		require.True(t, ok)
		require.InDelta(t, last, m.Value, 1001)
		sources := 8.
		if r == all {
			sources = 4
		}
		require.InEpsilon(t, 0.4*sources*m.Value, value(t, r, "Bg", "flits"), 0.05, "what is left of 16 terminals")
	}
	for _, engine := range []string{"parallel", "shuffle:1"} {
		require.Equal(t, all.Metrics, run(besides, experiment.Options{Engine: engine}).Metrics, engine)
	}
	reversed := strings.Replace(besides, "  - Bg -> Net\n  - Halo -> Net\n", "  - Halo -> Net\n  - Bg -> Net\n", 1)
	require.Equal(t, all.Metrics, run(reversed, experiment.Options{}).Metrics)
}

// Rules end a measurement whatever goes on besides, and what has no effect or no room is refused.
func TestTrafficBesidesIsRefused(t *testing.T) {
	r, err := serve(t, without(besides, "Halo"), experiment.Options{Set: []string{"Bg.rules.sample=200"}})
	require.NoError(t, err)
	require.Less(t, value(t, r, "Bg", "simulated_cycles"), 2500.)
	alone := without(besides, "Train", "Chip", "Nic", "workload", "Halo")
	_, err = serve(t, alone, experiment.Options{})
	require.NoError(t, err)
	for want, set := range map[string][2]string{
		"until: has no effect: no job goes on besides Bg": {alone, "Bg.until=jobs"},
		"rules: has no effect with until: jobs":           {besides, "Bg.until=jobs;Bg.rules.sample=200"},
		"adv+1: goes with dragonfly and dragonfly_plus only: Bg drives 4 of the 16 terminals of Net, a part without groups or rows": {besides, "Bg.pattern=adv+1"},
		"Halo wants 9 ports of Net, and 8 are free":                                                               {besides, "Halo.ranks=9"},
		"Net has no port left for Bg: all have links":                                                             {strings.Replace(without(besides, "Halo"), "[0..15:2]", "[0..7]", 1), "Net.topology.dims=[4, 2]"},
		"simulation.repeat: has no effect: Bg goes on at the same time":                                           {besides, "simulation.repeat=sampled"},
		"Bg and Other both take all ports of Net that are free (want them named, as in Bg -> Net.terminal[0..3])": {strings.Replace(strings.Replace(besides, "kind: ranks, ranks: 4, pattern: {name: all_reduce, bytes: 16MiB}", "kind: traffic", 1), "Halo", "Other", 2), "Bg.load=0.1"},
	} {
		_, err := serve(t, set[0], experiment.Options{Set: strings.Split(set[1], ";")})
		require.ErrorContains(t, err, want)
	}
}
