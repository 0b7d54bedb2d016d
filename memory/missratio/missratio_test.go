package missratio

import (
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// list is a trace in memory.
type list struct {
	head trace.Header
	recs []trace.Record
}

func (l *list) Header() *trace.Header { return &l.head }
func (l *list) Pos() trace.Pos        { return trace.Pos{} }
func (l *list) Next(r *trace.Record) error {
	if len(l.recs) == 0 {
		return io.EOF
	}
	*r, l.recs = l.recs[0], l.recs[1:]
	return nil
}

func of(lines []uint64) *list {
	l := &list{}
	for _, x := range lines {
		l.recs = append(l.recs, trace.Record{Addr: 64*x + x%64})
	}
	return l
}

// Misses of LRU equal those counted by brute force, in a list in the order of use, for
// every size in one pass.
func TestStackDistancesEqualBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.Uint64Range(0, 30), 1, 300).Draw(t, "lines")
		s := Spec{Policies: []string{"lru"}, Line: 64, Share: 1, Seed: 3}
		for n := range uint64(33) {
			s.Sizes = append(s.Sizes, 64*(n+1))
		}
		got, err := Run(of(lines), s)
		require.NoError(t, err)
		for i, p := range got.Points {
			var used []uint64
			misses := uint64(0)
			for _, l := range lines {
				at := slices.Index(used, l)
				if at < 0 {
					misses++
					if len(used) == i+1 {
						used = used[:i]
					}
				} else {
					used = slices.Delete(used, at, at+1)
				}
				used = slices.Insert(used, 0, l)
			}
			require.Equal(t, Point{Policy: "lru", Size: s.Sizes[i], Misses: misses, Ratio: float64(misses) / float64(len(lines))}, p)
		}
	})
}

// Each policy and size has the misses of a cache of its own, with sets and without.
func TestCurvesEqualSingleCaches(t *testing.T) {
	var lines []uint64
	for a := range tracetest.Zipf(17, 1.0, 30_000).All() {
		lines = append(lines, a.Line)
	}
	for _, ways := range []int{0, 4} {
		s := Spec{Policies: []string{"lru", "sieve", "random", "s3fifo"}, Sizes: []uint64{1 << 10, 1 << 13, 1 << 16}, Line: 64, Ways: ways, Share: 1, Seed: 5}
		got, err := Run(of(lines), s)
		require.NoError(t, err)
		require.EqualValues(t, len(lines), got.Accesses)
		i := 0
		for _, name := range s.Policies {
			for _, size := range s.Sizes {
				g := policy.Geometry{Sets: 1, Ways: int(size / 64), Seed: 5}
				if ways > 0 {
					g.Sets, g.Ways = g.Ways/ways, ways
				}
				x, err := tagstore.NewIndex(g.Sets, 1, "linear")
				require.NoError(t, err)
				p, err := policy.New(name, g, nil)
				require.NoError(t, err)
				c := tagstore.New(x, g.Ways, p)
				for _, l := range lines {
					c.Access(policy.Access{Line: l})
				}
				require.Equal(t, c.Counts().Misses, got.Points[i].Misses, "%s, %d B, %d ways", name, size, ways)
				i++
			}
		}
	}
}

// A sample is off by no more than it says, but for one point in ten.
func TestSampleKnowsItsError(t *testing.T) {
	var lines []uint64
	for a := range tracetest.Zipf(17, 1.0, 400_000).All() {
		lines = append(lines, a.Line)
	}
	s := Spec{Policies: []string{"lru", "s3fifo"}, Sizes: []uint64{1 << 16, 1 << 18, 1 << 20, 1 << 21}, Line: 64, Share: 1}
	exact, err := Run(of(lines), s)
	require.NoError(t, err)
	s.Share = 0.1
	points, off := 0, 0
	for seed := range uint64(5) {
		s.Seed = seed
		got, err := Run(of(lines), s)
		require.NoError(t, err)
		require.Equal(t, exact.Accesses, got.Accesses)
		for i, p := range got.Points {
			require.Greater(t, p.Error, 0.0)
			require.Less(t, p.Error, 0.1)
			d := p.Ratio - exact.Points[i].Ratio
			points++
			if d > p.Error || -d > p.Error {
				off++
				t.Logf("seed %d: %+v, exactly %.4f", seed, p, exact.Points[i].Ratio)
			}
		}
	}
	require.LessOrEqual(t, off, points/10)
}

// A record of several lines is an access to each; one of an object is one, where its size
// does not count.
func TestLinesOfARecord(t *testing.T) {
	for objects, want := range map[bool]uint64{false: 3, true: 1} {
		l := &list{trace.Header{Fields: trace.Sizes, Objects: objects}, []trace.Record{{Addr: 63, Size: 66}}}
		got, err := Run(l, Spec{Policies: []string{"lru"}, Sizes: []uint64{64}, Line: 64, Share: 1, IgnoreSizes: true})
		require.NoError(t, err)
		require.Equal(t, want, got.Accesses)
	}
}

// A sample that has nothing in it says so, and no ratio of 0.
func TestEmptySample(t *testing.T) {
	s := Spec{Policies: []string{"lru"}, Sizes: []uint64{1 << 20}, Line: 64, Share: 0.01}
	_, err := Run(of([]uint64{5, 5, 5}), s)
	require.EqualError(t, err, "sample 0.01: none of 3 accesses is in it (want a larger one, or another seed)")
	l := &list{trace.Header{Fields: trace.Sizes, Objects: true}, []trace.Record{{Addr: 5, Size: 66}}}
	_, err = Run(l, s)
	require.ErrorContains(t, err, "none of 1 accesses is in it")
}

func TestCheckTellsAll(t *testing.T) {
	for _, c := range []struct {
		s    Spec
		want string
	}{
		{Spec{Line: 64, Share: 2}, "sample 2: want a share above 0, at most 1"},
		{Spec{Policies: []string{"lru"}, Line: 64, Share: 1}, "no sizes (want for example 64KiB,1MiB)"},
		{Spec{Policies: []string{"lru", "lru"}, Sizes: []uint64{100, 64}, Line: 64, Share: 1}, "size 100: want a multiple of 64 B\nsize 64: sizes want to ascend\npolicy lru is named twice"},
		{Spec{Policies: []string{"opt"}, Sizes: []uint64{64}, Line: 64, Share: 1}, "policy opt wants the next use of a line, which one pass over a trace does not know"},
		{Spec{Policies: []string{"sieve"}, Sizes: []uint64{1 << 30}, Line: 64, Share: 1}, "policy sieve: 16777216 lines in one set (want at most 65535: give ways, or a smaller sample)"},
		{Spec{Policies: []string{"lru"}, Sizes: []uint64{6400}, Line: 64, Share: 0.1}, "size 6400: a share of 0.1 of its 100 lines is less than 16: want a larger sample"},
	} {
		require.EqualError(t, c.s.Check(), c.want)
	}
	s := Spec{Policies: []string{"seive"}, Sizes: []uint64{64}, Line: 64, Share: 1}
	require.ErrorContains(t, s.Check(), `unknown replacement policy "seive"`)
}
