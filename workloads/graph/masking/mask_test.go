package masking

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Range, Seers and Pairs against a matrix of who sees whom: of all entries, and of every so many.
func TestMaskAgainstMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		queries := 1 + r.Int64N(12)
		entries := queries + r.Int64N(12)
		keys := entries
		m := Mask{Causal: r.IntN(4) > 0}
		at := func(k int64) int64 { return k }
		if m.Causal {
			m.Window, m.Chunk = r.IntN(3)*r.IntN(8), r.IntN(3)*r.IntN(6)
			if m.Every = r.IntN(5); m.Every > 0 {
				m.First, m.Of = r.IntN(m.Every), int(entries)
				if keys = (entries - int64(m.First) + int64(m.Every) - 1) / int64(m.Every); keys < 1 {
					continue
				}
				at = func(k int64) int64 { return int64(m.First) + k*int64(m.Every) }
			}
		}
		require.NoError(t, m.Check(int(queries), int(keys)))
		sees := func(i, key int64) bool {
			k, at := at(key), entries-queries+i
			switch {
			case !m.Causal:
				return true
			case k > at, m.Window > 0 && k <= at-int64(m.Window), m.Chunk > 0 && k/int64(m.Chunk) != at/int64(m.Chunk):
				return false
			}
			return true
		}
		q0 := r.Int64N(queries)
		q1 := q0 + 1 + r.Int64N(queries-q0)
		k0 := r.Int64N(keys)
		k1 := k0 + 1 + r.Int64N(keys-k0)
		pairs, first, last := int64(0), int64(-1), int64(-1)
		for i := q0; i < q1; i++ {
			from, to := m.Range(i, queries, keys)
			for k := range keys {
				require.Equal(t, sees(i, k), k >= from && k < to, "%+v query %d entry %d of %d x %d", m, i, k, queries, keys)
				if !sees(i, k) {
					continue
				}
				pairs++
				if k >= k0 && k < k1 {
					last = i
					if first < 0 {
						first = i
					}
				}
			}
		}
		require.Equal(t, pairs, m.Pairs(q0, q1, queries, keys), "%+v [%d,%d) of %d x %d", m, q0, q1, queries, keys)
		from, to := m.Seers(q0, q1, k0, k1, queries, keys)
		if first < 0 && m.Every > 0 && (m.Window > 0 || m.Chunk > 0) {
			continue // no key is in their windows
		}
		if first < 0 {
			require.Equal(t, from, to, "%+v [%d,%d) x [%d,%d) of %d x %d", m, q0, q1, k0, k1, queries, keys)
			continue
		}
		if m.Every > 0 && (m.Window > 0 || m.Chunk > 0) {
			require.LessOrEqual(t, from, first)
			require.GreaterOrEqual(t, to, last+1)
			continue
		}
		require.Equal(t, [2]int64{first, last + 1}, [2]int64{from, to}, "%+v [%d,%d) x [%d,%d) of %d x %d", m, q0, q1, k0, k1, queries, keys)
	}
}

func TestMaskThatCannotBe(t *testing.T) {
	require.ErrorContains(t, Mask{Causal: true}.Check(5, 4), "want at least as many")
	require.ErrorContains(t, Mask{Window: 3}.Check(4, 4), "without a causal mask")
	require.ErrorContains(t, Mask{Every: 2, Of: 8}.Check(4, 4), "steps without a causal mask")
	require.ErrorContains(t, Mask{Causal: true, Every: 2, Of: 8, First: 1}.Check(4, 5), "5 keys of 8 entries, of which every 2 from 1 on is there")
	require.ErrorContains(t, Mask{Causal: true, Every: 2, Of: 8}.Check(9, 4), "9 queries over 8 entries")
	require.ErrorContains(t, Mask{Causal: true, Of: 8}.Check(4, 8), "every 0 of 8")
	require.ErrorContains(t, Mask{Causal: true, Window: -1}.Check(4, 4), "want at least 1")
}
