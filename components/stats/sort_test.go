package stats

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Numbers of any size, few and many, come out as a comparing sort has them.
func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 1<<digits - 1, 1 << digits, 10000} {
		for _, most := range []uint32{1, 1000, 1 << 24, 1<<32 - 1} {
			list := make([]uint32, n)
			for i := range list {
				list[i] = rng.Uint32N(most)
			}
			want := slices.Clone(list)
			slices.Sort(want)
			sort(list, make([]uint32, n))
			require.Equal(t, want, list, "%d below %d", n, most)
		}
	}
}
