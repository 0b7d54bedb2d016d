package fabric_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric/measure"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Beyond saturation `vc_map: booksim` accepts what BookSim accepts, and its cycle of
// virtual channels costs load: BookSim's 0.089 of ADV+1 at 1,056 terminals, where the safe
// map keeps 0.203. CAUSEWAY_LONG plays all points. Reference: BookSim 2.0, revision 28f4329, built and run with
// routing_function=ugal num_vcs=3 sim_type=throughput seed=1 and the configuration of
// testdata/README.md.
func TestBookSimsMapBeyondSaturation(t *testing.T) {
	df1056 := topology.DragonflySpec{P: 4, A: 8, H: 4}
	for _, c := range []struct {
		spec     topology.DragonflySpec
		pattern  string
		rate     float64
		sample   int
		accepted float64 // BookSim's
	}{
		{df72, "adv+1", .3, 2000, .300097},
		{df72, "adv+1", .4, 2000, .283292},
		{df72, "adv+1", .5, 500, .309667},
		{df72, "adv+1", .5, 2000, .241536},
		{df72, "uniform", .9, 2000, .800488},
		{df1056, "adv+1", .5, 500, .0886141},
	} {
		t.Run(fmt.Sprint(c.spec.P, c.pattern, c.rate, c.sample), func(t *testing.T) {
			if quick := c.sample == 500 && c.spec == df72; testing.Short() || !quick && os.Getenv("CAUSEWAY_LONG") == "" {
				t.Skip("long")
			}
			t.Parallel()
			s := scene{"dragonfly", c.spec, "ugal_l", routing.UGALSpec{Threshold: 30, VCMap: "booksim"}, c.pattern}
			n, pat := s.build(t, func(f *setting.Config) { f.VCs = 3 })
			rules := measure.BookSimRules()
			rules.Sample, rules.Limit = c.sample, 0
			r, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: c.rate, Seed: 1}, rules)
			require.NoError(t, err)
			t.Logf("accepted %.4f, BookSim %.4f, %+.1f%%", r.Accepted, c.accepted, 100*(r.Accepted/c.accepted-1))
			require.InEpsilon(t, c.accepted, r.Accepted, .1)
		})
	}
}
