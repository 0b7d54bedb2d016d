package validation

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Full load on the next group: who sees the one congested channel, and who finds
// the others, at a seed that published.yaml does not have.
func TestPIARStudyOrder(t *testing.T) {
	for _, seed := range []string{"2"} {
		accepted := func(routing string) float64 {
			return playedOf(t, "piar", "fogsim.yaml", "seed="+seed, "Net.routing="+routing)["Traffic.accepted_load@measure"]
		}
		ugal := accepted("{name: ugal_l, via: group, exclude: source, hops: absolute, queue: vc, vc_map: ladder, threshold: 0}")
		par := accepted("{name: par, global: mm, queue: port}")
		val := accepted("{name: val_group, exclude: source}")
		pb := accepted("{name: pb, exclude: source, hops: absolute, queue: vc, coefficient: 100, global_threshold: 24}")
		olm := accepted("{name: olm, global: rrg, queue: vc}")
		require.IsIncreasing(t, []float64{ugal, par, val, pb, olm, .5625}, "seed %s: UGAL-L < PAR < VAL < PB < OLM < g/(2ap)", seed)
	}
}

// Links between groups of twice the latency: each of the 64 of 70 destinations that
// are in other groups is 100 cycles farther, whatever the load, while nothing is
// saturated. Of half the bandwidth: half the load.
func TestPIARStudyPerturbed(t *testing.T) {
	for _, routing := range []string{"min", "val_group"} {
		latency := func(set ...string) float64 {
			set = append(set, "routing="+routing, "pattern=uniform_remote", "load=0.1", "seed=7")
			return playedOf(t, "piar", "synthetic.yaml", set...)["Traffic.packet_latency_mean@measure"]
		}
		channels := 64. / 70 // between groups, on the mean way
		if routing == "val_group" {
			// Destinations in the own group are reached minimally, those of others
			// over two; its defaults leave out source and destination.
			channels *= 2
		}
		require.InDelta(t, 100*channels, latency("Net.global.latency=200ns")-latency(), 3, routing)
	}
	for _, routing := range []string{"min", "val_group", "piar"} {
		accepted := func(set ...string) float64 {
			return playedOf(t, "piar", "packet.yaml", append(set, "routing="+routing)...)["Traffic.accepted_load@measure"]
		}
		require.InEpsilon(t, .5, accepted("Net.global.bandwidth=8GB/s")/accepted(), .03, routing)
	}
}
