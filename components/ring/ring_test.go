package ring_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/ring"
)

// Against a slice.
func TestRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r ring.Of[int]
		var list []int
		for i, push := range rapid.SliceOfN(rapid.Bool(), 0, 200).Draw(t, "pushes") {
			switch {
			case push || len(list) == 0:
				r.Push(i)
				list = append(list, i)
			default:
				require.Equal(t, list[0], r.Pop())
				list = list[1:]
			}
			require.Equal(t, len(list), r.Len())
			for k, v := range list {
				require.Equal(t, v, *r.At(k))
			}
		}
	})
}

func TestRingDoesNotAllocate(t *testing.T) {
	var r ring.Of[[4]uint64]
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for range 16 {
			r.Push([4]uint64{})
		}
		for range 16 {
			r.Pop()
		}
	}))
}
