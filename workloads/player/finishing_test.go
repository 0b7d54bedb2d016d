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
