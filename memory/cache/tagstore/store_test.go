package tagstore

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/policy"
)

// The table against a Go map.
func TestLineMapEqualsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const lines = 8
		m, twin := newLineMap(lines), map[uint64]int{}
		for range 200 {
			l := rapid.Uint64Range(0, 20).Draw(t, "line") << rapid.IntRange(0, 1).Draw(t, "shift")
			if w, ok := twin[l]; ok {
				require.Equal(t, w, m.get(l))
				m.remove(l)
				delete(twin, l)
			} else if require.Equal(t, -1, m.get(l)); len(twin) < lines {
				w := rapid.IntRange(0, lines-1).Draw(t, "way")
				m.put(l, w)
				twin[l] = w
			}
		}
		for l, w := range twin {
			require.Equal(t, w, m.get(l))
		}
	})
}

// Each slice and set holds the same number of lines, and no two lines of a
// range as large as the cache share a place.
func TestIndexSpreadsARangeEvenly(t *testing.T) {
	for _, c := range []struct {
		sets, slices int
		hash         string
	}{{16, 1, "linear"}, {12, 3, "linear"}, {16, 8, "linear"}, {16, 8, "xor"}, {16, 8, "ipoly"}, {8, 1, "ipoly"}, {8, 1, "xor"}, {10, 32, "ipoly"}} {
		x, err := NewIndex(c.sets, c.slices, c.hash)
		require.NoError(t, err)
		seen := make([]int, x.Sets())
		for l := range uint64(x.Sets()) {
			seen[x.Set(l+uint64(7*x.Sets()))]++
			require.Equal(t, x.Slice(l), x.Set(l)%c.slices)
		}
		for s, n := range seen {
			require.Equal(t, 1, n, "%v: set %d", c, s)
		}
	}
}

// A stride of the number of slices hits one slice if linear, all if hashed.
func TestHashesSpreadStrides(t *testing.T) {
	for hash, want := range map[string]int{"linear": 1, "xor": 8, "ipoly": 8} {
		x, err := NewIndex(16, 8, hash)
		require.NoError(t, err)
		seen := map[int]bool{}
		for i := range uint64(64) {
			seen[x.Slice(i*8)] = true
		}
		require.Len(t, seen, want, hash)
	}
}

// Worked by hand: x^3 = x+1 mod x^3+x+1, so 8 -> 3, 16 -> 6, 24 -> 5.
func TestIPOLYByHand(t *testing.T) {
	for line, want := range map[uint64]int{0: 0, 7: 7, 8: 3, 16: 6, 24: 5, 9: 2} {
		require.Equal(t, want, ipolySlice(line, 8))
	}
}

// Every listed polynomial is irreducible: no smaller one divides it.
func TestPolynomialsAreIrreducible(t *testing.T) {
	for degree := 2; degree <= maxIPOLY; degree++ {
		for d := uint64(2); d < 1<<degree; d++ {
			rest := ipoly[degree]
			for top := len64(d); len64(rest) >= top; {
				rest ^= d << (len64(rest) - top)
			}
			require.NotZero(t, rest, "%#x divides %#x", d, ipoly[degree])
		}
	}
}

func len64(x uint64) (n int) {
	for ; x != 0; x >>= 1 {
		n++
	}
	return n
}

func TestNewIndexRefuses(t *testing.T) {
	for want, f := range map[string]func() (Index, error){
		"cache of 0 slices with 4 sets (want at least 1)":            func() (Index, error) { return NewIndex(4, 0, "linear") },
		`unknown slice hash "crc" (want one of: ipoly, linear, xor)`: func() (Index, error) { return NewIndex(4, 1, "crc") },
		"slice hash xor over 3 slices (want a power of two)":         func() (Index, error) { return NewIndex(4, 3, "xor") },
		"slice hash ipoly over 512 slices (want at most 256)":        func() (Index, error) { return NewIndex(4, 512, "ipoly") },
	} {
		_, err := f()
		require.EqualError(t, err, want)
	}
}

// Slices times sets: with a power of two and the linear hash only the product
// matters.
func TestSlicesTimesSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.Uint64Range(0, 300), 1, 300).Draw(t, "lines")
		hits := func(sets, slices int) uint64 {
			x, err := NewIndex(sets, slices, "linear")
			require.NoError(t, err)
			p, err := policy.New("lru", policy.Geometry{Sets: x.Sets(), Ways: 2}, nil)
			require.NoError(t, err)
			c := New(x, 2, p)
			for _, l := range lines {
				c.Access(policy.Access{Line: l})
			}
			return c.Counts().Hits
		}
		require.Equal(t, hits(32, 1), hits(8, 4))
		require.Equal(t, hits(32, 1), hits(1, 32))
	})
}

// Writes make lines dirty; a dirty victim is reported with its line.
func TestDirtyLines(t *testing.T) {
	x, err := NewIndex(1, 1, "linear")
	require.NoError(t, err)
	p, err := policy.New("lru", policy.Geometry{Sets: 1, Ways: 2}, nil)
	require.NoError(t, err)
	c := New(x, 2, p)
	c.Access(policy.Access{Line: 1, Write: true})
	c.Access(policy.Access{Line: 2})
	c.Access(policy.Access{Line: 2, Write: true})
	require.Equal(t, Result{Evicted: true, Dirty: true, Victim: 1, Way: 0, Fetch: 1, Stale: 1}, c.Access(policy.Access{Line: 3}))
	present, dirty := c.Invalidate(2)
	require.True(t, present && dirty)
	require.Equal(t, Result{Way: 1, Fetch: 1}, c.Access(policy.Access{Line: 4}), "the emptied way is filled first")
	require.Equal(t, Result{Evicted: true, Victim: 3, Way: 0, Fetch: 1}, c.Access(policy.Access{Line: 5}))
	require.Equal(t, Counts{Accesses: 6, Hits: 1, Misses: 5, Evictions: 2, WriteBacks: 1}, c.Counts())
}

// The marks against a scan of the tags, with marks that collide.
func TestMarksEqualAScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ways := rapid.IntRange(1, 20).Draw(t, "ways")
		m, tags := newTagHashes(2, ways), make([]uint64, ways)
		line := rapid.Custom(func(t *rapid.T) uint64 {
			return rapid.Uint64Range(0, 3).Draw(t, "low") | rapid.Uint64Range(0, 9).Draw(t, "high")<<60
		})
		for range 60 {
			l, want := line.Draw(t, "line"), -1
			for w, tag := range tags {
				if tag == l+1 {
					want = w
				}
			}
			require.Equal(t, want, m.find(1, l, tags))
			if want < 0 {
				w := rapid.IntRange(0, ways-1).Draw(t, "way")
				m.put(1, w, l)
				tags[w] = l + 1
			}
		}
	})
}
