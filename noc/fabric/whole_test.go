package fabric

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/routing/deadlock"
	"github.com/causeway-sim/causeway/noc/topology"
)

// proven is a network with what is known of its routing.
type proven struct {
	n     *Network
	proof *deadlock.Proof
}

func networkOf(t testing.TB, top string, spec any, alg string, tune func(*setting.Config)) proven {
	x, err := topology.New(top, spec)
	require.NoError(t, err)
	a, err := routing.New(alg, x, nil)
	require.NoError(t, err)
	c := setting.BookSim(x, a)
	if tune != nil {
		tune(&c)
	}
	n, err := New(c)
	require.NoError(t, err)
	proof, err := deadlock.Check(x, a, 10_000_000)
	require.NoError(t, err)
	return proven{n, proof}
}

// A network is divided into its groups where they are far from each other and none asks for the state of another: for as
// many cycles as a flit or a credit takes between them, the channel and one cycle. What keeps it whole is said.
func TestWhatKeepsANetworkWhole(t *testing.T) {
	df := topology.DragonflySpec{P: 2, A: 4, H: 2}
	latency := func(cycles int) func(*setting.Config) {
		return func(c *setting.Config) { c.GlobalLatency = cycles }
	}
	for _, c := range []struct {
		name     string
		topology string
		spec     any
		routing  string
		tune     func(*setting.Config)
		stride   int64
		whole    string
	}{
		{"far groups", "dragonfly", df, "min", latency(100), 101, ""},
		{"groups at the least distance", "dragonfly", df, "min", latency(7), 8, ""},
		{"near groups", "dragonfly", df, "min", latency(6), 0, "its groups are 7 cycles apart (want 8 or more: the latency of global channels)"},
		{"queues of the own group decide", "dragonfly", df, "ugal_l", latency(100), 101, ""},
		{"a group on the way decides again", "dragonfly", df, "par", latency(100), 0, "its routing asks for the state of routers in other groups"},
		{"rates are measured", "dragonfly", df, "piar", latency(100), 0, "its routing measures what is under way"},
		{"no groups", "mesh", topology.GridSpec{Dims: []int{4, 4}}, "dor", latency(100), 0, "its topology has no groups of routers"},
		{"one group", "dragonfly", topology.DragonflySpec{P: 1, A: 4, H: 1, G: 1}, "min", latency(100), 0, "its topology has no groups of routers"},
		{"queues at outputs", "dragonfly", df, "min", func(c *setting.Config) {
			c.GlobalLatency, c.Flow, c.Queueing, c.OutputDepth = 100, setting.CutThrough, setting.InputOutput, 8
		}, 0, "its routers have queues at inputs and outputs"},
		{"channels that fail", "dragonfly", df, "min", func(c *setting.Config) {
			c.GlobalLatency, c.VCs, c.Outages = 100, 16, []topology.Outage{{Router: 0, Port: 2, At: 10, Until: 20}}
		}, 0, "its channels fail during the run"},
	} {
		k := networkOf(t, c.topology, c.spec, c.routing, c.tune)
		require.Equal(t, c.stride, k.n.Stride(k.proof), c.name)
		require.Equal(t, c.whole, k.n.Whole(), c.name)
		k.n.split(k.proof)
		require.Equal(t, c.stride > 0, len(k.n.parts) > 1, c.name)
	}
}

// Check finds a flit and a credit too many or too few, wherever they are kept, in a network under load and at rest.
func TestCheckFindsWhatDoesNotAddUp(t *testing.T) {
	for name, tune := range map[string]func(*setting.Config){
		"plain":  nil,
		"shared": func(c *setting.Config) { c.Depth, c.Shared = 1, 4 },
		"whole packets": func(c *setting.Config) {
			c.Flow, c.Queueing, c.OutputDepth, c.Depth = setting.CutThrough, setting.InputOutput, 8, 8
		},
	} {
		k := networkOf(t, "mesh", topology.GridSpec{Dims: []int{3, 3}}, "dor", tune)
		n, rng := k.n, rand.New(rand.NewPCG(1, 2))
		for cycle := range 300 {
			for src := range n.Terminals() {
				if cycle < 200 && !n.Queued(src) {
					n.Send(src, rng.IntN(9), 1+rng.IntN(4), false)
				}
			}
			n.Step()
			if cycle%100 != 50 {
				continue
			}
			require.NoError(t, n.Check(), "%s, cycle %d", name, cycle)
			wrong := map[string]*int32{"an output lane": &n.lanes[4*n.pv+1].used, "a terminal": &n.sent[3]}
			if n.cfg.Shared > 0 {
				wrong["a shared part"], wrong["the shared part of a terminal"] = &n.ports[4*n.p].pool, &n.nics[2].pool
			}
			if n.ioq != nil {
				wrong["a queue of an output"] = &n.ioq.outs[4*n.p].used
			}
			for what, at := range wrong {
				for _, by := range []int32{1, -1} {
					*at += by
					require.Error(t, n.Check(), "%s, cycle %d: %s by %d", name, cycle, what, by)
					*at -= by
				}
			}
			c := &n.parts[0].counts
			c.ejected++
			require.ErrorContains(t, n.Check(), "in the network", "%s, cycle %d", name, cycle)
			c.ejected--
		}
		require.NoError(t, n.Check(), name)
	}
}
