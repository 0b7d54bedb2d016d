package fabric_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/measure"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

var shapes = []struct {
	name string
	spec any
}{
	{"dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2}}, {"dragonfly", topology.DragonflySpec{P: 1, A: 4, H: 2, G: 4, Arrangement: topology.Palmtree}},
	{"dragonfly_plus", topology.DragonflyPlusSpec{P: 2, Leaves: 2, Spines: 2, H: 1}}, {"file", topology.FileSpec{File: "../topology/testdata/house.txt"}},
	{"mesh", topology.GridSpec{Dims: []int{4, 3}, Concentration: 2}}, {"torus", topology.GridSpec{Dims: []int{4, 5}}}, {"ring", topology.RingSpec{Size: 6}},
	{"hyperx", topology.HyperXSpec{Dims: []int{3, 3}, Concentration: 2}}, {"fully_connected", topology.FullSpec{Routers: 5}},
	{"crossbar", topology.CrossbarSpec{Terminals: 5}}, {"fat_tree", topology.FatTreeSpec{K: 2, N: 3}},
	{"pod", topology.PodSpec{Cubes: []int{2, 1, 1}, Side: 2, Pod: 2, Hosts: 1}},
}

// pairs runs a test for every algorithm of the registry on every topology of the
// registry that it accepts.
func pairs(t *testing.T, f func(t *testing.T, top topology.Topology, alg routing.Algorithm)) {
	left := slices.Concat(topology.All.Names(), routing.All.Names())
	seen := func(name string) { left = slices.DeleteFunc(left, func(x string) bool { return x == name }) }
	defer func() { require.Empty(t, left, "topologies and algorithms that no pair has") }()
	for _, s := range shapes {
		seen(s.name)
		top, err := topology.New(s.name, s.spec)
		require.NoError(t, err)
		for _, name := range routing.All.Names() {
			var spec any
			if name == "table" && s.name == "file" {
				spec = routing.TableSpec{File: "../routing/testdata/house_routes.txt"}
			}
			alg, err := routing.New(name, top, spec)
			var not *routing.TopologyError
			if errors.As(err, &not) {
				continue
			}
			require.NoError(t, err)
			seen(name)
			t.Run(fmt.Sprintf("%s %v %s", s.name, s.spec, name), func(t *testing.T) { f(t, top, alg) })
		}
	}
}

// drain steps until nothing is under way.
func drain(t require.TestingT, n *fabric.Network) {
	for i := 0; n.Waiting() > 0; i++ {
		n.Step()
		require.Less(t, i, 200000, "flits do not come")
	}
}

// With the smallest buffers every pair keeps delivering under the heaviest load,
// and then every packet comes to its terminal, once. With CAUSEWAY_LONG it is three times as long, with -short
// half as long and with two of the five flows in turn.
func TestSmallBuffersKeepDelivering(t *testing.T) {
	third := 330 // of the cycles
	switch {
	case testing.Short():
		third = 160
	case os.Getenv("CAUSEWAY_LONG") != "":
		third = 1000
	}
	pair := 0
	pairs(t, func(t *testing.T, top topology.Topology, alg routing.Algorithm) {
		pair++
		for k, flow := range []setting.Flow{setting.Wormhole, setting.CutThrough, "input_output", "shared", "shared_cut_through"} {
			if testing.Short() && (pair+k)%5 > 1 {
				continue
			}
			c := setting.BookSim(top, alg)
			if _, ok := alg.(routing.OpportunisticAlgorithm); ok && (flow == setting.Wormhole || flow == "shared") {
				continue
			}
			c.VCs, c.Depth, c.Flow = alg.Classes(), 2, flow
			switch flow { // a flit, or a packet, of each class is never kept out by others
			case "shared":
				c.Flow, c.Depth, c.Shared = setting.Wormhole, 1, 2
			case "shared_cut_through":
				c.Flow, c.Shared = setting.CutThrough, 3
			}
			if flow == "input_output" {
				c.Flow, c.Queueing, c.OutputDepth = setting.CutThrough, setting.InputOutput, 2
			}
			n, err := fabric.New(c)
			require.NoError(t, err)
			rng := rand.New(rand.NewPCG(1, 2))
			balance := map[[2]int]int{}
			n.Delivered = func(d fabric.Delivery) { balance[[2]int{d.Src, d.Dst}]-- }
			longest := 5
			if c.Flow != setting.Wormhole {
				longest = 2
			}
			came := n.Ejected()
			for cycle := range 3 * third {
				for src := range top.Terminals() {
					if !n.Queued(src) {
						dst := rng.IntN(top.Terminals())
						balance[[2]int{src, dst}]++
						n.Send(src, dst, 1+rng.IntN(longest), false)
					}
				}
				n.Step()
				if cycle%third == third-1 {
					require.Greater(t, n.Ejected(), came, "nothing came for %d cycles, %v", third, flow)
					came = n.Ejected()
				}
			}
			drain(t, n)
			require.Zero(t, n.InFlight())
			for pair, k := range balance {
				require.Zero(t, k, "from and to %v", pair)
			}
			require.NoError(t, n.Check(), "all credits are back")
		}
	})
}

// BookSim's map of classes blocks as soon as buffers are small, and the report
// names the closed chain.
func TestUnsafeMapBlocks(t *testing.T) {
	s := scene{"dragonfly", df72, "ugal_l", routing.UGALSpec{Threshold: -1e6, VCMap: "booksim"}, "uniform"}
	n, pat := s.build(t, func(c *setting.Config) { c.Depth = 2 })
	rules := measure.BookSimRules()
	rules.Sample, rules.Limit = 4000, 0
	_, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: .6, Seed: 1}, rules)
	var stuck *fabric.Stuck
	require.ErrorAs(t, err, &stuck)
	require.Greater(t, len(stuck.Wait), 2)
	require.Equal(t, stuck.Wait[0], stuck.Wait[len(stuck.Wait)-1])
	require.Contains(t, err.Error(), " waits for router ")
	for _, l := range stuck.Wait {
		if l.Port >= df72.P { // a lane that a terminal fills may hold an output too
			require.Zero(t, l.VC, "the class that the checker finds the cycle in")
		}
	}

	s.rspec = routing.UGALSpec{Threshold: -1e6}
	n, pat = s.build(t, func(c *setting.Config) { c.Depth = 2 })
	_, err = measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: .6, Seed: 1}, rules)
	require.NoError(t, err, "our own map does not block")
}

