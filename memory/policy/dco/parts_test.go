package dco

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/policy"
)

// The hull against the definition: the best ratio over all later points.
func TestRanksAreGittinsIndices(t *testing.T) {
	l := newLearner(1, 16, DefaultSpec())
	rapid.Check(t, func(t *rapid.T) {
		var chance, time [ageBuckets + 1]float64
		for b := range ageBuckets {
			if rapid.IntRange(0, 5).Draw(t, "some") == 0 {
				chance[b] = rapid.Float64Range(0, 1).Draw(t, "chance")
			}
		}
		index := make([]float32, ageBuckets)
		l.write(index, &chance, &time, false)
		for b := range ageBuckets {
			best, alive, used, spent := 0.0, 1.0, 0.0, 0.0
			for e := b; e < ageBuckets; e++ {
				used += alive * chance[e]
				spent += alive * (l.start[e+1] - l.start[e])
				alive *= 1 - chance[e]
				best = math.Max(best, used/spent)
			}
			sure := 1.0
			for e := range b {
				sure *= 1 - chance[e]
			}
			if sure > 1e-6 { // else nothing gets that old
				require.InEpsilon(t, best*tilt(b)+1, float64(index[b])+1, 1e-4, "bucket %d", b)
			}
		}
	})
}

// Buckets are one step wide up to 32 steps and a sixteenth to a thirty-second
// of the age after that.
func TestAgeBuckets(t *testing.T) {
	l := newLearner(1, 16, DefaultSpec())
	for age, b := range l.bucket {
		from, to := l.start[b], l.start[b+1]
		require.True(t, from <= float64(age) && float64(age) < to, "age %d in bucket %d: %v to %v", age, b, from, to)
		if age < ageMax {
			require.LessOrEqual(t, to-from, math.Max(1, float64(age)/16), "age %d", age)
		}
	}
	require.EqualValues(t, 31, l.bucket[31])
	require.EqualValues(t, ageBuckets-1, l.bucket[ageMax])
}

// A stream that comes back after exactly g steps: the older a line the more it
// is worth, until it is overdue.
func TestARegularStreamIsKeptByAge(t *testing.T) {
	l := newLearner(1, 16, DefaultSpec())
	const gap = 24
	for step := range uint32(40 * gap) {
		l.observe(0, uint64(step%gap), step, 4, 0)
	}
	for age := range uint32(gap) {
		require.Less(t, l.rank(4, age), l.rank(4, age+1))
	}
	require.Greater(t, l.rank(4, gap), 10*l.rank(4, gap+1))
	require.InEpsilon(t, 1.0/gap, l.rank(4, 0), 0.25)
}

// Tiles of a power of two are found by a shift, others by a division.
func TestTilesOf(t *testing.T) {
	for _, tile := range []uint64{64, 128, 192, 4096} {
		p := newTiles(policy.Geometry{Line: 64, Tensors: []policy.Tensor{{Bytes: 64, Uses: 1}, {Base: 64, Bytes: 40 * 64, Tile: tile, Uses: 1}}})
		for line := range uint64(40) {
			at := min(tile, 40*64)
			require.EqualValues(t, 1+line*64/at, p.of(&policy.Access{Line: 1 + line, Tensor: 2}), "tiles of %d", tile)
		}
	}
}

// Tiles end with their last access, and one more begins another life.
func TestTilesCount(t *testing.T) {
	p := newTiles(policy.Geometry{Line: 64, Tensors: []policy.Tensor{{Base: 640, Bytes: 5 * 64, Tile: 2 * 64, Uses: 2}, {Base: 0, Bytes: 64}}})
	require.Equal(t, []uint64{4, 4, 2}, p.left)
	last := policy.Access{Line: 14, Tensor: 1}
	require.False(t, p.dies(&last, 2))
	require.EqualValues(t, 2, p.of(&last))
	p.count(2)
	require.True(t, p.dies(&last, 2))
	p.count(2)
	require.True(t, p.dead(2))
	p.count(2)
	require.False(t, p.dead(2))
	require.Equal(t, []uint64{4, 4, 1}, p.left)
	for _, a := range []policy.Access{{Line: 15, Tensor: 1}, {Line: 9, Tensor: 1}, {Line: 0, Tensor: 2}, {Line: 10}, {Line: 10, Tensor: 7}} {
		require.EqualValues(t, noTile, p.of(&a), "%+v is in no tile", a)
	}
}
