package dco

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/policy"
)

// plainSet is one set of a cache that a dco serves, and the same under LRU, in
// the most obvious way.
type plainSet struct {
	ways []uint64 // line plus 1
	lru  []uint64 // the line used last in front
}

func (s *plainSet) access(p *dco, a policy.Access) (hit, lru bool) {
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
		if w = p.Victim(0, a); w == policy.Bypass {
			return false, lru
		}
		p.Evict(0, w)
	}
	s.ways[w] = a.Line + 1
	p.Fill(0, w, a)
	return false, lru
}

// exposed lists the lines that LRU holds and the cache does not, the one used
// longest ago first.
func (s *plainSet) exposed() (out []uint64) {
	for _, l := range s.lru {
		if !slices.Contains(s.ways, l) {
			out = append(out, l-1)
		}
	}
	slices.Reverse(out)
	return out
}

// The books of the guard against a cache and an LRU that are written down, and
// its promise, against an adversary who sees the state and goes for just the lines
// that LRU holds alone: at any time no more hits are lost than what accesses have
// earned and trust at most allows.
func TestGuardKeepsItsPromise(t *testing.T) {
	risked := false
	rapid.Check(t, func(t *rapid.T) {
		ways := rapid.IntRange(1, 9).Draw(t, "ways")
		many := rapid.Bool().Draw(t, "many")
		p := build(policy.Geometry{Sets: 1, Ways: ways, Cores: 1, Line: 64}, DefaultSpec(), many)
		p.trust.need = 1 << 40
		if !many {
			p.trust.need = rapid.SampledFrom([]int64{0, 1 << 40}).Draw(t, "need")
		}
		s := plainSet{ways: make([]uint64, ways)}
		won, n := int64(0), int64(0)
		for range rapid.IntRange(1, 40).Draw(t, "phases") {
			lines := rapid.Uint64Range(1, 30).Draw(t, "lines")
			kind := rapid.SampledFrom([]string{"cycle", "cycle", "back", "strike"}).Draw(t, "kind")
			for k := range rapid.Uint64Range(1, 200).Draw(t, "long") {
				l := k % lines
				if out := s.exposed(); kind == "strike" && len(out) > 0 {
					l = out[0]
				} else if kind == "back" && k/lines%2 == 1 {
					l = lines - 1 - l
				}
				hit, lru := s.access(p, policy.Access{Line: l})
				n++
				won += diff(hit, lru)
				out := int64(len(s.exposed()))
				require.EqualValues(t, out, p.guard.outs[0])
				require.Equal(t, len(s.lru), int(p.guard.held[0]))
				require.Equal(t, n, p.guard.n)
				allowed := n * guardPace
				risked = risked || out > 0 && p.trust.need > 0
				if p.trust.need == 0 {
					allowed += min(n*trustPart, int64(ways)*trustCap*guardUnit/16)
				}
				require.LessOrEqual(t, (out-won)*guardUnit, allowed, "what is lost, and all that can be")
				require.LessOrEqual(t, p.guard.slack, (won-out)*guardUnit+n*guardPace)
				require.Equal(t, out*guardUnit, p.guard.earned-p.guard.slack)
			}
		}
	})
	require.True(t, risked, "the guard forbids everything")
}

// A cycle of twice the cache: trust lets more be at stake than was earned.
func TestTrustIsUsed(t *testing.T) {
	p := newPolicy(policy.Geometry{Sets: 1, Ways: 8, Cores: 1, Line: 64}, DefaultSpec())
	s := plainSet{ways: make([]uint64, 8)}
	won, most := int64(0), int64(0)
	for i := range uint64(16 * 64) {
		hit, lru := s.access(p, policy.Access{Line: i % 16})
		won += diff(hit, lru)
		most = max(most, int64(len(s.exposed()))-won)
	}
	require.EqualValues(t, 8*trustCap/16, most)
}

// someTrust is that in a cache of 64 sets of 4 ways, half of which are sampled,
// with one tile that is alive and one that is dead.
func someTrust() trust {
	ts := newTiles(policy.Geometry{Line: 64, Tensors: []policy.Tensor{{Bytes: 64, Tile: 64, Uses: 1 << 30}, {Base: 64, Bytes: 64, Tile: 64, Uses: 1}}})
	ts.left[1] = 0
	return newTrust(64, 4, 32, &ts)
}

const many = 100_000 // accesses, more than what limits trust by their number

// Nothing is risked on a stream before lines that LRU gave up have come back, as
// many as the sampled sets should hold; and nothing if LRU hit some of them.
func TestTrustNeedsComebacks(t *testing.T) {
	tr := someTrust()
	need := uint64(sampledLines * trustBack / 16)
	for i := range need {
		require.Zero(t, tr.lines(5, false, many), "%d came back", i)
		tr.step(int(i%32), i, 5, noTile, returnRecord{stream: 5, seen: true})
	}
	require.EqualValues(t, 64*4*trustCap/16, tr.lines(5, false, many))
	require.EqualValues(t, 100*trustPart/1024, tr.lines(5, false, 100), "after few accesses")
	require.Zero(t, tr.lines(6, false, many), "another stream")
	for range 4 {
		tr.step(0, 1<<20, 5, noTile, returnRecord{stream: 5, seen: true})
	}
	require.Zero(t, tr.lines(5, false, many), "used again under LRU")
}

