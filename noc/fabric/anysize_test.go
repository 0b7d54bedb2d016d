package fabric_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/measure"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// anyDragonfly draws p, a, h, g, parallel links and arrangement; at least 3 groups.
func anyDragonfly(rng *rand.Rand, most int) (topology.DragonflySpec, topology.Dragonfly) {
	for {
		s := topology.DragonflySpec{
			P: 1 + rng.IntN(4), A: 1 + rng.IntN(6), H: 1 + rng.IntN(4), Seed: rng.Uint64(),
			Arrangement: []topology.Arrangement{topology.Absolute, topology.Palmtree, topology.Relative, topology.Random}[rng.IntN(4)],
		}
		if s.A*s.H < 2 {
			continue
		}
		if rng.IntN(3) > 0 {
			s.G = 3 + rng.IntN(s.A*s.H-1)
			s.Links = 1 + rng.IntN(s.A*s.H/(s.G-1))
		}
		if d, err := topology.NewDragonfly(s); err == nil && d.Terminals() <= most {
			return s, d
		}
	}
}

// Uniform traffic, the source included, over any dragonfly: the routers at both ends
// of the global channel are the packet's own once in a times,
//
//	hops = ((a-1) + a(g-1)(3 - 2/a)) / (ag)
//
// whatever the links and the arrangement.
func TestMeanHopsOfAnyDragonfly(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	sizes, terminals := 10, 150
	if testing.Short() {
		sizes, terminals = 4, 60
	}
	for range sizes {
		s, d := anyDragonfly(rng, terminals)
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			n, _ := scene{"dragonfly", s, "min", nil, "uniform"}.build(t, nil)
			hops, packets := 0, 0
			n.Delivered = func(x fabric.Delivery) { hops, packets = hops+x.Hops, packets+1 }
			all := n.Terminals()
			for i := range all * max(1, 8*(d.Links()-1), 2000/all) { // every pair equally often
				for src := range all {
					n.Send(src, (src+i)%all, 1, false)
				}
				for range 4 {
					n.Step()
				}
			}
			drain(t, n)
			a, g := float64(d.A()), float64(d.Groups())
			require.InEpsilon(t, ((a-1)+a*(g-1)*(3-2/a))/(a*g), float64(hops)/float64(packets), .005)
		})
	}
}

// A packet alone takes the sum of its channels and routers, on every way that its
// parallel links offer, whatever the shape, latencies and length.
func TestZeroLoadOfAnyDragonfly(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		_, d := anyDragonfly(rng, 300)
		alg, err := routing.New(rapid.SampledFrom([]string{"min", "val_group", "val_router", "ugal_l", "par"}).Draw(rt, "routing"), d, nil)
		require.NoError(rt, err)
		spy := &spy{Algorithm: alg, top: d}
		cfg := setting.BookSim(d, spy)
		cfg.TerminalLatency, cfg.LocalLatency, cfg.GlobalLatency = 1+rng.IntN(5), 1+rng.IntN(20), 1+rng.IntN(200)
		n, err := fabric.New(cfg)
		require.NoError(rt, err)
		var got fabric.Delivery
		n.Delivered = func(x fabric.Delivery) { got = x }
		for range 20 {
			src, dst, flits := rng.IntN(d.Terminals()), rng.IntN(d.Terminals()), 1+rng.IntN(8)
			spy.channels, spy.global = 0, 0
			n.Send(src, dst, flits, false)
			drain(rt, n)
			local := spy.channels - spy.global
			want := 3 + 2*cfg.TerminalLatency + flits - 1 + local*(cfg.LocalLatency+2) + spy.global*(cfg.GlobalLatency+2)
			require.EqualValues(rt, want, got.Arrived-got.Created, "%d to %d", src, dst)
		}
	})
}

// Full load on the group i further on, over any dragonfly. MIN carries what the m
// direct channels of a group do, m/(ap); Valiant through the g-2 other groups at most
// m(g-2)/(2ap), adaptive routing mg/(2ap). CAUSEWAY_LONG draws four dragonflies, else they are two.
func TestBoundsOfAnyDragonfly(t *testing.T) {
	rng, draws := rand.New(rand.NewPCG(13, 14)), 2
	if os.Getenv("CAUSEWAY_LONG") != "" {
		draws = 4
	}
	for range draws {
		s, d := anyDragonfly(rng, 100)
		i := 1 + rng.IntN(d.Groups()-1)
		m, g, ap := float64(d.Links()), float64(d.Groups()), float64(d.A()*d.P())
		for name, bound := range map[string]float64{
			"min": m / ap, "val_group": m * (g - 2) / (2 * ap), "val_router": m * (g - 2) / (2 * ap),
			"ugal_l": m * g / (2 * ap), "ugal_g": m * g / (2 * ap), "pb": m * g / (2 * ap), "par": m * g / (2 * ap), "olm": m * g / (2 * ap), "piar": m * g / (2 * ap),
		} {
			t.Run(fmt.Sprintf("%+v adv+%d %s", s, i, name), func(t *testing.T) {
				if testing.Short() && name != "min" {
					t.Skip("short")
				}
				var spec any
				if name == "ugal_l" {
					spec = routing.UGALSpec{Exclude: routing.ExcludeBoth} // what is drawn in the own group is minimal
				}
				n, pat := scene{"dragonfly", s, name, spec, fmt.Sprintf("adv+%d", i)}.build(t, nil)
				rules := measure.BookSimRules()
				rules.Sample, rules.Limit = 1000, 0
				r, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: 1, Seed: 1}, rules)
				require.NoError(t, err)
				t.Logf("accepted %.4f of %.4f", r.Accepted, min(1, bound))
				require.LessOrEqual(t, r.Accepted, 1.01*bound)
				// Parallel links that end in one router share its channel to the others,
				// and few buffers of it: only single ones always carry all they can.
				if name == "min" && m == 1 && bound < 1 {
					require.InEpsilon(t, bound, r.Accepted, .01)
				}
				require.NoError(t, n.Check())
			})
		}
	}
}

// One flow over one channel moves min(1, V/RTT) flits per cycle, for any latency,
// buffer and delay of credits.
func TestCreditLimitOfAnyChannel(t *testing.T) {
	top, err := topology.New("dragonfly", topology.DragonflySpec{P: 1, A: 1, H: 1})
	require.NoError(t, err)
	alg, err := routing.New("min", top, nil)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(15, 16))
	for range 20 {
		cfg := setting.BookSim(top, alg)
		cfg.GlobalLatency, cfg.CreditDelay, cfg.InjectVC = 1+rng.IntN(150), rng.IntN(20), setting.RoundRobin
		trip := 2*cfg.GlobalLatency + 2 + cfg.CreditDelay
		// The terminal's own channel must not be the limit.
		cfg.Depth = max(2*cfg.TerminalLatency+3+cfg.CreditDelay, 1+rng.IntN(2*trip))
		n, err := fabric.New(cfg)
		require.NoError(t, err)
		from, cycles := uint64(0), 100*trip
		for c := range cycles + 10*trip {
			if c == 10*trip {
				from = n.Ejected()
			}
			if !n.Queued(0) {
				n.Send(0, 1, 1, false)
			}
			n.Step()
		}
		require.InEpsilon(t, min(1, float64(cfg.Depth)/float64(trip)), float64(n.Ejected()-from)/float64(cycles), .01, "%+v", cfg)
	}
}
