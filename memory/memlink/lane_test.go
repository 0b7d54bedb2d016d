package memlink

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
)

// slow is the dumb twin of a lane: one flit after the other, byte by byte, in exact
// fractions of a picosecond.
func slow(s *Spec, at, size []uint64) (through []uint64, flits int) {
	period := big.NewRat(int64(s.Flit.Size)*8e12, int64(s.Bandwidth))
	through = make([]uint64, len(at))
	left := append([]uint64(nil), size...)
	now := new(big.Rat)
	for next := 0; next < len(at); {
		if first := new(big.Rat).SetInt64(int64(at[next])); now.Cmp(first) < 0 {
			now = first // idle
		}
		end := new(big.Rat).Add(now, period)
		for room := uint64(s.Flit.Payload); room > 0 && next < len(at); {
			if now.Cmp(new(big.Rat).SetInt64(int64(at[next]))) < 0 {
				break // it comes when this flit has begun
			}
			n := min(room, left[next])
			room -= n
			if left[next] -= n; left[next] == 0 {
				up := new(big.Int).Add(end.Num(), new(big.Int).Sub(end.Denom(), big.NewInt(1)))
				through[next] = up.Quo(up, end.Denom()).Uint64()
				next++
			}
		}
		now = end
		flits++
	}
	return through, flits
}

func TestLaneAgainstTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := DefaultSpec()
		s.Bandwidth = units.Bandwidth(rapid.SampledFrom([]uint64{8e12, 3e11, 7e11, 800e9}).Draw(t, "bandwidth"))
		s.Flit.Size = units.Bytes(rapid.Uint64Range(1, 700).Draw(t, "flit"))
		s.Flit.Payload = units.Bytes(rapid.Uint64Range(1, uint64(s.Flit.Size)).Draw(t, "payload"))
		n := rapid.IntRange(1, 20).Draw(t, "packets")
		at, size := make([]uint64, n), make([]uint64, n)
		now := uint64(0)
		for i := range at {
			now += rapid.Uint64Range(0, 9000).Draw(t, "gap") * rapid.Uint64Range(0, 1).Draw(t, "apart")
			at[i], size[i] = now, rapid.Uint64Range(1, 2000).Draw(t, "bytes")
		}
		want, flits := slow(&s, at, size)
		l := newLane(&s)
		for i := range at {
			require.Equal(t, want[i], l.send(at[i], size[i]), "packet %d", i)
		}
		require.EqualValues(t, flits, l.count())
	})
}

func TestSizes(t *testing.T) {
	s := DefaultSpec()
	s.Granule, s.Least = 16, 48
	for _, x := range [][3]uint64{{16, 0, 48}, {16, 32, 48}, {16, 33, 64}, {16, 256, 272}} {
		require.Equal(t, x[2], s.size(x[0], x[1]))
	}
}
