package player

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Answers near and far, in any order, come in their cycles: against a list that is
// looked through.
func TestFinishingAgainstAList(t *testing.T) {
	type answer struct {
		at    uint64
		waits bool
	}
	for _, reach := range []uint64{3, 64, 65, 70, 300} {
		rng := rand.New(rand.NewPCG(reach, 1))
		var f finishing
		var list []answer
		for now := uint64(0); now < 4000; now += 1 + rng.Uint64N(2)*rng.Uint64N(reach+20) {
			n, waited := f.pop(now)
			var left []answer
			next := never
			for _, a := range list {
				if a.at > now {
					left = append(left, a)
					next = min(next, a.at)
					continue
				}
				n--
				if a.waits {
					waited--
				}
			}
			require.Zero(t, n, "cycle %d", now)
			require.Zero(t, waited, "cycle %d", now)
			require.Equal(t, next, f.next(), "cycle %d", now)
			require.Equal(t, len(left), f.n)
			list = left
			for range rng.IntN(4) {
				a := answer{now + 1 + rng.Uint64N(reach), rng.IntN(3) > 0}
				f.push(a.at, a.waits)
				list = append(list, a)
			}
		}
	}
}

// In quiet cycles there is one answer each, if every answer is followed by another one in
// the next cycle; passing them is as good as looking at each.
func TestFinishingPassesQuietCycles(t *testing.T) {
	for _, reach := range []uint64{3, 64, 65, 70, 300} {
		rng := rand.New(rand.NewPCG(reach, 2))
		passed := 0
		for range 300 {
			var a, b finishing
			now := rng.Uint64N(200)
			a.pop(now)
			b.pop(now)
			push := func(at uint64, waits bool) {
				a.push(at, waits)
				b.push(at, waits)
			}
			push(now+1, rng.IntN(8) > 0)
			for range rng.IntN(3) {
				push(now+1+rng.Uint64N(reach), rng.IntN(3) > 0)
			}
			quiet := a.quiet()
			for i := range quiet {
				n, waited := b.pop(now + 1 + i)
				require.Equal(t, 1, n)
				require.Equal(t, uint64(1), waited)
				b.push(now+2+i, true)
			}
			if quiet > 0 {
				a.pass(quiet)
				passed++
			}
			require.Equal(t, b, a)
			if quiet > 0 && quiet < 64 { // and no more are quiet
				n, waited := b.pop(now + 1 + quiet)
				require.False(t, n == 1 && waited == 1, "%d cycles", quiet)
			}
		}
		require.Greater(t, passed, 100)
	}
}
