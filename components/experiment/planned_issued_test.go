package experiment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// sharedLlama is two layers of LLaMA-3 8B that chips share, and one request.
const sharedLlama = `
schema: causeway/1
params: {times: issued, chips: 8}
workload: {model: llama3_8b, dtype: bf16, layers: 0..1, parallel: {tensor: 8}, requests: {count: 1, prompt: 96, output: 4}}
collectives: {all_reduce: %s}
nodes:
  - {name: Serve, kind: serve, times: $times, kv_memory: 1GiB}
  - {name: Chip, %s, count: $chips}
  - {name: Nic, kind: nic, count: $chips, %s}
  - {name: Net, kind: network, clock: 1GHz, width: 64B, %s}
links: [Serve -> Chip, Serve -> Nic, Nic -> Net]
`

const (
	h100 = "kind: gpu, preset: h100"
	tiny = "workload.parallel={tensor: 2};chips=2"
	chip = "kind: roofline, compute: 200TFLOP/s, memory: 1TB/s"
)

// Where nothing competes a step takes what its operators take that are issued, collectives by
// their schedules on their network included.
func TestPlannedIsIssuedOverANetwork(t *testing.T) {
	for _, m := range []struct{ collective, chip, nic, net, set string }{
		{"ring", h100, "overhead: 3us", "fidelity: flow, topology: {name: crossbar, terminals: 8}, terminal: {bandwidth: 450GB/s, latency: 300ns}", ""},
		{"ring", h100, "overhead: 3us, bandwidth: 450GB/s", "fidelity: flow, topology: {name: crossbar, terminals: 8}, terminal: {bandwidth: 5GB/s, latency: 300ns}", ""},
		{"halving_doubling", h100, "overhead: 1us, bandwidth: 25GB/s", "fidelity: packet, topology: {name: crossbar, terminals: 8}, terminal: {bandwidth: 100GB/s}", ""},
		{"ring", chip, "overhead: 500ns", "fidelity: flit, topology: {name: ring, size: 8}", ""},
		{"tree", chip, "overhead: 500ns, bandwidth: 20GB/s", "fidelity: flit, topology: {name: torus, dims: [2, 4]}", ""},
		{"{name: ring, chunks: 4}", chip, "overhead: 2us, bandwidth: 50GB/s, switching: store_and_forward", "fidelity: packet, topology: {name: mesh, dims: [2, 4]}", ""},
		{"direct", chip, "overhead: 200ns, memory: 200GB/s, cost: [{bytes: 0B, time: 200ns}, {bytes: 1MiB, time: 10us}]", "fidelity: flow, topology: {name: crossbar, terminals: 8}", ""},
		{"[{name: halving_doubling, upto: 64KiB}, ring]", h100, "overhead: 1us", "fidelity: packet, topology: {name: fat_tree, k: 4}", ""},
		{"halving_doubling", h100, "overhead: 500ns, bandwidth: 50GB/s", "topology: {name: dragonfly, p: 2, a: 4, h: 2}, routing: {name: ugal_l}, global: {bandwidth: 25GB/s}", ""},
		{"ring", chip, "overhead: 1us", "fidelity: flow, topology: {name: crossbar, terminals: 8}", "workload.parallel={tensor: 8, sequence: true}"},
		{"ring", chip, "overhead: 1us", "fidelity: flow, topology: {name: crossbar, terminals: 8}", "Serve.tokens=4097;workload.requests.prompt=4097"},
		{"ring", chip, "overhead: 1us, bandwidth: 1GB/s", "topology: {name: crossbar, terminals: 2}", tiny},
		{"ring", h100, "overhead: 3us, bandwidth: 25GB/s, eager: 4KiB", "fidelity: flow, topology: {name: crossbar, terminals: 8}", "workload.parallel={tensor: 4};Serve.instances={prefill: 1, decode: 1}"},
	} {
		run := func(times string) *result.Result {
			set := []string{"times=" + times}
			if m.set != "" {
				set = append(set, strings.Split(m.set, ";")...)
			}
			text := fmt.Sprintf(sharedLlama, m.collective, m.chip, m.nic, m.net)
			if m.set == tiny { // two layers that are alike have one price
				text = strings.Replace(text, "model: llama3_8b, dtype: bf16, layers: 0..1", "file: llama/config.json, dtype: bf16", 1)
			}
			r, err := serve(t, text, experiment.Options{Set: set})
			require.NoError(t, err, "%+v", m)
			require.Equal(t, result.Complete, r.Status, r.Reason)
			return r
		}
		issued, planned := run("issued"), run("planned")
		names := []string{"ttft_mean", "tpot_mean", "total_time"}
		if strings.Contains(m.set, "instances") {
			names = append(names, "kv_transfer_mean")
		}
		for _, name := range names {
			require.InEpsilon(t, value(t, issued, "Serve", name), value(t, planned, "Serve", name), 0.01, "%s of %+v", name, m)
		}
	}
}

// Slower channels, another algorithm and interfaces without a rate change what a planned step
// takes.
func TestPlannedSeesTheNetwork(t *testing.T) {
	took := func(set ...string) float64 {
		text := fmt.Sprintf(sharedLlama, "ring", h100, "overhead: 1us, bandwidth: 50GB/s", "fidelity: flow, topology: {name: crossbar, terminals: 8}")
		r, err := serve(t, text, experiment.Options{Set: append([]string{"times=planned"}, set...)})
		require.NoError(t, err)
		return value(t, r, "Serve", "ttft_mean")
	}
	base := took()
	// Four sums of 96 tokens of 4,096 values of two bytes, 7/4 of them each way.
	const bytes = 4 * 96 * 4096 * 2 * 7 / 4
	require.InEpsilon(t, bytes*(1-1/50.), took("Net.terminal.bandwidth=1GB/s")-base, 0.02)
	require.InEpsilon(t, bytes/64.-bytes/50., took("Nic.bandwidth=0B/s")-base, 0.02, "the channels of 64 GB/s are left")
	require.InEpsilon(t, 4*2*14*1000, took("Nic.overhead=2us")-base, 0.02, "at both ends of 14 steps")
	require.InEpsilon(t, 4*2*(14-6)*1000, base-took("collectives.all_reduce=halving_doubling"), 0.05, "of which it has six")
}

// Chips without an interface for their rank are refused, as with times: issued.
func TestPlannedNeedsInterfaces(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(sharedLlama, "ring", chip, "overhead: 1us", "fidelity: flow, topology: {name: crossbar, terminals: 8}"), "kind: nic, count: $chips", "kind: nic, count: 4", 1)
	_, err := serve(t, text, experiment.Options{Set: []string{"times=planned", "workload.parallel={tensor: 4}", "Serve.instances={prefill: 1, decode: 1}"}})
	require.ErrorContains(t, err, "2 instances of 4 chips each need 8 nodes of kind nic, and Serve is linked to 4")
	text = fmt.Sprintf(sharedLlama, "ring", chip, "overhead: 1us", "fidelity: flow, topology: {name: crossbar, terminals: 8}")
	_, err = serve(t, text, experiment.Options{Set: []string{"times=planned", "workload.parallel={tensor: 4, pipeline: 2}"}})
	require.ErrorContains(t, err, "pipeline: has no effect")
}
