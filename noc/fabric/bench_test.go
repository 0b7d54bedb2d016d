package fabric_test

import (
	"math/rand/v2"
	"testing"

	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/noc/traffic"
)

// BenchmarkStep reports flit-hops, routers passed, per second of one core.
func BenchmarkStep(b *testing.B) {
	for _, c := range []struct {
		name string
		d    topology.DragonflySpec
		alg  string
		load float64
	}{
		{"72/min/0.4", topology.DragonflySpec{P: 2, A: 4, H: 2}, "min", .4}, {"72/ugal_l/0.4", topology.DragonflySpec{P: 2, A: 4, H: 2}, "ugal_l", .4},
		{"1056/min/0.3", topology.DragonflySpec{P: 4, A: 8, H: 4}, "min", .3},
	} {
		b.Run(c.name, func(b *testing.B) {
			n, pat := scene{"dragonfly", c.d, c.alg, nil, "uniform"}.build(b, nil)
			coin := traffic.NewBernoulli(c.load)
			rng := rand.New(rand.NewPCG(1, 2))
			due := make([]int64, n.Terminals())
			cycle := func() {
				for t := range due {
					if due[t] <= n.Now() {
						due[t] = n.Now() + coin.Gap(rng)
						n.Send(t, pat.Dst(t, rng), 1, false)
					}
				}
				n.Step()
			}
			for range 3000 {
				cycle()
			}
			hops := n.FlitHops()
			b.ReportAllocs()
			for b.Loop() {
				cycle()
			}
			b.ReportMetric(float64(n.FlitHops()-hops)/b.Elapsed().Seconds(), "flit-hops/s")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}
