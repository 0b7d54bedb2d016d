package reuse

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
)

// Distances against a list in the order of use, and hits against fully
// associative caches of every size (Mattson's inclusion).
func TestReuseEqualsTheStack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := New()
		r.tree = make([]uint32, 4) // so that time runs out often
		var stack []uint64
		lines := rapid.SliceOfN(rapid.Uint64Range(0, 20), 1, 200).Draw(t, "lines")
		for _, l := range lines {
			want := -1
			for i, x := range stack {
				if x == l {
					want = i
					stack = append(stack[:i:i], stack[i+1:]...)
					break
				}
			}
			stack = append([]uint64{l}, stack...)
			require.Equal(t, want, r.Access(l))
		}
		for ways := 1; ways < 22; ways++ {
			x, err := tagstore.NewIndex(1, 1, "linear")
			require.NoError(t, err)
			p, err := policy.New("lru", policy.Geometry{Sets: 1, Ways: ways}, nil)
			require.NoError(t, err)
			c := tagstore.New(x, ways, p)
			for _, l := range lines {
				c.Access(policy.Access{Line: l})
			}
			require.Equal(t, c.Counts().Hits, r.Hits(ways), "%d ways", ways)
		}
		require.EqualValues(t, len(stack), r.Cold())
	})
}

// Peer: the hits of a fully associative LRU cache of 16384 lines that the
// reference program counts (memory/policy/testdata).
func TestReuseEqualsTheReference(t *testing.T) {
	r := New()
	for a := range tracetest.Zipf(17, 1.0, 2_000_000).All() {
		r.Access(a.Line)
	}
	require.EqualValues(t, 1529653, r.Hits(16384))
	p50, ok := r.Percentile(50)
	require.True(t, ok)
	require.InDelta(t, 0.5, float64(r.Hits(p50))/float64(r.total-r.cold), 0.001)
	_, ok = New().Percentile(50)
	require.False(t, ok)
}

func BenchmarkReuse(b *testing.B) {
	r := New()
	b.ReportAllocs()
	for i := range b.N {
		r.Access(uint64(i) * 2654435761 % 100_000)
	}
}
