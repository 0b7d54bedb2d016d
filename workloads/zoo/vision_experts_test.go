package zoo

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// 129 tokens of 192: per layer 4 x 192 x 192 and two products of 129 x 192 for attention, 2 x 192
// x 768 for the feed-forward part, as much for two experts of half the width, six routers, patches
// and the head: the 0.783 GMAC that is published. How tokens fall on experts moves the work
// between them and adds none.
func TestMixedVision(t *testing.T) {
	for _, d := range []Draw{{}, {Name: "zipf", Exponent: 2, Seed: 1}, {Name: "trace", Shares: [][]float64{{1, 0, 0, 5}}}} {
		g, err := Build("moe_vit_t", Params{Experts: d})
		require.NoError(t, err)
		layer := 129*(4*192*192+2*192*768) + 2*129*129*192
		require.EqualValues(t, 12*layer+6*129*192*16+128*768*192+192*1000, g.MACs())
		require.InEpsilon(t, 0.783e9, g.MACs(), 0.0005)
		mixtures, busy := 0, 0
		for i := range g.Ops {
			if strings.HasSuffix(g.Ops[i].Name, ".router.softmax") {
				mixtures++
			}
			if strings.HasPrefix(g.Ops[i].Name, "L1.E") && strings.HasSuffix(g.Ops[i].Name, ".up") {
				busy++
			}
		}
		require.Equal(t, 6, mixtures)
		if d.Name == "" {
			require.Equal(t, 16, busy)
		} else {
			require.Less(t, busy, 16)
		}
	}
	_, err := Build("moe_vit_t", Params{Experts: Draw{Name: "trace", Shares: [][]float64{make([]float64, 17)}}})
	require.ErrorContains(t, err, "17 of them in layer 0 (want at most 16)")
}
