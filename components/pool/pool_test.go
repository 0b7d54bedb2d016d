package pool

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Against a map: every number that is taken has its own value, the one given last is
// taken first, and there are never more values than were taken at once.
func TestAgainstAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var p Of[uint64, int32]
	taken, most := map[int32]uint64{}, 0
	var list, freed []int32
	for step := range uint64(20000) {
		if len(list) == 0 || r.IntN(2) == 0 && len(list) < 50 {
			i := p.Take()
			require.NotContains(t, taken, i)
			if n := len(freed); n > 0 {
				require.Equal(t, freed[n-1], i)
				freed = freed[:n-1]
			}
			*p.At(i), taken[i] = step, step
			list = append(list, i)
			most = max(most, len(list))
		} else {
			k := r.IntN(len(list))
			i := list[k]
			require.Equal(t, taken[i], *p.At(i))
			p.Give(i)
			delete(taken, i)
			freed = append(freed, i)
			list[k] = list[len(list)-1]
			list = list[:len(list)-1]
		}
		require.Equal(t, len(taken), p.Taken())
		require.Equal(t, most, p.Len())
	}
	require.Len(t, p.All(), most)
}

// A value is as its last use left it, a new one zero.
func TestValuesStay(t *testing.T) {
	var p Of[string, uint32]
	i := p.Take()
	require.Empty(t, *p.At(i))
	*p.At(i) = "first"
	p.Give(i)
	require.Equal(t, "first", *p.At(p.Take()))
	require.Empty(t, *p.At(p.Take()))
}

func TestNothingIsAllocated(t *testing.T) {
	var p Of[[4]uint64, int32]
	var held [16]int32
	round := func() {
		for i := range held {
			held[i] = p.Take()
		}
		for _, i := range held {
			p.Give(i)
		}
	}
	round()
	require.Zero(t, testing.AllocsPerRun(100, round))
}
