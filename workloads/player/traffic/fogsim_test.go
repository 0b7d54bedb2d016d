package traffic_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Routers of FOGSim alone bring the rest of FOGSim's set-up. Reference: points of
// FOGSim 2021, testParameters.txt, 72 terminals, seed 1.
func TestFOGSimAlone(t *testing.T) {
	dragonfly := func(more string) string {
		return "topology: {name: dragonfly, p: 2, a: 4, h: 2" + more + "}, router: {model: fogsim}, routing: "
	}
	for _, c := range []struct {
		routing, pattern                 string
		offered, accepted, latency, hops float64
	}{
		{"min", "uniform_other", .5, .504467, 138.087, 2.33637},
		{"min", "adv+1", .4, .125044, 4383.9, 2.75564},
		{"val_group", "adv+1", .4, .404133, 272.737, 3.7525},
		{"ugal_l", "uniform_other", .5, .504778, 179.32, 3.02659},
		{"ugal_l", "adv+1", 1, .271644, 3089.77, 3.51374},
		{"pb", "uniform_other", .5, .504422, 182.599, 3.06331},
		{"par", "uniform_other", 1, .820444, 1352.18, 2.38172},
		{"val_group", "adv+2", 1, .301444, 3311.17, 4.26185},
	} {
		t.Run(fmt.Sprint(c.routing, c.pattern, c.offered), func(t *testing.T) {
			m := pair(t, dragonfly("")+c.routing, fmt.Sprintf("pattern: %s, load: %g", c.pattern, c.offered)).run(t)
			require.InEpsilon(t, c.accepted, m["accepted_load"], .05)
			within := .05
			if c.offered == 1 { // of queues that never empty: 2 to 6 % by seed
				within = .08
			}
			require.InEpsilon(t, c.latency, m["packet_latency_mean"], within)
			require.InEpsilon(t, c.hops, m["hops_mean"], .05)
		})
	}
	// What is said counts, and is not changed.
	b := pair(t, dragonfly("")+"{name: ugal_l, via: router, exclude: none, hops: constant, queue: port, vc_map: safe, threshold: 30}", "pattern: adv+1, load: 1")
	require.Less(t, b.run(t)["accepted_load"], .25)
	said := func(name string) string {
		return fmt.Sprint(b.sys.Node(name).(interface{ Assumptions() []string }).Assumptions())
	}
	require.Contains(t, said("Net"), "palm_tree")
	require.Contains(t, said("Traffic"), "packet 8, process.queue none, rules")
	b = pair(t, dragonfly(", arrangement: palm_tree")+"ugal_l", "pattern: adv+1, load: 0.05")
	b.run(t)
	require.Equal(t, "[] []", said("Net")+" "+said("Traffic"))
	b = pair(t, dragonfly("")+"min", "pattern: adv+1, load: 0.05, packet: 4, process: {queue: endless}, rules: {sample: 500}")
	b.run(t)
	require.Equal(t, "[]", said("Traffic"))
}
