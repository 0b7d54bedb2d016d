package fabric_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// With buffers of 2, 4 and 8 flits every pair of topology and routing keeps
// delivering at full load, for as many cycles as CAUSEWAY_ENDURANCE says: a
// million take hours for all, so this runs by hand. A million were run over every
// pair without shortest and table; of the dragonfly of 72 terminals 50,000, shortest
// included. The quick one is
// TestSmallBuffersKeepDelivering.
func TestEndurance(t *testing.T) {
	cycles, err := strconv.Atoi(os.Getenv("CAUSEWAY_ENDURANCE"))
	if err != nil {
		t.Skip("CAUSEWAY_ENDURANCE is not a number of cycles")
	}
	pairs(t, func(t *testing.T, top topology.Topology, alg routing.Algorithm) {
		for _, depth := range []int{2, 4, 8} {
			for _, q := range []fabric.Queueing{fabric.Input, fabric.InputOutput} {
				t.Run(fmt.Sprint(depth, q), func(t *testing.T) {
					c := fabric.BookSim(top, alg)
					c.VCs, c.Depth, c.Queueing = alg.Classes(), depth, q
					if q == fabric.InputOutput {
						c.Flow, c.OutputDepth = fabric.CutThrough, depth
					}
					n, err := fabric.New(c)
					require.NoError(t, err)
					rng := rand.New(rand.NewPCG(1, 2))
					came := n.Ejected()
					for cycle := range cycles {
						for src := range top.Terminals() {
							if !n.Queued(src) {
								n.Send(src, rng.IntN(top.Terminals()), 1+rng.IntN(2), false)
							}
						}
						n.Step()
						if cycle%2000 == 1999 {
							require.Greater(t, n.Ejected(), came, "nothing came for 2000 cycles at %d", cycle)
							came = n.Ejected()
						}
					}
					require.NoError(t, n.Check())
					t.Logf("accepted %.3f", float64(n.Ejected())/float64(cycles)/float64(top.Terminals()))
				})
			}
		}
	})
}
