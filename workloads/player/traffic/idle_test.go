package traffic_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/noc/flow"
	_ "github.com/causeway-sim/causeway/noc/packet"
)

// built makes the system of a network with traffic.
func built(net string, set ...string) (*system.System, error) {
	d, err := configs.Parse("f.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Net, kind: network, "+net+"}\n  - {name: Traffic, kind: traffic}\nlinks:\n  - Traffic -> Net\n"), configs.Options{Set: set})
	if err != nil {
		return nil, err
	}
	return system.Build(d, &system.Env{Engine: engine.New()})
}

// A key that has no effect on the chosen topology, allocator or queueing is an error
// where it stands.
func TestKeysWithoutEffect(t *testing.T) {
	mesh, fly := "topology: {name: mesh, dims: [4, 4]}", "topology: {name: dragonfly, p: 2, a: 4, h: 2}"
	for _, fidelity := range []string{"flit", "packet", "flow"} {
		_, err := built("fidelity: " + fidelity + ", " + mesh + ", global: {latency: 5ns}")
		require.ErrorContains(t, err, "nodes.Net.global.latency: has no effect: topology mesh has no global channels")
		_, err = built("fidelity: "+fidelity+", "+mesh, "Net.global.bandwidth=1GB/s")
		require.ErrorContains(t, err, "--set:1: nodes.Net.global.bandwidth: has no effect: topology mesh has no global channels")
		_, err = built("fidelity: " + fidelity + ", topology: {name: crossbar, terminals: 4}, local: {latency: 5ns}")
		require.ErrorContains(t, err, "nodes.Net.local.latency: has no effect: topology crossbar has no local channels")
		// One file serves several topologies: the other one is chosen from outside, and
		// the result notes what has no effect there.
		for _, set := range []string{"Net.topology={name: mesh}", "Net.topology=mesh"} {
			s, err := built("fidelity: "+fidelity+", "+fly+", global: {latency: 5ns}", set)
			require.NoError(t, err)
			notes := s.Node("Net").(interface{ Assumptions() []string }).Assumptions()
			require.Contains(t, notes, "Net: global.latency has no effect: topology mesh has no global channels")
		}
		_, err = built("fidelity: " + fidelity + ", " + fly + ", global: {latency: 5ns}")
		require.NoError(t, err)
	}
	for router, want := range map[string]string{
		"allocator: separable_input_first, iterations: 5":                                      "router.iterations: has no effect on allocator separable_input_first (used by: islip)",
		"allocator: age, iterations: 2":                                                        "router.iterations: has no effect on allocator age (used by: islip)",
		"queueing: input_output, flow: virtual_cut_through, output_depth: 8, allocator: islip": "router.allocator: has no effect on queueing input_output",
		"model: fogsim, routing_delay: 2":                                                      "router.routing_delay: has no effect on queueing input_output",
		"model: fogsim, global_depth: 9":                                                       "router.global_depth: has no effect on a topology without global channels",
	} {
		_, err := built("fidelity: flit, " + mesh + ", router: {" + router + "}")
		require.ErrorContains(t, err, want)
	}
	for _, router := range []string{"allocator: islip, iterations: 3", "model: fogsim, iterations: 3"} {
		_, err := built("fidelity: flit, " + mesh + ", router: {" + router + "}")
		require.NoError(t, err)
	}
}

// A run in whose samples nothing has arrived leaves metrics out; it has no value that
// is no number.
func TestNothingArrivesInTime(t *testing.T) {
	b := pair(t, "topology: {name: mesh, dims: [8, 8]}, router: {preset: booksim, vcs: 4}", "packet: 10000, load: 0.5, rules: {sample: 1000}")
	m := b.run(t)
	for name, v := range m {
		require.False(t, math.IsNaN(v) || math.IsInf(v, 0), fmt.Sprintf("%s is %g", name, v))
	}
	require.NotContains(t, m, "source_fairness")
	require.NotContains(t, b.sys.Node("Traffic").(interface{ Summarize() string }).Summarize(), "NaN")
}