// An empty network is crossed in the sum of its stages, for any pair: 5 and
// latency+2 per channel with lookahead and two steps per cycle, 7 and latency+4
// with a routing stage and one step. Reference: NOTES of BookSim, section 4.1.
func TestZeroLoadLatency(t *testing.T) {
	for _, c := range []struct {
		topology    string
		spec        any
		routing     string
		base, extra int64
	}{
		{"dragonfly", df72, "min", 5, 2}, {"dragonfly", df72, "val_router", 5, 2},
		{"mesh", topology.GridSpec{Dims: []int{4, 3}}, "dor", 7, 4}, {"torus", topology.GridSpec{Dims: []int{4, 3}}, "dor", 7, 4},
	} {
		t.Run(c.topology+" "+c.routing, func(t *testing.T) {
			top, err := topology.New(c.topology, c.spec)
			require.NoError(t, err)
			alg, err := routing.New(c.routing, top, nil)
			require.NoError(t, err)
			spy := &spy{Algorithm: alg, top: top}
			cfg := setting.BookSim(top, spy)
			n, err := fabric.New(cfg)
			require.NoError(t, err)
			var got fabric.Delivery
			n.Delivered = func(d fabric.Delivery) { got = d }
			every := 1
			if testing.Short() && top.Terminals() > 16 {
				every = 5 // which is prime to the terminals of a group
			}
			for src := 0; src < top.Terminals(); src += 1 + top.Terminals()/16 {
				for dst := src % every; dst < top.Terminals(); dst += every {
					for _, flits := range []int{1, 3} {
						spy.channels, spy.global = 0, 0
						n.Send(src, dst, flits, false)
						drain(t, n)
						local := int64(spy.channels - spy.global)
						want := c.base + int64(flits-1) + local*(int64(cfg.LocalLatency)+c.extra) + int64(spy.global)*(int64(cfg.GlobalLatency)+c.extra)
						require.Equal(t, want, got.Arrived-got.Created, "%d to %d", src, dst)
						require.Equal(t, spy.channels, got.Hops)
					}
				}
			}
		})
	}
}

