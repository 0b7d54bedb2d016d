package served

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Sizes of four significant bits are timed, each once; others lie on the line between two. Where
// twice the size takes twice as long all larger ones lie on that line.
func TestSizesBetweenTimedOnes(t *testing.T) {
	for _, c := range []struct {
		size   int64
		timed  []int64
		border int64 // from which on there is another algorithm
		fixed  int64 // time whatever the size
	}{
		{size: 0, timed: []int64{0}}, {size: 1, timed: []int64{1}}, {size: 15, timed: []int64{15}}, {size: 16, timed: []int64{16}},
		{size: 17, timed: []int64{16, 18}}, {size: 1000, timed: []int64{960, 1024}}, {size: 960, timed: []int64{960}},
		{size: 1000, timed: []int64{1000}, border: 970}, {size: 1000, timed: []int64{1000}, border: 1010}, {size: 1000, timed: []int64{960, 1024}, border: 1025},
		{size: 4096, timed: []int64{4096}}, {size: 5000, timed: []int64{2048, 4096, 4608, 5120}}, {size: 1 << 40, timed: []int64{2048, 4096, 8192}},
		{size: 80000, timed: []int64{16384, 32768, 65536}, border: 10000},
		{size: 1 << 40, timed: []int64{2048, 4096, 8192, 16384}, fixed: 200}, // 200 of 6344, of 12488
	} {
		var timed []int64
		f := &Fabric{known: map[timedTransfer]units.Time{}}
		f.takes = func(all [][]graph.Transfer) (units.Time, error) {
			timed = append(timed, all[0][0].Bytes)
			return units.Time(c.fixed + 3*all[0][0].Bytes), nil
		}
		by := func(size int64) any { return size >= c.border }
		for range 2 {
			got, err := f.time(timedTransfer{size: c.size}, 2048, by, func(size int64) [][]graph.Transfer { return [][]graph.Transfer{{{Bytes: size}}} })
			require.NoError(t, err)
			require.EqualValues(t, c.fixed+3*c.size, got)
		}
		require.Equal(t, c.timed, timed, "%+v", c)
	}
}

// Messages that an interface's overhead holds up take equally long whatever their size, until their
// bytes take longer: no line is drawn before.
func TestLinesBeginWhereTheRateDecides(t *testing.T) {
	f := &Fabric{known: map[timedTransfer]units.Time{}}
	f.takes = func(all [][]graph.Transfer) (units.Time, error) {
		n := all[0][0].Bytes
		if n > 3000 {
			return units.Time(max(2000000, 10*n)), nil // and wait for their receive
		}
		return 1000000, nil
	}
	same := func(int64) any { return nil }
	for _, size := range []int64{4096, 99999, 300000, 1 << 30} {
		got, err := f.time(timedTransfer{size: size}, 2048, same, func(size int64) [][]graph.Transfer { return [][]graph.Transfer{{{Bytes: size}}} })
		require.NoError(t, err)
		require.InEpsilon(t, int64(max(2000000, 10*size)), int64(got), 0.02, "%d", size)
	}
}
