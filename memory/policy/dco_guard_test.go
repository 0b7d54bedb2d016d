package policy

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// plainSet is one set of a cache that a dco serves, and the same under LRU, in
// the most obvious way.
type plainSet struct {
	ways []uint64 // line plus 1
	lru  []uint64 // the line used last in front
}

func (s *plainSet) access(p *dco, a Access) (hit, lru bool) {
	if at := slices.Index(s.lru, a.Line+1); at >= 0 {
		lru = true
		s.lru = slices.Delete(s.lru, at, at+1)
	} else if len(s.lru) == len(s.ways) {
		s.lru = s.lru[:len(s.lru)-1]
	}
	s.lru = slices.Insert(s.lru, 0, a.Line+1)
	if w := slices.Index(s.ways, a.Line+1); w >= 0 {
		p.Hit(0, w, a)
		return true, lru
	}
	w := slices.Index(s.ways, 0)
	if w < 0 {
		if w = p.Victim(0, a); w == Bypass {
			return false, lru
		}
		p.Evict(0, w)
	}
	s.ways[w] = a.Line + 1
	p.Fill(0, w, a)
	return false, lru
}

// exposed counts the lines that LRU holds and the cache does not.
func (s *plainSet) exposed() (n int) {
	for _, l := range s.lru {
		if !slices.Contains(s.ways, l) {
			n++
		}
	}
	return n
}

// The books of the guard against a cache and an LRU that are written down, and
// its promise: without trust, never a hit less than LRU but for one per guardUnit
// accesses, at any time.
func TestGuardKeepsItsPromise(t *testing.T) {
	risked := false
	rapid.Check(t, func(t *rapid.T) {
		ways := rapid.IntRange(1, 9).Draw(t, "ways")
		p := newDCO(Geometry{Sets: 1, Ways: ways, Cores: 1, Line: 64}, DefaultDCO())
		p.trust.most = rapid.SampledFrom([]int64{0, 0, 2, int64(ways)}).Draw(t, "trust")
		p.trust.some = p.trust.most
		s := plainSet{ways: make([]uint64, ways)}
		won, n := 0, 0
		for range rapid.IntRange(1, 40).Draw(t, "phases") {
			lines := rapid.Uint64Range(1, 30).Draw(t, "lines")
			back := rapid.Bool().Draw(t, "back")
			for k := range rapid.Uint64Range(1, 200).Draw(t, "long") {
				l := k % lines
				if back && k/lines%2 == 1 {
					l = lines - 1 - l
				}
				hit, lru := s.access(p, Access{Line: l})
				n++
				won += int(diff(hit, lru))
				require.Equal(t, s.exposed(), int(p.guard.outs[0]))
				require.Equal(t, len(s.lru), int(p.guard.held[0]))
				if p.guard.earned < p.guard.most-guardUnit {
					risked = risked || s.exposed() > 0
				}
				require.GreaterOrEqual(t, float64(won)+float64(n)/guardUnit+float64(p.trust.most), 0.0)
				require.LessOrEqual(t, p.guard.slack, int64(won-s.exposed())*guardUnit+int64(n))
				require.LessOrEqual(t, p.guard.earned-p.guard.slack, int64(s.exposed())*guardUnit)
			}
		}
	})
	require.True(t, risked, "the guard forbids everything")
}

// A cycle of twice the cache: nothing is risked before the sampled sets have seen
// enough lines given up, and then more the more is won.
func TestTrustGrowsWithWhatIsSeen(t *testing.T) {
	tr := newTrust(64, 4, 32)
	require.Zero(t, tr.lines(5, false))
	for i := range uint64(trustSeen + 4) {
		require.Zero(t, tr.lines(5, true))
		tr.step(0, i, 5, false)
	}
	require.EqualValues(t, 64*4/trustSome, tr.lines(5, false))
	require.EqualValues(t, 64*4, tr.lines(5, true), "descriptors")
	require.Zero(t, tr.lines(6, false))
	for i := range uint64(trustLead + 10) {
		tr.step(1, 1000+i, 6, true)
	}
	require.EqualValues(t, 64*4/trustSome+10*2, tr.lines(5, false), "two sets per sampled set")
	tr.step(0, trustSeen+3, 5, false)
	tr.step(0, trustSeen+3, 5, false)
	require.Zero(t, tr.lines(5, false), "used again under LRU")
}

// An invalidated line is no loss to LRU.
func TestGuardForgetsInvalidatedLines(t *testing.T) {
	p := newDCO(Geometry{Sets: 1, Ways: 2, Cores: 1, Line: 64}, DefaultDCO())
	p.Fill(0, 0, Access{Line: 1})
	p.Fill(0, 1, Access{Line: 2})
	p.Evict(0, 0)
	require.EqualValues(t, 1, p.guard.held[0])
	require.Zero(t, p.guard.outs[0])
	p.Fill(0, 0, Access{Line: 3})
	require.EqualValues(t, 2, p.guard.held[0])
}

// Where LRU hits lines of the older half of its sets, what was learned is trusted
// with a number that grows with the accesses only, until such hits are rare again.
func TestTrustIsBoundWhereOldLinesAreHit(t *testing.T) {
	tr := newTrust(64, 4, 32)
	for i := range uint64(2 * trustSeen) {
		tr.step(0, i, 5, false)
	}
	tr.step(0, 2*trustSeen-2, 6, false)
	require.EqualValues(t, 64*4/trustSome, tr.lines(5, false), "a hit on a young line")
	tr.step(0, 2*trustSeen-4, 6, false)
	require.Zero(t, tr.lines(5, false), "on the oldest but one")
	require.EqualValues(t, 64*4, tr.lines(5, true), "descriptors")
	for i := range uint64(trustDeep) - 2*trustSeen - 3 {
		tr.step(1, i, 5, false)
	}
	require.EqualValues(t, 1, tr.lines(5, false), "two sets per sampled set")
	tr.step(1, 1<<20, 5, false)
	tr.step(1, 1<<21, 5, false)
	require.EqualValues(t, 64*4/trustSome, tr.lines(5, false), "long ago")
}