// spy counts the channels that an algorithm takes.
type spy struct {
	routing.Algorithm
	top              topology.Topology
	channels, global int
}

// ViewUse implements routing.ViewUser.
func (s *spy) ViewUse() (flying, rate bool) {
	if x, ok := s.Algorithm.(routing.ViewUser); ok {
		return x.ViewUse()
	}
	return false, false
}

func (s *spy) Next(v routing.View, p *routing.Packet) routing.Hop {
	h := s.Algorithm.Next(v, p)
	switch s.top.Class(v.Router(), h.Port) {
	case topology.Local:
		s.channels++
	case topology.Global:
		s.channels++
		s.global++
	}
	return h
}

// One flow over one channel moves min(1, credits / round trip) flits per cycle.
// With lookahead and two steps a flit that waits for a credit wins the switch in the
// first step of a cycle, is in the next buffer latency+1 later, gets a lane in the
// first step there and wins its switch in the second; its credit takes latency+1
// back and CreditDelay to count: 2*latency + 2 + CreditDelay in all.
func TestCreditLimitedFlow(t *testing.T) {
	for _, depth := range []int{1, 8, 32, 100, 204, 205, 256} {
		top, err := topology.New("dragonfly", topology.DragonflySpec{P: 1, A: 1, H: 1})
		require.NoError(t, err)
		alg, err := routing.New("min", top, nil)
		require.NoError(t, err)
		cfg := setting.BookSim(top, alg)
		cfg.Depth = depth
		cfg.InjectVC = setting.RoundRobin
		n, err := fabric.New(cfg)
		require.NoError(t, err)
		const warm, cycles = 2000, 20500
		var from uint64
		for c := range warm + cycles {
			if c == warm {
				from = n.Ejected()
			}
			if !n.Queued(0) {
				n.Send(0, 1, 1, false)
			}
			n.Step()
		}
		trip := float64(2*cfg.GlobalLatency + 2 + cfg.CreditDelay)
		require.InDelta(t, min(1, float64(depth)/trip), float64(n.Ejected()-from)/cycles, .01, "depth %d", depth)
	}
}

