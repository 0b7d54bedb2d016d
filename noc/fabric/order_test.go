package fabric

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A run does not depend on the order in which the routers and terminals of a cycle
// are simulated: a network whose numbers are walked backwards, or in an order drawn
// anew each cycle, delivers the same packets in the same cycles. So a cycle may be
// shared among cores. ugal_g is left out: it reads the queues of other routers of
// its group while they work.
func TestOrderOfWorkDoesNotMatter(t *testing.T) {
	for _, c := range []struct {
		routing string
		tune    func(*setting.Config)
	}{
		{"min", nil}, {"val_router", nil}, {"ugal_l", nil}, {"par", nil}, {"piar", nil}, {"olm", nil}, {"pb", nil}, {"acor", nil},
		{"ugal_l", func(c *setting.Config) { c.RoutingDelay, c.Speedup, c.Allocator = 1, 1, setting.ISLIP }},
		{"par", func(c *setting.Config) { c.RoutingDelay, c.Depth, c.InjectVC = 2, 16, setting.RoundRobin }},
		{"olm", func(c *setting.Config) { c.Shared, c.Depth = 8, 8 }},
		{"ugal_l", func(c *setting.Config) { *c = setting.FOGSim(c.Topology, c.Routing) }}, {"olm", func(c *setting.Config) { *c = setting.FOGSim(c.Topology, c.Routing) }},
		{"pb", func(c *setting.Config) { *c = setting.FOGSim(c.Topology, c.Routing); c.InjectVC = setting.Random }},
	} {
		t.Run(fmt.Sprint(c.routing, c.tune != nil), func(t *testing.T) {
			run := func(order func(list []int)) []Delivery {
				d, err := topology.NewDragonfly(topology.DragonflySpec{P: 2, A: 4, H: 2})
				require.NoError(t, err)
				alg, err := routing.New(c.routing, d, nil)
				require.NoError(t, err)
				cfg := setting.BookSim(d, alg)
				cfg.Depth = 32
				if c.tune != nil {
					c.tune(&cfg)
				}
				n, err := New(cfg)
				require.NoError(t, err)
				var got []Delivery
				n.Delivered = func(d Delivery) { got = append(got, d) }
				rng := rand.New(rand.NewPCG(1, 2))
				cycles := 1500
				if testing.Short() {
					cycles = 400
				}
				for range cycles {
					for src := range n.Terminals() {
						if !n.Queued(src) && rng.IntN(4) == 0 {
							n.Send(src, (src+8+rng.IntN(8))%72, 1+rng.IntN(3), false)
						}
					}
					n.stepIn(order)
				}
				require.Greater(t, len(got), cycles*2/3)
				slices.SortStableFunc(got, func(a, b Delivery) int { // of one cycle in any order
					if a.Arrived != b.Arrived {
						return int(a.Arrived - b.Arrived)
					}
					return a.Dst - b.Dst
				})
				return got
			}
			want := run(func([]int) {})
			require.True(t, slices.Equal(want, run(slices.Reverse[[]int])), "backwards")
			rng := rand.New(rand.NewPCG(5, 6))
			shuffled := run(func(l []int) { rng.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] }) })
			require.True(t, slices.Equal(want, shuffled), "in any order") // not Equal: its report of thousands takes minutes
		})
	}
}

// stepIn is Step with the routers and terminals in an order of choice.
func (n *Network) stepIn(order func(list []int)) {
	p := n.parts[0]
	terminals := func(inject func(t int)) {
		var list []int
		for t := range n.nics {
			list = append(list, t)
		}
		order(list)
		for _, t := range list {
			if n.Queued(t) {
				inject(t)
			}
		}
	}
	routers := func(work func(r int)) {
		var list []int
		for r := range n.routers {
			if p.awake[r>>6]>>(r&63)&1 != 0 {
				list = append(list, r)
			}
		}
		order(list)
		for _, r := range list {
			work(r)
		}
	}
	if n.ioq != nil {
		n.ioq.receive()
		routers(n.ioq.work)
		terminals(n.ioq.inject)
	} else {
		s := p.receive()
		terminals(p.inject)
		p.settle(s)
		routers(p.work)
		p.lookAhead()
	}
	p.now++
}
