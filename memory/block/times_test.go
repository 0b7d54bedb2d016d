package block

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The dumb twin is a list that is sorted anew.
func TestTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var x Times
		var twin []uint64
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(twin) > 0 && rapid.Bool().Draw(t, "pop") {
				require.Equal(t, twin[0], x.Pop())
				twin = twin[1:]
			} else {
				cycle := rapid.Uint64Range(0, 9).Draw(t, "cycle")
				fresh := !slices.Contains(twin, cycle)
				if fresh {
					twin = append(twin, cycle)
					slices.Sort(twin)
				}
				require.Equal(t, fresh && twin[0] == cycle, x.Add(cycle))
			}
			want := Never
			if len(twin) > 0 {
				want = twin[0]
			}
			require.Equal(t, want, x.First())
		}
	})
}
