package transit

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// The dumb twin is a list of times.
func TestMinTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 600).Draw(t, "links")
		a, twin := NewMinTree(n), slices.Repeat([]int64{link.Never}, n)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			i := rapid.IntRange(0, n-1).Draw(t, "link")
			at := rapid.SampledFrom([]int64{0, 1, 2, 3, 5, 8, link.Never}).Draw(t, "at")
			a.Set(i, at)
			twin[i] = at
			require.Equal(t, slices.Min(twin), a.Next())
			from, until := rapid.IntRange(0, n).Draw(t, "from"), rapid.Int64Range(0, 9).Draw(t, "until")
			want := slices.IndexFunc(twin[from:], func(x int64) bool { return x <= until })
			if want >= 0 {
				want += from
			}
			require.Equal(t, want, a.Due(from, until), "%v from %d until %d", twin, from, until)
		}
	})
}
