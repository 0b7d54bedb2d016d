package fabric_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A single flow carries a flit per interval of its slowest channel, in both
// routers.
func TestTaper(t *testing.T) {
	d, err := topology.NewDragonfly(df72)
	require.NoError(t, err)
	alg, err := routing.New("min", d, nil)
	require.NoError(t, err)
	for _, make := range []func(topology.Topology, routing.Algorithm) setting.Config{setting.BookSim, setting.FOGSim} {
		for _, c := range [][4]float64{{1, 1, 1, 1}, {1, 1, 4, 4}, {1, 3, 2, 3}, {5, 1, 2, 5}, {1, 1.28, 1, 1.28}, {1, 1, 2.5, 2.5}, {1.75, 1, 1, 1.75}} {
			t.Run(fmt.Sprint(c), func(t *testing.T) {
				cfg := make(d, alg)
				cfg.TerminalInterval, cfg.LocalInterval, cfg.GlobalInterval = c[0], c[1], c[2]
				cfg.Depth, cfg.GlobalDepth = 1024, 0
				if cfg.Queueing == setting.InputOutput {
					cfg.GlobalDepth = 1024
					cfg.CrossbarDelay = 0 // else a terminal's output is idle so long after each packet
				}
				n, err := fabric.New(cfg)
				require.NoError(t, err)
				from := uint64(0)
				const warm, measured = 4000, 8000
				for cycle := range warm + measured {
					if cycle == warm {
						from = n.Ejected()
					}
					if !n.Queued(6) {
						n.Send(6, 40, 8, false) // from router 3 of group 0 to group 5: all three classes
					}
					n.Step()
				}
				require.InEpsilon(t, measured/c[3], float64(n.Ejected()-from), .01)
				require.NoError(t, n.Check())
			})
		}
	}
}

// Arbiters of age nearly keep the order of creation; round-robin ones do not.
// What is on the way through the router is not overtaken.
func TestAgeKeepsOrder(t *testing.T) {
	top, err := topology.New("crossbar", topology.CrossbarSpec{Terminals: 5})
	require.NoError(t, err)
	alg, err := routing.New("min", top, nil)
	require.NoError(t, err)
	wrong := map[setting.Allocator]int{}
	for _, a := range []setting.Allocator{setting.InputFirst, "age"} {
		cfg := setting.BookSim(top, alg)
		cfg.VCs, cfg.Allocator = 1, a
		n, err := fabric.New(cfg)
		require.NoError(t, err)
		last := int64(0)
		n.Delivered = func(d fabric.Delivery) {
			if d.Created < last {
				wrong[a]++
			}
			last = max(last, d.Created)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for cycle := range 4000 {
			for src := 1; src < 5; src++ {
				if cycle < 1000 && rng.IntN(3) == 0 {
					n.Send(src, 0, 1, false)
				}
			}
			n.Step()
		}
		require.Zero(t, n.Waiting())
	}
	t.Log(wrong)
	require.Greater(t, wrong[setting.InputFirst], 5*wrong["age"])
}

// A slow channel that was never used takes the first flit at once: a packet in cycle 0
// is as quick as a later one.
func TestTaperAtOnce(t *testing.T) {
	top, err := topology.New("mesh", topology.GridSpec{Dims: []int{2}})
	require.NoError(t, err)
	alg, err := routing.New("dor", top, nil)
	require.NoError(t, err)
	cfg := setting.BookSim(top, alg)
	cfg.LocalInterval = 21
	n, err := fabric.New(cfg)
	require.NoError(t, err)
	var took []int64
	n.Delivered = func(d fabric.Delivery) { took = append(took, d.Arrived-d.Created) }
	for cycle := range 400 {
		if cycle%200 == 0 {
			require.Zero(t, n.Backlog(0))
			n.Send(0, 1, 2, false)
			require.Equal(t, 2, n.Backlog(0))
		}
		n.Step()
	}
	require.Len(t, took, 2)
	require.Equal(t, took[1], took[0])
}
