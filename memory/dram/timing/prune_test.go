package timing

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// What is left delays every bank exactly as all did: a bank is delayed by those of
// its levels, of which the nearer a bank is to the one in question, the more apply.
// Without any one of what is left, some bank would be delayed less.
func TestPruneChangesNothing(t *testing.T) {
	fewer := 0
	rapid.Check(t, func(t *rapid.T) {
		ds := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) delay {
			return delay{level: standard.Level(rapid.IntRange(0, int(standard.BankLevel)).Draw(t, "level")), next: standard.Command(rapid.IntRange(0, 2).Draw(t, "next")), clocks: int64(rapid.IntRange(1, 4).Draw(t, "clocks"))}
		}), 0, 12).Draw(t, "delays")
		ranks := rapid.IntRange(1, 2).Draw(t, "ranks")
		left := prune(ds, ranks)
		fewer += len(ds) - len(left)
		// wait is the delay of a bank that has no narrower level than shared in common with
		// the one that the command is about: with one rank, at least that.
		wait := func(ds []delay, shared standard.Level, next standard.Command) (most int64) {
			for _, d := range ds {
				if d.next == next && d.level <= shared {
					most = max(most, d.clocks)
				}
			}
			return most
		}
		needed := make([]bool, len(left))
		for shared := standard.ChannelLevel; shared <= standard.BankLevel; shared++ {
			if ranks == 1 && shared < standard.RankLevel {
				continue
			}
			for next := range standard.Command(3) {
				require.Equal(t, wait(ds, shared, next), wait(left, shared, next))
				for i := range left {
					without := slices.Delete(slices.Clone(left), i, i+1)
					needed[i] = needed[i] || wait(without, shared, next) < wait(left, shared, next)
				}
			}
		}
		require.NotContains(t, needed, false, "%v of %v", left, ds)
	})
	require.Positive(t, fewer)
}