// Any configuration delivers everything and returns every credit, and the same
// again with the same seed.
func TestAnyConfigurationConserves(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := shapes[rapid.IntRange(0, len(shapes)-1).Draw(rt, "shape")]
		top, err := topology.New(s.name, s.spec)
		require.NoError(rt, err)
		var alg routing.Algorithm
		for alg == nil {
			alg, _ = routing.New(rapid.SampledFrom(routing.All.Names()).Draw(rt, "routing"), top, nil)
		}
		cfg := setting.Config{
			Topology: top, Routing: alg, VCs: alg.Classes() + rapid.IntRange(0, 3).Draw(rt, "more"), Depth: rapid.IntRange(1, 9).Draw(rt, "depth"),
			Speedup: rapid.IntRange(1, 3).Draw(rt, "speedup"), RoutingDelay: rapid.IntRange(0, 3).Draw(rt, "routing_delay"), CreditDelay: rapid.IntRange(0, 3).Draw(rt, "credit_delay"),
			TerminalLatency: rapid.IntRange(1, 3).Draw(rt, "terminal"), LocalLatency: rapid.IntRange(1, 4).Draw(rt, "local"), GlobalLatency: rapid.IntRange(1, 9).Draw(rt, "global"),
			Allocator: rapid.SampledFrom([]setting.Allocator{setting.InputFirst, setting.ISLIP, "age"}).Draw(rt, "allocator"), Iterations: rapid.IntRange(1, 3).Draw(rt, "iterations"),
			Flow: rapid.SampledFrom([]setting.Flow{setting.Wormhole, setting.CutThrough}).Draw(rt, "flow"), InjectVC: rapid.SampledFrom([]setting.InjectVC{setting.RoundRobin, setting.Random, setting.ByDst}).Draw(rt, "inject"),
			TerminalInterval: rapid.SampledFrom([]float64{0, 1, 1.28, 2, 2.75}).Draw(rt, "terminal_interval"), GlobalInterval: rapid.SampledFrom([]float64{0, 1, 1.28, 2, 2.75}).Draw(rt, "global_interval"),
			Seed: 5, Shared: rapid.SampledFrom([]int{0, 0, 1, 3, 8}).Draw(rt, "shared"),
		}
		if cfg.Networks = rapid.IntRange(1, 2).Draw(rt, "networks"); cfg.Networks > 1 {
			cfg.VCs *= 2
		}
		if _, ok := alg.(routing.OpportunisticAlgorithm); ok {
			cfg.Flow = setting.CutThrough
		}
		if cfg.Flow == setting.CutThrough && rapid.Bool().Draw(rt, "input_output") {
			cfg.Shared = 0
			cfg.Queueing, cfg.OutputDepth = setting.InputOutput, rapid.IntRange(1, 9).Draw(rt, "output_depth")
			cfg.InjectVCs, cfg.CrossbarDelay = rapid.SampledFrom([]int{0, 2, 3, 4}).Draw(rt, "inject_vcs"), rapid.IntRange(0, 4).Draw(rt, "crossbar_delay")
			cfg.GlobalDepth = rapid.IntRange(0, 20).Draw(rt, "global_depth")
		}
		longest := 4
		if cfg.Flow == setting.CutThrough {
			longest = min(longest, cfg.Depth)
			if cfg.Queueing == setting.InputOutput {
				longest = min(longest, cfg.OutputDepth)
				if cfg.GlobalDepth > 0 {
					longest = min(longest, cfg.GlobalDepth)
				}
			}
		}
		var runs [2][]fabric.Delivery
		for i := range runs {
			n, err := fabric.New(cfg)
			require.NoError(rt, err)
			n.Delivered = func(d fabric.Delivery) { runs[i] = append(runs[i], d) }
			rng := rand.New(rand.NewPCG(3, 4))
			const cycles = 60
			for range cycles {
				for src := range top.Terminals() {
					if rng.IntN(3) == 0 {
						n.SendIn(rng.IntN(cfg.Networks), src, rng.IntN(top.Terminals()), 1+rng.IntN(longest), 0)
					}
				}
				n.Step()
				require.NoError(rt, n.Check())
			}
			drain(rt, n)
			for range 50 {
				n.Step()
			}
			require.NoError(rt, n.Check())
		}
		require.Equal(rt, runs[0], runs[1])
	})
}

// No allocation per flit once pools and slots have grown.
func TestNoAllocation(t *testing.T) {
	n, pat := scene{"dragonfly", df72, "ugal_l", nil, "uniform"}.build(t, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	cycle := func() {
		for src := range 72 {
			if rng.IntN(2) == 0 && !n.Queued(src) {
				n.Send(src, pat.Dst(src, rng), 1, false)
			}
		}
		n.Step()
	}
	warm, cycles := 8000, 2000
	if testing.Short() {
		warm, cycles = 3000, 500
	}
	for range warm {
		cycle()
	}
	require.Less(t, testing.AllocsPerRun(cycles, cycle), .05, "36 flits per cycle")
}

func TestBadConfiguration(t *testing.T) {
	top, err := topology.New("dragonfly", nil)
	require.NoError(t, err)
	alg, err := routing.New("min", top, nil)
	require.NoError(t, err)
	c := setting.BookSim(top, alg)
	c.VCs, c.Depth, c.Flow, c.Speedup, c.Allocator, c.InjectVC, c.GlobalLatency = 1, 0, "x", 0, "y", "z", 0
	_, err = fabric.New(c)
	require.EqualError(t, err, `fabric: vcs is 1, the routing needs 2; depth is 0 (want 1 to 65536); speedup is 0 (want 1 to 16); global latency is 0 (want 1 to 65536); allocator "y" (want one of: age islip separable_input_first); flow "x" (want one of: wormhole virtual_cut_through); inject_vc "z" (want one of: round_robin random destination)`)
}
