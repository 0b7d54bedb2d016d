package fabric_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// channelsOf lists the channels between routers of a topology, by one of their ports.
func channelsOf(top topology.Topology) (out [][2]int) {
	for r := range top.Routers() {
		for p := range top.Ports(r) {
			if r2, p2, ok := top.Peer(r, p); ok && (r2 > r || r2 == r && p2 > p) {
				out = append(out, [2]int{r, p})
			}
		}
	}
	return out
}

// drawOutages draws some channels that fail, and come up again or not.
func drawOutages(rt *rapid.T, top topology.Topology, within int) (out []topology.Outage) {
	channels := channelsOf(top)
	if len(channels) == 0 {
		return nil
	}
	taken := map[int]bool{}
	for range rapid.IntRange(1, 4).Draw(rt, "failures") {
		i := rapid.IntRange(0, len(channels)-1).Draw(rt, "channel")
		if taken[i] {
			continue
		}
		taken[i] = true
		o := topology.Outage{Router: channels[i][0], Port: channels[i][1], At: uint64(rapid.IntRange(0, within).Draw(rt, "at"))}
		if rapid.Bool().Draw(rt, "repaired") {
			o.Until = o.At + uint64(rapid.IntRange(1, within).Draw(rt, "for"))
		}
		out = append(out, o)
	}
	return out
}

// drawConfig draws a network of any topology and routing that has channels that may fail.
func drawConfig(rt *rapid.T, within int) setting.Config {
	var top topology.Topology
	var alg routing.Algorithm
	var outages []topology.Outage
	for outages == nil {
		s := shapes[rapid.IntRange(0, len(shapes)-1).Draw(rt, "shape")]
		var err error
		top, err = topology.New(s.name, s.spec)
		require.NoError(rt, err)
		outages = drawOutages(rt, top, within)
	}
	for alg == nil {
		alg, _ = routing.New(rapid.SampledFrom(routing.All.Names()).Draw(rt, "routing"), top, nil)
	}
	c := setting.Config{
		Topology: top, Routing: alg, VCs: alg.Classes() + rapid.IntRange(0, 2).Draw(rt, "more"), Depth: rapid.IntRange(1, 9).Draw(rt, "depth"),
		Speedup: rapid.IntRange(1, 3).Draw(rt, "speedup"), RoutingDelay: rapid.IntRange(0, 2).Draw(rt, "routing_delay"), CreditDelay: rapid.IntRange(0, 3).Draw(rt, "credit_delay"),
		TerminalLatency: rapid.IntRange(1, 3).Draw(rt, "terminal"), LocalLatency: rapid.IntRange(1, 4).Draw(rt, "local"), GlobalLatency: rapid.IntRange(1, 20).Draw(rt, "global"),
		Allocator: rapid.SampledFrom([]setting.Allocator{setting.InputFirst, setting.ISLIP, "age"}).Draw(rt, "allocator"), Iterations: 1,
		Flow: rapid.SampledFrom([]setting.Flow{setting.Wormhole, setting.CutThrough}).Draw(rt, "flow"), InjectVC: setting.RoundRobin,
		LocalInterval: rapid.SampledFrom([]float64{0, 1.28, 2.75}).Draw(rt, "local_interval"), Seed: 5, Shared: rapid.SampledFrom([]int{0, 0, 1, 8}).Draw(rt, "shared"),
		Outages: outages,
	}
	if c.Networks = rapid.IntRange(1, 2).Draw(rt, "networks"); c.Networks > 1 {
		c.VCs *= 2
	}
	if _, ok := alg.(routing.OpportunisticAlgorithm); ok {
		c.Flow = setting.CutThrough
	}
	return c
}

// Whatever fails, and whenever: each packet arrives once or is lost once, flits and credits
// are conserved in every cycle, and the network becomes empty.
func TestOutagesConserve(t *testing.T) {
	lost, came := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		const cycles = 120
		cfg := drawConfig(rt, 2*cycles)
		longest := rapid.SampledFrom([]int{1, 4, 30}).Draw(rt, "longest")
		if cfg.Flow == setting.CutThrough {
			longest = min(longest, cfg.Depth)
		}
		var runs [2][]fabric.Delivery
		for i := range runs {
			n, err := fabric.New(cfg)
			if err != nil {
				require.ErrorContains(rt, err, "ways around channels that fail during the run need")
				rt.Skip("too many virtual channels")
			}
			sent, seen := int32(0), map[int32]bool{}
			end := func(d fabric.Delivery) {
				require.False(rt, seen[d.Tag], "a packet ends twice")
				seen[d.Tag] = true
				runs[i] = append(runs[i], d)
			}
			n.Delivered = func(d fabric.Delivery) { came++; end(d) }
			n.Lost = func(l fabric.Loss) { lost++; end(l.Delivery) }
			rng := rand.New(rand.NewPCG(3, 4))
			for range cycles {
				for src := range n.Terminals() {
					if rng.IntN(4) == 0 {
						sent++
						n.SendIn(rng.IntN(cfg.Networks), src, rng.IntN(n.Terminals()), 1+rng.IntN(longest), sent)
					}
				}
				n.Step()
				require.NoError(rt, n.Check())
			}
			for k := 0; n.Waiting() > 0; k++ {
				n.Step()
				require.Less(rt, k, 200000, "flits do not come")
			}
			for range 60 {
				n.Step()
			}
			require.NoError(rt, n.Check())
			require.Zero(rt, n.InFlight())
			require.Len(rt, seen, int(sent))
		}
		require.Equal(rt, runs[0], runs[1])
	})
	require.Positive(t, lost)
	require.Greater(t, came, lost)
}
