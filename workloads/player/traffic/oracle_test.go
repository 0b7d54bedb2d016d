package traffic_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// What counting channels says of any dragonfly holds through the nodes as well:
// hops = ((a-1) + a(g-1)(3 - 2/a)) / (ag) under uniform traffic, the source
// included, and 1/(ap) of MIN under ADV+i. Derived as in noc/fabric, anysize_test.go.
func TestAnyDragonfly(t *testing.T) {
	for _, c := range []struct{ p, a, h, g, links, i int }{{2, 3, 2, 4, 2, 1}, {3, 4, 1, 5, 1, 2}, {1, 5, 2, 6, 1, 4}} {
		net := fmt.Sprintf("topology: {name: dragonfly, p: %d, a: %d, h: %d, g: %d, links: %d}, routing: min, router: {model: booksim}", c.p, c.a, c.h, c.g, c.links)
		m := pair(t, net, "pattern: uniform, load: 0.3, rules: {sample: 9000, warmup: 1, samples: 3, change: 0}").run(t)
		a, g := float64(c.a), float64(c.g)
		require.InEpsilon(t, ((a-1)+a*(g-1)*(3-2/a))/(a*g), m["hops_mean"], .005)
		if c.links == 1 {
			m = pair(t, net, fmt.Sprintf("pattern: adv+%d, load: 1", c.i)).run(t)
			require.InEpsilon(t, 1/(a*float64(c.p)), m["accepted_load"], .01)
		}
	}
}
