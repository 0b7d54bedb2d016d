package dram

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// What is left delays every bank exactly as all did: a bank is delayed by those of
// its levels, of which the nearer a bank is to the one in question, the more apply.
func TestPruneChangesNothing(t *testing.T) {
	fewer := 0
	rapid.Check(t, func(t *rapid.T) {
		ds := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) delay {
			return delay{level: standard.Level(rapid.IntRange(0, int(standard.BankLevel)).Draw(t, "level")), next: standard.Command(rapid.IntRange(0, 2).Draw(t, "next")), clocks: int64(rapid.IntRange(1, 4).Draw(t, "clocks"))}
		}), 0, 12).Draw(t, "delays")
		ranks := rapid.IntRange(1, 2).Draw(t, "ranks")
		left := prune(ds, ranks)
		fewer += len(ds) - len(left)
		// shared is the narrowest level that a bank has in common with the one that the
		// command is about: with one rank, at least that.
		for shared := standard.ChannelLevel; shared <= standard.BankLevel; shared++ {
			if ranks == 1 && shared < standard.RankLevel {
				continue
			}
			for next := range standard.Command(3) {
				wait := func(ds []delay) (most int64) {
					for _, d := range ds {
						if d.next == next && d.level <= shared {
							most = max(most, d.clocks)
						}
					}
					return most
				}
				require.Equal(t, wait(ds), wait(left))
			}
		}
	})
	require.Positive(t, fewer)
}
