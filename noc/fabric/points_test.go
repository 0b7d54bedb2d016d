package fabric_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric/measure"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Points that the kept curves do not have: other loads, seeds, shapes, patterns
// and lengths of packets. Reference: BookSim 2.0, revision 28f4329, built and run
// with the configurations of testdata/README.md and what stands here.
func TestOtherPointsOfBookSim(t *testing.T) {
	ugal := routing.UGALSpec{Threshold: 30, VCMap: "booksim"}
	mesh := func(k ...int) topology.GridSpec { return topology.GridSpec{Dims: k} }
	for _, c := range []struct {
		scene         scene
		vcs, sample   int
		rate          float64 // flits
		flits         int
		latency, hops float64 // BookSim's, hops as routers
		within        float64
	}{
		{scene{"dragonfly", df72, "min", nil, "uniform"}, 2, 2000, .75, 1, 119.905, 3.304, .03},
		{scene{"dragonfly", df72, "min", nil, "uniform"}, 2, 1000, .6, 1, 115.333, 3.305, .01},
		{scene{"dragonfly", df72, "ugal_l", ugal, "uniform"}, 3, 1500, .6, 1, 136.377, 3.821, .01},
		{scene{"dragonfly", df72, "ugal_l", ugal, "adv+1"}, 3, 1500, .2, 1, 271.143, 4.660, .05},
		{scene{"mesh", mesh(8, 8), "dor", nil, "uniform"}, 4, 1000, .25, 1, 36.182, 6.249, .02},
		{scene{"mesh", mesh(4, 4), "dor", nil, "uniform"}, 4, 1000, .5, 1, 22.142, 3.519, .02},
		{scene{"mesh", mesh(8, 8), "dor", nil, "transpose"}, 4, 1000, .1, 1, 35.190, 6.285, .02},
		{scene{"mesh", mesh(8, 8), "dor", nil, "tornado"}, 4, 1000, .2, 1, 49.253, 8.513, .02},
		{scene{"mesh", mesh(8, 8), "dor", nil, "uniform"}, 4, 1000, .2, 4, 39.491, 6.179, .03},
		{scene{"torus", mesh(8, 8), "dor", nil, "uniform"}, 4, 1000, .4, 1, 35.620, 5.000, .02},
		{scene{"torus", mesh(4, 4, 4), "dor", nil, "uniform"}, 4, 1000, .4, 1, 26.255, 4.001, .02},
	} {
		t.Run(fmt.Sprint(c.scene, c.rate, c.flits), func(t *testing.T) {
			if testing.Short() {
				t.Skip("short")
			}
			t.Parallel()
			n, pat := c.scene.build(t, func(f *setting.Config) { f.VCs = c.vcs })
			rules := measure.BookSimRules()
			rules.Sample, rules.Limit = c.sample, 1500
			r, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: c.rate, Flits: c.flits, Seed: 1}, rules)
			require.NoError(t, err)
			t.Logf("latency %.2f (BookSim %.2f, %+.1f%%), hops %.3f (%.3f), accepted %.4f", r.Latency, c.latency, 100*(r.Latency/c.latency-1), r.Hops+1, c.hops, r.Accepted)
			require.InEpsilon(t, c.latency, r.Latency, c.within)
			require.InEpsilon(t, c.hops, r.Hops+1, .025)
		})
	}
}
