package mapping

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Chunks are runs of operators. None of several operators takes longer than the limit, and none could have had the first
// operator of the next.
func TestChunksAreAsLongAsTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.Int64Range(0, 20), 1, 30).Draw(t, "times")
		limit := rapid.Int64Range(1, 40).Draw(t, "limit")
		chunk, n := chunks(times, limit)
		require.Equal(t, 0, chunk[0])
		require.Equal(t, n-1, chunk[len(chunk)-1])
		sum := times[0]
		for i := 1; i < len(times); i++ {
			switch chunk[i] - chunk[i-1] {
			case 0:
				sum += times[i]
				require.True(t, sum <= limit || sum == times[i], "chunk %d", chunk[i])
			case 1:
				require.Greater(t, sum+times[i], limit, "chunk %d", chunk[i])
				sum = times[i]
			default:
				require.Fail(t, "a chunk without operators")
			}
		}
	})
}

// A timetable, told again from its order: chunks of a micro-batch go one after the other, a stage has one at a time, and
// each begins as soon as both allow. The order is that of the beginnings. The end is no earlier than the longest stage
// and than a micro-batch alone.
func TestTimelineIsAsEarlyAsMayBe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.Int64Range(1, 20), 1, 12).Draw(t, "times")
		stages, micro := rapid.IntRange(1, 4).Draw(t, "stages"), rapid.IntRange(1, 5).Draw(t, "micro-batches")
		best := plan(times, stages, micro)
		n := slices.Max(best.chunk) + 1
		length := make([]int64, n)
		for i, q := range best.chunk {
			length[q] += times[i]
		}
		order := make([][2]int, n*micro)
		for at, rank := range best.rank {
			order[rank] = at
		}
		require.Len(t, best.rank, n*micro)
		done, free, begun, end := make([]int64, micro), make([]int64, stages), int64(0), int64(0)
		next := make([]int, micro)
		for _, at := range order {
			q, m := at[0], at[1]
			require.Equal(t, next[m], q, "chunks of a micro-batch are in order")
			next[m]++
			begin := max(done[m], free[q%stages])
			require.GreaterOrEqual(t, begin, begun, "the order is that of the beginnings")
			begun = begin
			done[m], free[q%stages] = begin+length[q], begin+length[q]
			end = max(end, begin+length[q])
		}
		require.Equal(t, end, best.finish)
		total, busy := int64(0), make([]int64, stages)
		for q, l := range length {
			total += l
			busy[q%stages] += l
		}
		require.GreaterOrEqual(t, best.finish, max(total, slices.Max(busy)*int64(micro)))
		require.LessOrEqual(t, best.finish, total*int64(micro), "one micro-batch after the other")
		seen := map[int]bool{}
		for percent := int64(150); percent >= 10; percent-- { // of a stage's share
			limit := max(1, total*percent/(100*int64(stages)))
			chunk, n := chunks(times, limit)
			if percent%5 == 0 || !seen[n] {
				_, finish := timeline(times, chunk, n, stages, micro)
				require.LessOrEqual(t, best.finish, finish, "chunks of at most %d", limit)
			}
			seen[n] = true
		}
	})
}

// Two equal operators on two stages, four micro-batches, by hand: a stage is filled in one operator, then both work.
func TestPlanByHand(t *testing.T) {
	best := plan([]int64{10, 10}, 2, 4)
	require.Equal(t, []int{0, 1}, best.chunk)
	require.EqualValues(t, 10+4*10, best.finish)
	require.EqualValues(t, 4*20, plan([]int64{10, 10}, 1, 4).finish, "one stage")
	require.EqualValues(t, 3*7+3, plan([]int64{7, 3}, 2, 3).finish, "the long stage is never idle")
}
