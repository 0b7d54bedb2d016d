package std

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// ofText runs a configuration.
func ofText(t *testing.T, text string) *result.Result {
	l := experiment.NewLoader(experiment.Options{})
	l.Text("causes.yaml", []byte(text))
	x, err := l.Open("causes.yaml", nil)
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	require.Empty(t, r.Causes.Check())
	return r
}

// busy is the time of a node that is not idle.
func busy(t *cause.Tree) float64 {
	if idle := t.Part(cause.Idle); idle != nil {
		return t.Used() - idle.Time
	}
	return t.Used()
}

const oneAtATime = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, mode: "closed:MANY", generate: {name: random, size: 1MiB, count: 200}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns, bandwidth: 10GB/s}
`

// A node between a driver of one request at a time and its memory is busy as long as the driver
// waits, less the cycle that each of the two links takes.
func TestBusyOfNodesBetween(t *testing.T) {
	for node, rest := range map[string]string{
		"Arbiter": "  - {name: Arbiter, kind: arbiter}\nlinks: [Driver -> Arbiter.first, Arbiter.bottom -> Mem]\n",
		"XLink":   "  - {name: XLink, kind: memlink, preset: ualink_x4}\nlinks: [Driver -> XLink.top, XLink.bottom -> Mem]\n",
		"Tier":    "  - {name: Tier, kind: tiering, tiers: 1, capacity: [1MiB]}\nlinks: [Driver -> Tier.top, \"Tier.bottom[0] -> Mem\"]\nmemory: [{tier: m, node: Mem, base: 0B, size: 1MiB}]\n",
	} {
		many := map[string]*result.Result{}
		for _, n := range []string{"1", "64"} {
			many[n] = ofText(t, strings.ReplaceAll(oneAtATime, "MANY", n)+rest)
		}
		r := many["1"]
		tree := r.Causes.Part(node)
		require.NotNil(t, tree, node)
		mean, ok := r.Metric("Driver", "read_latency_from_accept_mean_ns")
		require.True(t, ok)
		require.InDelta(t, mean.Value, busy(tree)/200, 2.5, node)
		require.Nil(t, tree.Part("queue"), node)
		require.Nil(t, tree.Part("places"), node)
		total, _ := r.Metric("", "total_time")
		require.InDelta(t, total.Value, tree.Used(), 2, node)
		require.Less(t, busy(many["64"].Causes.Part(node)), busy(tree)/4, node)
	}
}

// A driver of one request at a time waits for each in turn; one whose requests arrive seldom waits
// for them to arrive.
func TestCausesOfDriver(t *testing.T) {
	for mode, arrivals := range map[string]bool{"closed:1": false, "closed:64": false, "open:1000": true} {
		r := ofText(t, strings.ReplaceAll(oneAtATime, "closed:MANY", mode)+"links: [Driver -> Mem]\n")
		tree := r.Causes.Part("Driver")
		total, _ := r.Metric("Driver", "total_cycles")
		mean, _ := r.Metric("Driver", "read_latency_from_arrival_mean")
		require.Equal(t, arrivals, tree.Part("arrivals") != nil, mode)
		require.Equal(t, "Mem", tree.Part("memory").WaitsFor, mode)
		if mode != "closed:64" { // no two requests are under way at once
			waits := tree.Part("memory").Time
			if p := tree.Part("acceptance"); p != nil {
				waits += p.Time
			}
			ns := r.Causes.Part("Driver").Time / total.Value // a cycle, but for the rest of the run
			require.InEpsilon(t, 200*mean.Value*ns, waits, 0.02, mode)
		}
	}
}

// The sentence says when a stride leaves most work to one bank, and nothing of banks otherwise.
func TestCausesOfMemoryNameBanks(t *testing.T) {
	for stride, says := range map[int]string{1 << 20: "the busiest of its banks takes 16 times the bursts of the mean bank", 64: ""} {
		var trace strings.Builder
		for i := range 1024 {
			fmt.Fprintf(&trace, "R 0x%x\n", i*stride)
		}
		file := filepath.Join(t.TempDir(), "strides.trace")
		require.NoError(t, os.WriteFile(file, []byte(trace.String()), 0o644))
		r := ofText(t, "schema: causeway/1\nnodes:\n  - {name: Driver, kind: driver, mode: \"closed:256\", trace: "+file+", format: harness}\n  - {name: Mem, kind: memory, preset: hbm2}\nlinks: [Driver -> Mem]\n")
		require.Equal(t, says != "", strings.Contains(r.Sentence, "of its banks"), r.Sentence)
		require.Contains(t, r.Sentence, says)
	}
}

// The sentence on a network names its busiest channels.
func TestCausesOfNetworkNameChannels(t *testing.T) {
	r := explained(t, "mesh")
	require.Regexp(t, `busiest of its channels: Net\.r\d+->r\d+ \(2\d\.\d %\), Net\.r`, r.Sentence)
}

// Steps compute or wait for their reads; hosts divide the time of each of them.
func TestCausesOfPlayers(t *testing.T) {
	r := ofText(t, `schema: causeway/1
nodes:
  - {name: GPU, kind: steps, compute: 1GFLOP/s, work: {name: llm, layers: 1, context: 64}}
  - {name: Near, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 3.35TB/s}
links: [GPU -> Near]
`)
	tree := r.Causes.Part("GPU")
	for part, metric := range map[string]string{"compute": "compute_time", "memory": "wait_time"} {
		m, _ := r.Metric("GPU", metric)
		require.InEpsilon(t, m.Value, tree.Part(part).Time, 1e-9, part)
	}
	require.Equal(t, "Near", tree.Part("memory").WaitsFor)

	x, err := experiment.Load("../../configs/studies/tsim4cxl/compat.yaml", experiment.Options{Set: []string{"run=wr64k_2h", "hosts=2", "ports=2"}})
	require.NoError(t, err)
	r, _, err = x.Run(context.Background(), nil)
	require.NoError(t, err)
	hosts := r.Causes.Part("Hosts")
	require.Equal(t, 2, hosts.Nodes)
	require.InEpsilon(t, hosts.Time, hosts.Used(), 1e-9)
	require.NotNil(t, hosts.Part("compute"))
	require.NotNil(t, hosts.Part("memory"))
}
