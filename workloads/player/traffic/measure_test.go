package traffic_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/measure"
	"github.com/causeway-sim/causeway/noc/flit"
	patterns "github.com/causeway-sim/causeway/noc/traffic"
)

// A bench is a system of one Net and one Traffic.
type bench struct {
	sys *system.System
	eng *engine.Engine
}

// pair builds them; net and load are more keys of either.
func pair(t testing.TB, net, load string, opts ...engine.Option) *bench {
	b, err := try(net, load, opts...)
	require.NoError(t, err)
	return b
}

func try(net, load string, opts ...engine.Option) (*bench, error) {
	text := fmt.Sprintf("schema: causeway/1\nnodes:\n  - {name: Net, kind: network, fidelity: flit, %s}\n  - {name: Traffic, kind: traffic, %s}\nlinks:\n  - Traffic -> Net\n", net, load)
	d, err := configs.Parse("test.yaml", []byte(text), configs.Options{Dir: "."})
	if err != nil {
		return nil, err
	}
	e := engine.New(opts...)
	s, err := system.Build(d, &system.Env{Engine: e, Seed: 1})
	return &bench{s, e}, err
}

func (b *bench) run(t testing.TB) map[string]float64 {
	require.NoError(t, b.start(context.Background()))
	for _, n := range b.sys.Nodes() {
		require.Empty(t, n.Stats().Verify())
	}
	return b.metrics()
}

func (b *bench) start(ctx context.Context) error {
	if err := b.sys.Node("Traffic").(system.Starter).Start(); err != nil {
		return err
	}
	return b.eng.RunContext(ctx)
}

// metrics are those of Traffic, of phase measure by their name alone.
func (b *bench) metrics() map[string]float64 {
	out := map[string]float64{}
	for _, m := range b.sys.Node("Traffic").Stats().Metrics() {
		name := m.Name
		if m.Phase != "measure" {
			name = m.Phase + "." + m.Name
		}
		out[name] = m.Value
	}
	return out
}

const df72 = "topology: {name: dragonfly, p: 2, a: 4, h: 2}, router: {preset: booksim}"

func seedFor(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return 1 ^ h.Sum64()
}

// Messages over ports, against the same sources inside of the network: cycle by
// cycle the same packets, so all figures are equal to the last bit.
func TestMessagesAddNothing(t *testing.T) {
	for _, c := range []struct {
		net, pattern string
		load         float64
		flits        int
	}{
		{df72, "uniform", .3, 1},
		{df72, "adv+1", .1, 1},
		{df72 + ", routing: {name: ugal_l}", "uniform", .6, 1},
		{"topology: {name: mesh, dims: [8, 8]}, router: {preset: booksim}", "transpose", .1, 1},
		{"topology: {name: torus, dims: [4, 4, 2]}", "uniform", .25, 3},
	} {
		t.Run(fmt.Sprint(c.pattern, c.load, c.flits), func(t *testing.T) {
			b := pair(t, c.net, fmt.Sprintf("pattern: %s, load: %g, packet: %d", c.pattern, c.load, c.flits))
			n := b.sys.Node("Net").(*flit.Comp)
			got := b.run(t)

			cfg := n.Config()
			twin, err := fabric.New(cfg)
			require.NoError(t, err)
			pat, err := patterns.New(c.pattern, cfg.Topology, seedFor("Traffic"))
			require.NoError(t, err)
			r, err := measure.Run(context.Background(), twin, measure.Load{Pattern: pat, Rate: c.load, Flits: c.flits, Seed: seedFor("Traffic")}, measure.BookSimRules())
			require.NoError(t, err)
			require.False(t, r.Saturated)
			want := map[string]float64{
				"packet_latency_mean": r.Latency, "network_latency_mean": r.NetLatency, "hops_mean": r.Hops, "packets": float64(r.Packets),
				"packet_latency_min": float64(r.Min), "packet_latency_max": float64(r.Max), "all.simulated_cycles": float64(r.Cycles),
			}
			for name, v := range want {
				require.Equal(t, v, got[name], name)
			}
			require.InEpsilon(t, r.Accepted, got["accepted_load"], .001) // flits count when their packet has come
			require.Zero(t, got["saturated"])
		})
	}
}

// Twice the cycles allocate nothing more: packets, messages and events are used
// again.
func TestNoAllocationPerPacket(t *testing.T) {
	count := func(samples int) (allocs, packets float64) {
		b := pair(t, df72, fmt.Sprintf("load: 0.3, rules: {sample: 1000, warmup: 1, samples: %d, change: 0}", samples))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m := b.run(t)
		runtime.ReadMemStats(&after)
		return float64(after.Mallocs - before.Mallocs), m["all.packets"]
	}
	a, n := count(3)
	b, m := count(6)
	require.Less(t, (b-a)/(m-n), .01)
}
