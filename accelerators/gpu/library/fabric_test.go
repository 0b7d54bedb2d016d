package library

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Of many bytes a ring takes what the interfaces of all chips of a domain let pass, or the links;
// inside a domain it is the collective of a machine. More of a rate never takes longer.
func TestBetweenDomains(t *testing.T) {
	l, ok := LinksOf("sm90")
	require.True(t, ok)
	c := &Chip{Link: 450e9}
	p := Transfer{Func: "all_gather", Ranks: 64, Bytes: 64e9}
	of := func(p Transfer, r Reach) float64 {
		x, ok := l.Between(c, p, r)
		require.True(t, ok)
		return x.Total
	}
	require.InEpsilon(t, 64e9*63/64/(8*50e9*0.92), of(p, Reach{8, 50e9}), 0.01)
	require.InEpsilon(t, 64e9*63/64/(50e9*0.92), of(p, Reach{1, 50e9}), 0.01)
	require.InEpsilon(t, 64e9*63/64/(450e9*l.rules.nccl["all_gather"].simple), of(p, Reach{8, 1000e9}), 0.01)
	small := p
	small.Ranks = 8
	inside, _ := l.Transfer(c, small)
	require.Equal(t, inside.Total, of(small, Reach{8, 50e9}))
	for _, f := range []string{"all_reduce", "all_gather", "reduce_scatter", "all_to_all"} {
		for _, bytes := range []float64{1e3, 1e6, 1e9} {
			q := Transfer{Func: f, Ranks: 64, Bytes: bytes}
			require.GreaterOrEqual(t, of(q, Reach{8, 50e9}), of(q, Reach{8, 100e9}), f)
			if f != "all_to_all" { // which chips leave by their own interface alone
				require.GreaterOrEqual(t, of(q, Reach{4, 50e9}), of(q, Reach{8, 50e9}), f)
			}
		}
	}
}
