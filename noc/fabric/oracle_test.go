package fabric_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric/measure"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A dragonfly+ at ADV+i: the terminals of a group share its links to another group.
func TestSaturationOfDragonflyPlus(t *testing.T) {
	for _, c := range []struct {
		spec    topology.DragonflyPlusSpec
		pattern string
	}{
		{topology.DragonflyPlusSpec{P: 2, Leaves: 2, Spines: 2, H: 2}, "adv+1"},
		{topology.DragonflyPlusSpec{P: 3, Leaves: 2, Spines: 3, H: 1}, "adv+2"},
	} {
		n, pat := scene{"dragonfly_plus", c.spec, "min", nil, c.pattern}.build(t, nil)
		rules := measure.BookSimRules()
		rules.Limit = 0
		want := 1 / float64(c.spec.P*c.spec.Leaves)
		r, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: 1.3 * want, Flits: 8, Seed: 1}, rules)
		require.NoError(t, err)
		require.InEpsilon(t, want, r.Accepted, .02)
	}
}

// Offered more than it can take, a dragonfly accepts what counting channels
// says. ADV+i: all ap terminals of a group share one channel to the next,
// 1/(ap). Valiant with both groups excluded: g-2 ways of two global hops each,
// (g-2)/(2ap), which is a bound. Adaptive: the direct channel in addition,
// g/(2ap). Within a group all p terminals of a router share one channel: 1/p.
func TestSaturationBounds(t *testing.T) {
	for _, c := range []struct {
		p, a, h          int
		routing, pattern string
		low, high        float64 // of the bound that must be reached, may be passed
		bound            func(p, a, g float64) float64
	}{
		{2, 4, 2, "min", "adv+1", .99, 1.01, func(p, a, _ float64) float64 { return 1 / (a * p) }},
		{2, 4, 2, "min", "adv+3", .99, 1.01, func(p, a, _ float64) float64 { return 1 / (a * p) }},
		{3, 6, 3, "min", "adv+1", .99, 1.01, func(p, a, _ float64) float64 { return 1 / (a * p) }},
		{4, 8, 4, "min", "adv+1", .99, 1.01, func(p, a, _ float64) float64 { return 1 / (a * p) }},
		{2, 4, 2, "min", "adv_local+1", .93, 1.01, func(p, _, _ float64) float64 { return 1 / p }},
		{2, 4, 2, "val_group", "adv+1", .85, 1.01, func(p, a, g float64) float64 { return (g - 2) / (2 * a * p) }},
		{2, 4, 2, "val_router", "adv+1", .85, 1.01, func(p, a, g float64) float64 { return (g - 2) / (2 * a * p) }},
		{2, 4, 2, "ugal_l", "adv+1", .75, 1.01, func(p, a, g float64) float64 { return g / (2 * a * p) }},
		{2, 4, 2, "ugal_g", "adv+1", .88, 1.01, func(p, a, g float64) float64 { return g / (2 * a * p) }},
	} {
		t.Run(fmt.Sprintf("%d %d %d %s %s", c.p, c.a, c.h, c.routing, c.pattern), func(t *testing.T) {
			if testing.Short() && c.p > 2 {
				t.Skip("short")
			}
			t.Parallel()
			var spec any
			if c.routing == "ugal_l" { // the defaults, which are BookSim's, fall back to 0.22 here
				spec = routing.UGALSpec{Via: "group", Exclude: routing.ExcludeBoth, Hops: "actual"}
			}
			n, pat := scene{"dragonfly", topology.DragonflySpec{P: c.p, A: c.a, H: c.h}, c.routing, spec, c.pattern}.build(t, nil)
			rules := measure.BookSimRules()
			rules.Sample, rules.Limit = 1000, 0
			bound := c.bound(float64(c.p), float64(c.a), float64(c.a*c.h+1))
			r, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: min(1, 1.5*bound), Seed: 1}, rules)
			require.NoError(t, err)
			t.Logf("accepted %.4f of %.4f", r.Accepted, bound)
			require.GreaterOrEqual(t, r.Accepted, c.low*bound)
			require.LessOrEqual(t, r.Accepted, c.high*bound)
			require.NoError(t, n.Check())
		})
	}
}
