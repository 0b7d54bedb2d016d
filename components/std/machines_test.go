package std_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// machine runs a preset of a whole group.
func machine(t *testing.T, preset string, set ...string) *result.Result {
	t.Helper()
	x, err := experiment.Load(write(t, "m.yaml", "schema: causeway/1\nextends: preset:"+preset+"\n"), experiment.Options{Set: set})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	return r
}

// A ring inside of a node takes 2 (1 - 1/n) of the data over a GPU's links, sums over its
// memory, and latencies; two levels take less than a ring over the nodes, whose every round
// waits for an interface.
func TestNodesOfGPUs(t *testing.T) {
	for preset, c := range map[string]struct{ links, memory float64 }{"dgx_a100": {300, 2039}, "dgx_h100": {450, 3352}} {
		const bytes = 64 << 20
		want := 2*7./8*bytes/c.links + 3*7./8*bytes/c.memory + 14*500
		require.InEpsilon(t, want, metric(t, machine(t, preset), "Gpu", "time"), 0.01, preset)
		ring := metric(t, machine(t, preset, "gpus=32"), "Gpu", "time")
		levels := metric(t, machine(t, preset, "gpus=32", "Gpu.collectives.all_reduce={name: hierarchical, group: 8}"), "Gpu", "time")
		require.Less(t, levels, ring)
	}
}

// What a channel between a node and the fat tree carries when it goes down goes by another
// leaf: the ring takes as long, but for what starts again.
func TestMachineWithOutage(t *testing.T) {
	whole := metric(t, machine(t, "dgx_a100", "gpus=16"), "Gpu", "time")
	r := machine(t, "dgx_a100", "gpus=16", "failed=[{router: 0, port: 8, at: 100us, until: 400us}]")
	require.Greater(t, metric(t, r, "Net", "packets_resent"), 0.)
	require.InDelta(t, whole, metric(t, r, "Gpu", "time"), 400e3)
	require.NotEqual(t, whole, metric(t, r, "Gpu", "time"))
}

// Dragonflies of hosts play a collective on a part of their terminals.
func TestHostMachines(t *testing.T) {
	for preset, group := range map[string]string{"lumi": "groups=2", "alps": "groups=2", "leonardo": "cells=2"} {
		r := machine(t, preset, group, "ranks=64", "bytes=1MiB")
		require.Equal(t, 64., metric(t, r, "Ranks", "ranks"))
		require.Greater(t, metric(t, r, "Ranks", "time"), 2*63./64*(1<<20)/50, preset)
	}
}

// The algorithm of a machine is that of its all-reduce: another collective goes by its own,
// and a warning says so.
func TestAlgorithmOfAnotherCollective(t *testing.T) {
	r := machine(t, "dgx_a100", "collective=all_gather", "algorithm=direct")
	require.Equal(t, []string{"Gpu: collectives of all_reduce have no effect on pattern all_gather: its all_gather goes by ring"}, r.Warnings)
	require.Empty(t, machine(t, "dgx_a100").Warnings)
	require.Empty(t, machine(t, "dgx_a100", "collective=all_gather", "Gpu.collectives.all_gather=direct").Warnings)
}

// sharp is eight ranks under a fat tree that adds up: 10 GB/s, 10 ns a channel, 5 ns a router.
const sharp = `schema: causeway/1
nodes:
  - {name: Ranks, kind: ranks, ranks: 8, pattern: {name: all_reduce, bytes: 1MB}, collectives: {all_reduce: in_network}}
  - {name: Net, kind: network, fidelity: flow, reduce: true, topology: {name: fat_tree, k: 4, n: 2}, clock: 1GHz, router: {latency: 5ns}, terminal: {bandwidth: 10GB/s, latency: 10ns}, local: {bandwidth: 10GB/s, latency: 10ns}}
links:
  - Ranks -> Net
`

// Where routers add up, an all-reduce takes its bytes once over a link, a way up and down;
// in chunks, one after the other and at fidelity packet as well. A ring takes 2 (1 - 1/n).
func TestAllReduceInTheNetwork(t *testing.T) {
	run := func(set ...string) (*result.Result, error) {
		x, err := experiment.Load(write(t, "sharp.yaml", sharp), experiment.Options{Set: set})
		if err != nil {
			return nil, err
		}
		r, _, err := x.Run(context.Background(), nil)
		return r, err
	}
	for _, set := range [][]string{nil, {"Net.fidelity=packet"}, {"Ranks.ranks=16"}, {"Ranks.collectives.all_reduce={name: in_network, chunks: 4}"}, {"Ranks.pattern.steps=3"}} {
		r, err := run(set...)
		require.NoError(t, err)
		require.InDelta(t, 1e5+4*10+3*5, metric(t, r, "Ranks", "time"), 4, "%v", set)
	}
	r, err := run("Ranks.collectives.all_reduce=ring")
	require.NoError(t, err)
	require.InEpsilon(t, 2*7./8*1e5, metric(t, r, "Ranks", "time"), 0.01)
	for set, want := range map[string]string{
		"Net.reduce=false":                         "algorithm in_network: Net: its routers do not add up (want reduce: true)",
		"Net.fidelity=packet":                      "",
		"Net.failed=[{router: 0, to: 4, at: 1us}]": "its channels fail during the run, and sums do not go around",
	} {
		if _, err := experiment.Load(write(t, "sharp.yaml", sharp), experiment.Options{Set: []string{set}}); want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}

// Far more ranks than ports are refused before a collective is planned for them.
func TestMachineOfTooManyRanks(t *testing.T) {
	_, err := experiment.Load(write(t, "m.yaml", "schema: causeway/1\nextends: preset:leonardo\n"), experiment.Options{Set: []string{"ranks=100000"}})
	require.ErrorContains(t, err, "there are 100000 ranks and 4140 ports linked to terminals")
}

// A machine of one group has no channels between groups: what its file says of them is
// noted, and no error about a key that its user has not written.
func TestMachineOfOneGroup(t *testing.T) {
	for machineOf, set := range map[string][]string{"leonardo": {"cells=1", "ranks=8"}, "lumi": {"groups=1", "ranks=8"}} {
		r := machine(t, machineOf, append(set, "bytes=64KiB")...)
		require.Greater(t, metric(t, r, "Ranks", "time"), 0.)
		require.Contains(t, strings.Join(r.Assumptions, "\n"), "Net: global.latency has no effect: topology dragonfly")
		_, err := experiment.Load(write(t, "m.yaml", "schema: causeway/1\nextends: preset:"+machineOf+"\n"), experiment.Options{Set: append(set, "Net.global.latency=5ns")})
		require.ErrorContains(t, err, "--set:3: nodes.Net.global.latency: has no effect")
	}
}
