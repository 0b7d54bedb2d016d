package collective

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What each rank sends in its group and across, of n ranks in groups of g with k groups, B
// bytes: the closed forms of two levels. Nothing is sent across but to the same number.
func TestLevelsLoads(t *testing.T) {
	const g, k, n = 4, 3, 12
	const b = 4 * n * n
	for o, want := range map[Operation][2]int64{ // of all ranks
		AllReduce:     {n * 2 * (g - 1) * b / g, n * 2 * (k - 1) * b / n},
		ReduceScatter: {n * (g - 1) * b / g, n * (k - 1) * b / n},
		AllGather:     {n * (g - 1) * k * b, n * (k - 1) * b},
		AllToAll:      {n * (g - 1) * k * b / n, n * (k - 1) * g * b / n}, // what stays in a group goes once, the rest twice
		Broadcast:     {(g-1)*b/g + (k*g-1)*(g-1)*b/g, (k - 1) * b},
		ReduceTo:      {k*(g-1)*b + (g-1)*b/g, (k - 1) * b},
	} {
		for _, root := range []int{0, 5} {
			s, err := New("hierarchical", Request{Operation: o, Ranks: n, Bytes: b, Root: root}, HierarchicalSpec{Pipeline: one.Pipeline, Group: g})
			require.NoError(t, err)
			require.NoError(t, s.CheckResult(nil))
			var in, out int64
			for pair, bytes := range loads(s) {
				if pair[0]/g == pair[1]/g {
					in += bytes
				} else {
					require.Equal(t, pair[0]%g, pair[1]%g)
					out += bytes
				}
			}
			require.Equal(t, want, [2]int64{in, out}, "%s from %d", o, root)
			if o != Broadcast && o != ReduceTo {
				break
			}
		}
	}
}
