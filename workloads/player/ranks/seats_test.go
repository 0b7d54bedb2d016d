package ranks_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	_ "github.com/causeway-sim/causeway/components/std"
)

// seated runs a workload on chips with an interface each, which are the seats of the ranks that
// the workload's parallelism makes.
func seated(t *testing.T, workload, nodes, player string, chips int) *result.Result {
	x, err := experiment.Parse("seats.yaml", []byte(fmt.Sprintf("schema: causeway/1\nworkload: %s\nnodes:\n%s"+
		"  - {name: Chip, kind: roofline, count: %d, compute: 1TFLOP/s, memory: 100GB/s}\n"+
		"  - {name: Nic, kind: nic, count: %d, bandwidth: 5GB/s, overhead: 200ns, energy: {card: connectx7}}\n"+
		"  - {name: Net, kind: network, fidelity: flow, topology: {name: crossbar, terminals: %d}, clock: 1GHz}\nlinks: [%s -> Chip, %s -> Nic, Nic -> Net]\n", workload, nodes, chips, chips, chips, player, player)), experiment.Options{})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	return r
}

func metricOf(t *testing.T, r *result.Result, where, name string) float64 {
	m, ok := r.Metric(where, name)
	require.True(t, ok, "%s.%s", where, name)
	return m.Value
}

// Chips share operators, replicas or stages, and their interfaces send what that takes. By hand: a ring over n
// ranks has 2 (n - 1) steps for each all-reduce, and each rank sends 2 (n - 1) / n of its bytes; of two stages the first
// sends its results, and the second nothing. An interface takes 100 pJ for each byte sent. In small
// transfers every step costs a rank its bytes at 5 GB/s in whole cycles, 200 cycles of overhead, and 208
// until the message has come through the network and the other interface. Causes of a node add up to its time.
func TestSeatsSendWhatTheirOperatorsTransfer(t *testing.T) {
	const schedule = "  - {name: Schedule, kind: schedule, grain: operator}\n"
	const serve = "  - {name: Serve, kind: serve, tokens: 64}\n"
	for _, x := range []struct {
		name, workload, nodes, player string
		sent                          []float64 // by each interface, as a part of transfer_bytes
		long                          bool      // messages take far longer than their overhead, which no rank waits for
	}{
		{"tensor", "{model: gpt2, layers: 0..0, sequence: 8, parallel: {tensor: 2}}", schedule, "Schedule", []float64{1, 1}, false},
		{"tensor of four", "{model: gpt2, layers: 0..0, sequence: 8, parallel: {tensor: 4}}", schedule, "Schedule", []float64{1.5, 1.5, 1.5, 1.5}, false},
		{"data", "{model: gpt2, layers: 0..0, sequence: 8, training: {microbatches: 1}, parallel: {data: 4}}", schedule, "Schedule", []float64{1.5, 1.5, 1.5, 1.5}, true},
		{"served", "{model: llama3_8b, layers: 0..0, dtype: bf16, parallel: {tensor: 2}, requests: {count: 3, prompt: 8, output: 4}}", serve, "Serve", []float64{1, 1}, false},
		{"frames", "{model: gpt2, layers: 0..1, sequence: 8, parallel: {pipeline: 2}, frames: 3}", schedule, "Schedule", []float64{1, 0}, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			n := len(x.sent)
			r := seated(t, x.workload, x.nodes, x.player, n)
			bytes, transfers := metricOf(t, r, "Nic[0]", "transfer_bytes"), metricOf(t, r, "Nic[0]", "transfers")
			require.Positive(t, bytes)
			for i, share := range x.sent {
				name := fmt.Sprintf("Nic[%d]", i)
				require.Equal(t, bytes, metricOf(t, r, name, "transfer_bytes"))
				require.Equal(t, transfers, metricOf(t, r, name, "transfers"))
				require.InEpsilon(t, 1+100*share*bytes, 1+metricOf(t, r, name, "energy")-metricOf(t, r, name, "energy_idle"), 1e-6)
			}
			for _, p := range r.Causes.Parts {
				require.InEpsilon(t, p.Time, p.Used(), 1e-9, p.Name)
			}
			nics := r.Causes.Part("Nic")
			require.Equal(t, n, nics.Nodes)
			if x.long {
				return
			}
			steps := transfers * 2 * float64(n-1)
			require.InDelta(t, float64(n)*x.sent[0]*bytes/5, nics.Part("bandwidth").Time, float64(n)*steps)
			require.InDelta(t, float64(n)*steps*200, nics.Part("overhead").Time, 1e-6)
			require.InDelta(t, float64(n)*steps*208, nics.Part("messages").Time, 1e-6)
			require.InDelta(t, r.Causes.Part("Chip").Part("network").Time, nics.Time-nics.Part("idle").Time, float64(n)*transfers*4, "chips wait while interfaces work")
		})
	}
}
