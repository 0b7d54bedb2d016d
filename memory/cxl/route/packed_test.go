package route

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// What is packed comes out again, in whatever order it is asked for.
func TestPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p packed
		var want [][]Leg
		n := rapid.IntRange(1, 3000).Draw(t, "routes")
		seed := rapid.SliceOfN(rapid.Int32Range(0, 1<<30), 1, 40).Draw(t, "legs")
		for i := range n {
			legs := make([]Leg, i%len(seed)+1)
			for k := range legs {
				legs[k] = Leg(seed[(i*7+k)%len(seed)])
			}
			want = append(want, legs)
			require.EqualValues(t, i, p.add(legs))
		}
		for i := range n {
			k := (i * 7919) % n
			require.Equal(t, want[k], p.list(nil, int32(k)))
		}
	})
}

// A route longer than a piece has one of its own.
func TestPackedLong(t *testing.T) {
	long := make([]Leg, 40_000)
	for i := range long {
		long[i] = Leg(i * i % 60_000)
	}
	var p packed
	for range 3 {
		p.add(long[:3])
		p.add(long)
	}
	for i := range int32(3) {
		require.Equal(t, long[:3], p.list(nil, 2*i))
		require.Equal(t, long, p.list(nil, 2*i+1))
	}
}

// A route is unpacked for the first line that follows it, and stays the same when the
// book is begun again.
func TestOpen(t *testing.T) {
	var b Book
	for i := range Leg(4) {
		b.Add([]Leg{i, i + 1})
	}
	require.EqualValues(t, 0, b.Open(2))
	require.EqualValues(t, 1, b.Open(0))
	require.EqualValues(t, 0, b.Open(2))
	b.Reset(4)
	require.EqualValues(t, 0, b.Add([]Leg{9}))
	require.EqualValues(t, 2, b.Open(0))
	require.EqualValues(t, 3, b.Private([]Leg{5}))
	for i, want := range [][]Leg{{2, 3}, {0, 1}, {9}, {5}} {
		require.Equal(t, want, b.Legs(int32(i)))
	}
}
