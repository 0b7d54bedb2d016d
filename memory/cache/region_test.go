package cache

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/region"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// reads runs reads of whole lines through a cache, and returns which hit.
func reads(t require.TestingT, s Spec, lines []uint64, hint memory.Hint) (hits []bool, c tagstore.Counts) {
	f, err := NewFunctional("LLC", engine.New(), s)
	require.NoError(t, err)
	for _, l := range lines {
		r := request{addr: l * 64, bytes: 64, hint: &hint}
		hits = append(hits, f.core.Touch(f.touch(&r, 0)).Hit)
	}
	return hits, f.core.Count
}

// A cache with ways of their own for a region is two caches: one of those ways
// that sees the region, and one of the others that sees the rest.
func TestRegionsWithWaysAreCachesApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := DefaultSpec()
		s.Ways = rapid.IntRange(2, 6).Draw(t, "ways")
		own := rapid.IntRange(1, s.Ways-1).Draw(t, "own")
		sets := rapid.IntRange(1, 4).Draw(t, "sets")
		s.Size = units.Bytes(sets * s.Ways * 64)
		s.Policy.Name = rapid.SampledFrom(policy.All.Names()).Draw(t, "policy")
		switch s.Policy.Name {
		case "opt", "opt_bypass", "plru": // want the future, or a power of two of ways
			s.Policy.Name = "lru"
		}
		share := rapid.Float64Range(0, 1).Draw(t, "ratio")
		lines := rapid.SliceOfN(rapid.Uint64Range(0, 40), 1, 200).Draw(t, "lines")
		s.Regions = []Region{{Base: 640, Size: 1280, Ratio: &share, Ways: own}}
		got, _ := reads(t, s, lines, memory.Hint{})

		inside := func(l uint64) bool { return l >= 10 && l < 30 && region.Chosen(l, share) }
		one, two := s, s
		one.Regions, two.Regions = nil, nil
		one.Ways, two.Ways = own, s.Ways-own
		one.Size, two.Size = units.Bytes(sets*one.Ways*64), units.Bytes(sets*two.Ways*64)
		var in, out []uint64
		for _, l := range lines {
			if inside(l) {
				in = append(in, l)
			} else {
				out = append(out, l)
			}
		}
		inHits, _ := reads(t, one, in, memory.Hint{})
		outHits, _ := reads(t, two, out, memory.Hint{})
		for i, l := range lines {
			if inside(l) {
				require.Equal(t, inHits[0], got[i], "access %d", i)
				inHits = inHits[1:]
			} else {
				require.Equal(t, outHits[0], got[i], "access %d", i)
				outHits = outHits[1:]
			}
		}
	})
}

// A window larger than its ways thrashes; with a hit ratio that fits, what is
// chosen stays. Cyclic over N lines, P passes: LRU hits nothing, the window every
// chosen line of sets that are not overfull in each pass but the first.
func TestHitRatioOfAWindow(t *testing.T) {
	s := DefaultSpec()
	s.Size = 64 << 10 // 64 sets of 16 ways
	const n, passes = 2048, 10
	var lines []uint64
	for range passes {
		for l := range uint64(n) {
			lines = append(lines, l)
		}
	}
	hits := func(share float64) (n uint64) {
		s.Regions = []Region{{Size: 1 << 20, Ratio: &share, Ways: 12}}
		_, c := reads(t, s, lines, memory.Hint{})
		return c.Hits
	}
	require.Zero(t, hits(1))
	want := uint64(0)
	perSet := map[uint64]uint64{}
	for l := range uint64(n) {
		if region.Chosen(l, 0.25) {
			perSet[l%64]++
		}
	}
	for _, k := range perSet {
		if k <= 12 {
			want += k * (passes - 1)
		}
	}
	require.Equal(t, want, hits(0.25))
	require.Greater(t, want, uint64(n*(passes-1)/5))
}

// Pinned lines never go; those that find no room live with the rest.
func TestPinnedLinesStay(t *testing.T) {
	s := DefaultSpec()
	s.Size, s.Ways = 256, 4
	s.Regions = []Region{{Size: 256, Ways: 2, Pin: true}} // lines 0 to 3
	hits, c := reads(t, s, []uint64{0, 1, 2, 3, 10, 11, 12, 13, 0, 1, 2}, memory.Hint{})
	require.Equal(t, []bool{false, false, false, false, false, false, false, false, true, true, false}, hits)
	require.EqualValues(t, 5, c.Evictions, "2 and 3 fill the other ways, and all but the first two others push somebody out")
}

// Streaming lines go first, whatever the policy thinks of them; used by others,
// they are as others. Bypassed ones leave nothing.
func TestStreamsAndBypasses(t *testing.T) {
	s := DefaultSpec()
	s.Size, s.Ways, s.Policy.Name = 256, 4, "mru" // would give up the newest
	s.Regions = []Region{{Base: 64 * 100, Size: 1 << 20, Stream: true}}
	hits, _ := reads(t, s, []uint64{1, 100, 2, 3, 101, 102, 4, 1, 2, 3}, memory.Hint{})
	require.Equal(t, []bool{false, false, false, false, false, false, false, true, true, true}, hits)
	s.Regions = []Region{{Kind: "output", Bypass: true}}
	_, c := reads(t, s, []uint64{1, 1, 1}, memory.Hint{Tensor: 1, Kind: graph.Output})
	require.Equal(t, tagstore.Counts{Accesses: 3, Misses: 3, Bypasses: 3}, c)
	_, c = reads(t, s, []uint64{1, 1, 1}, memory.Hint{Tensor: 1, Kind: graph.Weight})
	require.EqualValues(t, 2, c.Hits)
	s.Regions = []Region{{Cores: []int{2, 5}, Bypass: true}}
	_, c = reads(t, s, []uint64{1, 1, 1}, memory.Hint{Core: 5})
	require.Zero(t, c.Hits)
	_, c = reads(t, s, []uint64{1, 1, 1}, memory.Hint{Core: 4})
	require.EqualValues(t, 2, c.Hits)
}

func TestRegionsRefused(t *testing.T) {
	for want, rs := range map[string][]Region{
		"does nothing":              {{Kind: "weight"}},
		"does several things":       {{Bypass: true, Ways: 2}},
		"pins nothing":              {{Bypass: true, Pin: true}},
		"has a base but no size":    {{Bypass: true, Base: 64}},
		"16 ways for regions leave": {{Ways: 8}, {Ways: 8}},
	} {
		s := DefaultSpec()
		s.Regions = rs
		_, err := NewFunctional("LLC", engine.New(), s)
		require.ErrorContains(t, err, want)
	}
}

// With regions too a cache reads the lines that miss, each once and whole.
func TestRegionsReadTheirLines(t *testing.T) {
	s := DefaultSpec()
	s.Regions = []Region{{Size: 640, Ways: 2}, {Base: 640, Size: 1 << 20, Stream: true}}
	for _, write := range []bool{false, true} {
		f, err := NewFunctional("LLC", engine.New(), s)
		require.NoError(t, err)
		for l := range uint64(20) {
			r := request{addr: l * 64, bytes: 32, write: write}
			x := f.touch(&r, 0)
			res := f.core.Touch(x)
			require.EqualValues(t, 1, res.Fetch, "line %d", l)
		}
	}
}
