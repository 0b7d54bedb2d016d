package experiment_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// skipped runs a system of ranks on a network that skips.
func skipped(t *testing.T, text, skip string, engine ...string) *result.Result {
	t.Helper()
	x, err := experiment.Parse("skip.yaml", []byte("schema: causeway/1\nsimulation: {record: {channels: true}}\n"+strings.Replace(text, "SKIP", skip, 1)), experiment.Options{Observe: true, Engine: strings.Join(engine, "")})
	require.NoError(t, err, text)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err, text)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	return r
}

// folded reports whether a run has simulated one rank for several.
func folded(r *result.Result) bool {
	return strings.Contains(strings.Join(r.Assumptions, "\n"), "that do the same at the same times")
}

// equalRuns runs a system with skip: exact, on an engine, and without, holds the results equal, and
// returns whether anything was skipped.
func equalRuns(t *testing.T, text string, engine ...string) bool {
	t.Helper()
	few, all := skipped(t, text, "exact", engine...), skipped(t, text, "off")
	require.Equal(t, all.Metrics, few.Metrics, text)
	require.Equal(t, all.Layers, few.Layers, text)
	require.Equal(t, all.Causes, few.Causes, text)
	require.Equal(t, all.Channels, few.Channels, text)
	require.Equal(t, all.Sentence, few.Sentence, text)
	require.NotEqual(t, folded(few), strings.Contains(strings.Join(few.Warnings, "\n"), "has no effect, every rank is simulated"), text)
	return folded(few)
}

// skipTrials is how many random systems a test tries: CAUSEWAY_TRIALS, else 50.
func skipTrials(t *testing.T) int {
	text := os.Getenv("CAUSEWAY_TRIALS")
	if text == "" {
		return 50
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "CAUSEWAY_TRIALS is no number")
	return n
}

// One of several equal ranks gives the results of all to the byte, whatever the network, the program,
// its interfaces and the engine; where ranks are not equal, all are simulated. CAUSEWAY_TRIALS is how many
// systems are drawn.
func TestEqualRanksAreSkippedExactly(t *testing.T) {
	trials, skips := skipTrials(t), 0
	for i := range trials {
		rng := rand.New(rand.NewPCG(31, uint64(i)))
		if equalRuns(t, randomRanks(rng), pick(rng, "", "serial", "parallel", "shuffle:7")) {
			skips++
		}
	}
	t.Logf("%d of %d systems have equal ranks", skips, trials)
	require.Greater(t, 3*skips, trials)
}