// A descriptor is believed as soon as a few lines came back when the whole tensor
// had been used, unless others came back earlier or later.
func TestTrustInDescriptorsThatProveTrue(t *testing.T) {
	tr := someTrust()
	for i := range uint64(200) {
		c := returnRecord{stream: 5, seen: i >= 170, told: true, walk: true}
		require.Equal(t, i >= 170+trustWalk, tr.lines(5, true, many) > 0, "step %d", i)
		tr.step(int(i%32), i, 5, 0, c)
	}
	require.EqualValues(t, 64*4, tr.lines(5, true, many))
	require.EqualValues(t, 100*trustTold/1024, tr.lines(5, true, 100))
	require.Zero(t, tr.lines(5, false, many), "not described")
	for i := range uint64(4) {
		tr.step(int(i), 1000+i, 5, 0, returnRecord{stream: 5, seen: true, told: true})
	}
	require.Zero(t, tr.lines(5, true, many), "the descriptor is wrong")
}

// Lines are believed to be dead when many such have left LRU unused.
func TestTrustInTheDead(t *testing.T) {
	tr := someTrust()
	for i := range uint64(128) { // fills LRU
		tr.step(int(i%32), i, 5, 1, returnRecord{})
	}
	for i := range uint64(trustSeen) {
		require.Zero(t, tr.lines(deadStream, true, many))
		tr.step(int(i%32), 1000+i, 5, 1, returnRecord{})
	}
	require.EqualValues(t, 64*4, tr.lines(deadStream, true, many))
	require.Zero(t, tr.lines(5, true, many), "those that are not dead")
	tr.step(0, 1000, 5, 1, returnRecord{})
	require.Zero(t, tr.lines(deadStream, true, many), "one was used")
}

// An invalidated line is no loss to LRU.
func TestGuardForgetsInvalidatedLines(t *testing.T) {
	p := newPolicy(policy.Geometry{Sets: 1, Ways: 2, Cores: 1, Line: 64}, DefaultSpec())
	p.Fill(0, 0, policy.Access{Line: 1})
	p.Fill(0, 1, policy.Access{Line: 2})
	p.Evict(0, 0)
	require.EqualValues(t, 1, p.guard.held[0])
	require.Zero(t, p.guard.outs[0])
	p.Fill(0, 0, policy.Access{Line: 3})
	require.EqualValues(t, 2, p.guard.held[0])
}

// foretold notes n lines of stream 5 that come back after as many steps as always.
func foretold(tr *trust, at *uint64, n int) {
	for range n {
		tr.step(int(*at%32), *at, 5, noTile, returnRecord{stream: 5, age: 100, seen: true, told: true, walk: true})
		*at++
	}
}

// Where LRU hits lines of the older half of its sets, what was learned is not
// trusted until such hits are rare again; descriptors that proved true are.
func TestTrustEndsWhereOldLinesAreHit(t *testing.T) {
	tr, at := someTrust(), uint64(0)
	foretold(&tr, &at, 1000)
	require.Positive(t, tr.lines(5, false, many))
	const a = 1 << 20
	tr.step(0, a, 6, noTile, returnRecord{})
	tr.step(0, a, 6, noTile, returnRecord{})
	require.Positive(t, tr.lines(5, false, many), "a hit on a young line")
	for i := range uint64(3) {
		tr.step(0, a+1+i, 6, noTile, returnRecord{})
	}
	tr.step(0, a, 6, noTile, returnRecord{})
	require.Zero(t, tr.lines(5, false, many), "on the oldest")
	require.Positive(t, tr.lines(5, true, many), "descriptors")
	foretold(&tr, &at, 40)
	require.Positive(t, tr.lines(5, false, many), "long ago")
}

// A stream is trusted while it goes on as before, and soon again when it does so
// again: not when new lines come, or old ones at another time, or when LRU hits.
func TestTrustEndsWithSurprises(t *testing.T) {
	for name, surprise := range map[string]func(tr *trust, at uint64){
		"new lines": func(tr *trust, at uint64) { tr.step(0, 1<<20+at, 5, noTile, returnRecord{}) },
		"too early": func(tr *trust, at uint64) {
			tr.step(0, 1<<20+at, 5, noTile, returnRecord{stream: 5, age: 80, seen: true})
		},
		"too late": func(tr *trust, at uint64) {
			tr.step(0, 1<<20+at, 5, noTile, returnRecord{stream: 5, age: 120, seen: true})
		},
	} {
		tr, at := someTrust(), uint64(0)
		foretold(&tr, &at, 1000)
		surprise(&tr, 0)
		require.Positive(t, tr.lines(5, false, many), "%s: one may be chance", name)
		surprise(&tr, 1)
		require.Zero(t, tr.lines(5, false, many), name)
		foretold(&tr, &at, trustDoubt)
		require.Positive(t, tr.lines(5, false, many), name)
	}
	tr, at := someTrust(), uint64(0)
	foretold(&tr, &at, 16*1000)
	tr.step(int((at-1)%32), at-1, 5, noTile, returnRecord{stream: 5, age: 1, seen: true})
	require.Zero(t, tr.lines(5, false, many), "a hit of LRU")
}

// diff is 1, 0 or -1.
func diff(a, b bool) int64 {
	switch {
	case a && !b:
		return 1
	case b && !a:
		return -1
	}
	return 0
}
