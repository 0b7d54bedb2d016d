package graph

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Range, Seers and Pairs against a matrix of who sees whom.
func TestMaskAgainstMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		queries := 1 + r.Int64N(12)
		keys := queries + r.Int64N(12)
		m := Mask{Causal: r.IntN(4) > 0}
		if m.Causal {
			m.Window, m.Chunk = r.IntN(3)*r.IntN(8), r.IntN(3)*r.IntN(6)
		}
		require.NoError(t, m.Check(int(queries), int(keys)))
		sees := func(i, k int64) bool {
			at := keys - queries + i
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
		if first < 0 {
			require.Equal(t, from, to, "%+v [%d,%d) x [%d,%d) of %d x %d", m, q0, q1, k0, k1, queries, keys)
			continue
		}
		require.Equal(t, [2]int64{first, last + 1}, [2]int64{from, to}, "%+v [%d,%d) x [%d,%d) of %d x %d", m, q0, q1, k0, k1, queries, keys)
	}
}

func TestMaskThatCannotBe(t *testing.T) {
	require.ErrorContains(t, Mask{Causal: true}.Check(5, 4), "want at least as many")
	require.ErrorContains(t, Mask{Window: 3}.Check(4, 4), "without a causal mask")
	require.ErrorContains(t, Mask{Causal: true, Window: -1}.Check(4, 4), "want at least 1")
}
