package ranks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/player/ranks"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// built makes the nodes of a configuration, and has players plan.
func built(text string) (*engine.Engine, *system.System, error) {
	d, err := configs.Parse("f.yaml", []byte("schema: causeway/1\n"+text), configs.Options{})
	if err != nil {
		return nil, nil, err
	}
	e := engine.New()
	s, err := system.Build(d, &system.Env{Engine: e})
	if err != nil {
		return nil, nil, err
	}
	for _, n := range s.Nodes() {
		if p, ok := n.(seat.Player); ok {
			if err := p.Plan(); err != nil {
				return nil, nil, err
			}
		}
	}
	return e, s, nil
}

// played runs a configuration and returns its metrics, its rows of ranks and its warnings.
func played(t *testing.T, text string) (map[string]float64, [][]any, string) {
	e, s, err := built(text)
	require.NoError(t, err, text)
	for _, n := range s.Nodes() {
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	require.NoError(t, e.Run())
	metrics, rows, said := map[string]float64{}, [][]any(nil), ""
	for _, n := range s.Nodes() {
		require.Empty(t, n.Stats().Verify(), n.Name())
		for _, m := range n.Stats().Metrics() {
			metrics[n.Name()+"."+m.Name] = m.Value
		}
		if c, ok := n.(*ranks.Comp); ok {
			rows = c.Layers().Held().Rows
		}
		if w, ok := n.(system.Warner); ok {
			said += strings.Join(w.Warnings(), "\n")
		}
	}
	return metrics, rows, said
}

// Ranks that do the same are simulated once for each set: metrics and rows are those of all, whatever the collective, its
// algorithm, the messages, answers and interfaces, at both fidelities that have flows.
func TestOneRankStandsForItsSet(t *testing.T) {
	const net = "  - {name: Net, kind: network, clock: 1GHz, width: 8B, skip: SKIP, "
	folded := 0
	for _, x := range []struct{ player, net string }{
		{"ranks: 8, pattern: {name: all_reduce, bytes: 4KiB, steps: 2, compute: 300ns}, collectives: {all_reduce: ring}", "fidelity: packet, topology: {name: crossbar, terminals: 8}}"},
		{"ranks: 8, pattern: {name: all_reduce, bytes: 4KiB}, memory: 20GB/s, collectives: {all_reduce: halving_doubling}, nic: {overhead: 5ns, bandwidth: 5GB/s}", "fidelity: flow, topology: {name: crossbar, terminals: 8}}"},
		{"ranks: 16, pattern: {name: all_to_all, bytes: 4KiB}, nic: {inject: 32B}", "fidelity: packet, topology: {name: torus, dims: [4, 4], concentration: 1}}"},
		{"ranks: 8, pattern: {name: halo3d, cells: [8, 8, 8], periodic: true, compute: 1us}, nic: {eager: 64B}", "fidelity: packet, topology: {name: crossbar, terminals: 8}}"},
		{"ranks: 8, pattern: {name: barrier, steps: 2}", "fidelity: flow, topology: {name: crossbar, terminals: 8}}"},
		{"ranks: 6, pattern: {name: broadcast, bytes: 4KiB}", "fidelity: flow, topology: {name: crossbar, terminals: 8}}"},
		{"ranks: 8, pattern: {name: all_reduce, bytes: 16KiB}, collectives: {all_reduce: {name: hierarchical, group: 4}}", "fidelity: flow, topology: {name: fully_connected, routers: 4, concentration: 2}}"},
	} {
		text := "nodes:\n  - {name: Ranks, kind: ranks, " + x.player + "}\n" + net + x.net + "\nlinks: [Ranks -> Net]\n"
		want, rows, _ := played(t, strings.ReplaceAll(text, "SKIP", `"off"`))
		got, folds, said := played(t, strings.ReplaceAll(text, "SKIP", "exact"))
		for name, v := range want {
			require.InDelta(t, v, got[name], 1e-9*v, "%s: %s", text, name)
		}
		require.Len(t, got, len(want))
		require.Equal(t, rows, folds)
		if !strings.Contains(said, "has no effect") {
			folded++
		}
	}
	require.GreaterOrEqual(t, folded, 5)
	for player, why := range map[string]string{
		"pattern: all_reduce, stragglers: [{rank: 1, late: 1us}]":                              "some ranks are stragglers",
		"pattern: all_reduce, nic: {interfaces: 2}":                                            "nic.interfaces carry out sends",
		"pattern: all_reduce, nic: {feed: [{bytes: 1KiB, time: 1us}]}":                         "nic.feed cuts messages",
		"pattern: {name: broadcast, bytes: 64B}, collectives: {broadcast: double_binary_tree}": "",
	} {
		_, _, said := played(t, "nodes:\n  - {name: Ranks, kind: ranks, ranks: 8, "+player+"}\n"+strings.ReplaceAll(net, "SKIP", "exact")+"fidelity: flow, topology: {name: crossbar, terminals: 8}}\nlinks: [Ranks -> Net]\n")
		require.Contains(t, said, why, player)
		require.Contains(t, said, "Net.skip: exact", player)
	}
}

// An algorithm without a schedule for a collective is the error that it is without skip (it was an internal error).
func TestAlgorithmsWithoutASchedule(t *testing.T) {
	for _, skip := range []string{`"off"`, "exact"} {
		_, _, err := built("nodes:\n  - {name: Ranks, kind: ranks, ranks: 8, pattern: {name: reduce, bytes: 64B}, collectives: {reduce: direct}}\n" +
			"  - {name: Net, kind: network, fidelity: flow, skip: " + skip + ", topology: {name: crossbar, terminals: 8}}\nlinks: [Ranks -> Net]\n")
		require.ErrorContains(t, err, "nodes.Ranks.ranks: rank 0, operation 0 (reduce of 64B): collective direct: it does not do reduce", skip)
	}
}

// Keys that contradict each other, or have no effect, are refused at their place.
func TestKeysOfRanks(t *testing.T) {
	for keys, want := range map[string]string{
		"trace: x.goal, pattern: barrier, ranks: 2": "there is a trace and a pattern",
		"pattern: barrier":                          "a pattern needs ranks",
		"pattern: barrier, ranks: 2, format: goal":  "format: has no effect on a pattern (used by: trace)",
		"pattern: barrier, ranks: 2, format: gaol":  `unknown format "gaol"`,
		"ranks: 2": "has no effect without a trace or a pattern",
		"pattern: barrier, ranks: 2, rounding: near":                           `rounding`,
		"pattern: barrier, ranks: 999999999":                                   "want at most",
		"trace: none.goal":                                                     "none.goal",
		"pattern: barrier, ranks: 2, nic: {interfaces: 2}":                     "",
		"pattern: barrier, ranks: 5":                                           "there are 5 ranks and 4 ports",
		"pattern: barrier, ranks: 2, nic: {spray: 4}":                          "is at no network whose endpoints control congestion",
		"pattern: all_reduce, ranks: 4, collectives: {all_reduce: in_network}": "",
	} {
		_, _, err := built("nodes:\n  - {name: Ranks, kind: ranks, " + keys + "}\n  - {name: Net, kind: network, fidelity: flow, topology: {name: crossbar, terminals: 4}}\nlinks: [Ranks -> Net]\n")
		if want == "" {
			if err != nil {
				require.NotContains(t, err.Error(), "panic")
			}
			continue
		}
		require.ErrorContains(t, err, want, keys)
	}
	warnings := func(pattern string) string {
		_, _, said := played(t, "nodes:\n  - {name: Ranks, kind: ranks, ranks: 4, pattern: "+pattern+", collectives: {all_gather: ring}}\n  - {name: Net, kind: network, fidelity: flow, topology: {name: crossbar, terminals: 4}}\nlinks: [Ranks -> Net]\n")
		return said
	}
	require.Contains(t, warnings("{name: all_reduce, bytes: 4KiB}"), "Ranks: collectives of all_gather have no effect on pattern all_reduce: its all_reduce goes by ring")
	require.Contains(t, warnings("{name: halo3d}"), "have no effect on pattern halo3d: it has no collectives")
	require.Empty(t, warnings("{name: all_gather, bytes: 4KiB}"))
}