// pick returns one of some values.
func pick[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// randomRanks draws a network, a program and the interfaces of its ranks.
func randomRanks(rng *rand.Rand) string {
	type net struct {
		topology string
		ranks    []int
	}
	n := pick(rng,
		net{"{name: crossbar, terminals: 24}", []int{2, 3, 6, 8, 12, 16, 24}},
		net{"{name: fully_connected, routers: 6, concentration: 4}", []int{4, 8, 12, 16, 24}},
		net{"{name: ring, size: 12, concentration: 2}", []int{4, 12, 16, 24}},
		net{"{name: torus, dims: [4, 4], concentration: 1}", []int{4, 8, 16}},
		net{"{name: torus, dims: [3, 5], concentration: 2}", []int{6, 10, 30}},
		net{"{name: mesh, dims: [4, 4], concentration: 2}", []int{16, 32}},
		net{"{name: hyperx, dims: [3, 4], concentration: 2}", []int{6, 8, 24}},
		net{"{name: dragonfly, p: 2, a: 4, h: 2, arrangement: palm_tree}", []int{8, 36, 72}},
		net{"{name: dragonfly, p: 1, a: 4, h: 1, arrangement: relative}", []int{4, 10, 20}},
		net{"{name: fat_tree, k: 4, n: 2}, routing: d_mod_k", []int{4, 8, 16}},
		net{"{name: fat_tree, k: 3, n: 3}, routing: d_mod_k", []int{9, 27}},
	)
	ranks := pick(rng, n.ranks...)
	bytes := ranks * 4 * pick(rng, 1, 3, 64, 256)
	if rng.IntN(6) == 0 {
		bytes += pick(rng, 1, 2, 4)
	}
	pattern := fmt.Sprintf("{name: %s, bytes: %dB, steps: %d%s}", pick(rng, "all_reduce", "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "barrier", "broadcast"), bytes, 1+rng.IntN(3), pick(rng, "", ", compute: 300ns"))
	switch {
	case strings.Contains(pattern, "barrier"):
		pattern = "{name: barrier, steps: 2}"
	case rng.IntN(5) == 0:
		pattern = pick(rng, "{name: halo3d, cells: [8, 8, 8], periodic: true, compute: 1us}", "{name: halo3d, cells: [8, 8, 8]}", "{name: fft, points: [32, 32, 32]}", "{name: milc, sites: [2, 2, 2, 4], steps: 2}", "{name: ping_pong}", "{name: sweep3d, cells: [4, 4, 8]}")
		if strings.Contains(pattern, "ping_pong") && ranks%2 > 0 {
			pattern = "{name: halo3d}"
		}
	}
	reduce := []string{"ring", "ring", "ring", "{name: ring, chunks: 2}", "recursive_doubling", "double_binary_tree", "direct"}
	if ranks&(ranks-1) == 0 {
		reduce = append(reduce, "halving_doubling", "halving_doubling", "{name: halving_doubling, order: near}")
	}
	if ranks%4 == 0 && ranks > 4 {
		reduce = append(reduce, "{name: hierarchical, group: 4}", "{name: hierarchical, group: 2}")
	}
	nic := []string{"overhead: " + pick(rng, "0ns", "5ns", "100ns"), "eager: " + pick(rng, "64B", "8KiB")}
	if rng.IntN(3) == 0 {
		nic = append(nic, "bandwidth: "+pick(rng, "5GB/s", "40GB/s"))
		if rng.IntN(2) == 0 {
			nic = append(nic, "switching: store_and_forward")
		}
	}
	if rng.IntN(4) == 0 {
		nic = append(nic, "inject: 32B")
	}
	fidelity := pick(rng, "packet, packet: "+pick(rng, "0", "2", "16"), "packet", "flow", "flow, express: 64B")
	for _, key := range []string{"switching: store_and_forward", "rounding: down", "header: 8B", "router: {latency: 3ns}"} {
		if rng.IntN(5) == 0 {
			fidelity += ", " + key
		}
	}
	class := "local"
	if strings.Contains(n.topology, "dragonfly") && rng.IntN(2) == 0 {
		class = "global"
	}
	if !strings.Contains(n.topology, "crossbar") && rng.IntN(2) == 0 {
		fidelity += fmt.Sprintf(", %s: {latency: %s, bandwidth: %s}", class, pick(rng, "2ns", "30ns", "200ns"), pick(rng, "7GB/s", "16GB/s", "64GB/s"))
	}
	return fmt.Sprintf(`nodes:
  - {name: Ranks, kind: ranks, ranks: %d, pattern: %s, collectives: {all_reduce: %s}, placement: %s, nic: {%s}, memory: %s, clock: %s}
  - {name: Net, kind: network, fidelity: %s, topology: %s, terminal: {latency: %s}, clock: %s, width: %s, skip: "SKIP"}
links: [%s]
`, ranks, pattern, pick(rng, reduce...), pick(rng, "linear", "linear", "linear", "router", "random"), strings.Join(nic, ", "), pick(rng, "0B/s", "50GB/s", "1TB/s"), pick(rng, "1GHz", "2GHz"),
		fidelity, n.topology, pick(rng, "1ns", "10ns"), pick(rng, "1GHz", "1.3GHz"), pick(rng, "8B", "32B"),
		pick(rng, "Ranks -> Net", "{link: Ranks -> Net, latency: 20ns}", "{link: Ranks -> Net, bandwidth: 20GB/s}"))
}

// Ranks whose messages meet at a channel, or whose channels lie at edges, are not taken as equal.
func TestRanksThatSeemEqual(t *testing.T) {
	for _, text := range []string{`nodes:
  - {name: Ranks, kind: ranks, ranks: 30, pattern: {name: all_to_all, bytes: 360B, steps: 2, compute: 300ns}, nic: {overhead: 100ns, eager: 64B, bandwidth: 5GB/s, switching: store_and_forward}, memory: 1TB/s}
  - {name: Net, kind: network, fidelity: flow, topology: {name: torus, dims: [3, 5], concentration: 2}, terminal: {latency: 10ns}, width: 8B, skip: "SKIP"}
links: [{link: Ranks -> Net, bandwidth: 20GB/s}]
`, `nodes:
  - {name: Ranks, kind: ranks, ranks: 32, pattern: {name: all_reduce, bytes: 8192B, steps: 2}, collectives: {all_reduce: halving_doubling}, nic: {overhead: 100ns, bandwidth: 5GB/s, switching: store_and_forward}}
  - {name: Net, kind: network, fidelity: flow, rounding: down, local: {latency: 30ns, bandwidth: 7GB/s}, topology: {name: mesh, dims: [4, 4], concentration: 2}, clock: 1.3GHz, width: 8B, skip: "SKIP"}
links: [Ranks -> Net]
`} {
		require.False(t, equalRuns(t, text), text)
	}
}

// What does not go with skip is an error at its key, or a warning that says why all are simulated.
func TestSkipMistakes(t *testing.T) {
	const net = "{name: Net, kind: network, topology: {name: crossbar, terminals: 8}, "
	for keys, want := range map[string]string{
		`skip: "on"}`: `nodes.Net.skip: "on" is not known (want one of: off, exact)`,
		"skip: exact, congestion: {name: dcqcn}}": "nodes.Net.skip: does not go with congestion: endpoints control each flow apart (want off)",
		"skip: exact, fidelity: flit}":            "nodes.Net.skip: has no effect at fidelity flit (used by: flow, packet)",
	} {
		_, err := experiment.Parse("skip.yaml", []byte("schema: causeway/1\nnodes: [{name: R, kind: ranks, ranks: 8, pattern: {name: all_reduce}}, "+net+keys+"]\nlinks: [R -> Net]\n"), experiment.Options{})
		require.ErrorContains(t, err, want, keys)
	}
	const ring = "{name: R, kind: ranks, ranks: 8, pattern: {name: all_reduce, bytes: 32KiB}"
	for text, want := range map[string]string{
		ring + ", stragglers: [{rank: 1, late: 1us}]}, " + net + `skip: "SKIP"}`: "some ranks are stragglers.",
		ring + ", nic: {interfaces: 2}}, " + net + `skip: "SKIP"}`:               "nic.interfaces carry out sends of collectives in turn.",
		ring + "}, " + net + `packet: 4, buffer: 64, skip: "SKIP"}`:              "its buffers have an end (want buffer: 0).",
	} {
		r := skipped(t, "nodes: ["+text+"]\nlinks: [R -> Net]\n", "exact")
		require.Contains(t, strings.Join(r.Warnings, "\n"), "Net.skip: exact has no effect, every rank is simulated: "+want)
	}
	traffic := skipped(t, "nodes: [{name: T, kind: traffic, load: 0.1}, "+net+"skip: \"SKIP\"}]\nlinks: [T -> Net]\n", "exact")
	require.Contains(t, strings.Join(traffic.Warnings, "\n"), "no node of kind ranks sends its messages alone (used by: kind ranks).")
	two := skipped(t, "nodes: ["+ring+"}, {name: S, kind: ranks, ranks: 8, pattern: {name: all_reduce}}, {name: Net, kind: network, topology: {name: crossbar, terminals: 16}, skip: \"SKIP\"}]\nlinks: [R -> Net, S -> Net]\n", "exact")
	require.Contains(t, strings.Join(two.Warnings, "\n"), "is on the network, too.")
}

// A step of training has the published bubble where messages take no time to speak of, and its
// replicas are equal: of 3 stages, 4 replicas and 2 parts all parts but one replica's are skipped.
func TestTrainingStepsAreSkipped(t *testing.T) {
	const text = `nodes:
  - {name: Ranks, kind: ranks, ranks: 24, pattern: {name: training, tensor: 2, pipeline: 3, layers: 6, microbatches: 5, forward: 1ms, backward: 2ms, activation: 1KiB, gradient: 2KiB}}
  - {name: Net, kind: network, topology: {name: torus, dims: [4, 3], concentration: 2}, terminal: {latency: 10ns}, local: {latency: 30ns}, skip: "SKIP"}
links: [Ranks -> Net]
`
	require.True(t, equalRuns(t, text))
	r := skipped(t, text, "exact")
	require.Contains(t, strings.Join(r.Assumptions, "\n"), "stands for 4 that do")
	m, ok := r.Metric("Ranks", "total_time")
	require.True(t, ok)
	require.InEpsilon(t, (5+3-1)*2*3e6, m.Value, 0.001)
}
