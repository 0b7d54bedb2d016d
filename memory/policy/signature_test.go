package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// SHiP++ fills at 0 when the lines of a PC are always used again, at 3 when
// never or when written, at 2 between; only the first reuse counts.
func TestSHiPppFills(t *testing.T) {
	p := newSHiPpp(Geometry{Sets: 1, Ways: 4, Cores: 1})
	fill := func(a Access) uint8 { p.Fill(0, 0, a); return p.v[0] }
	require.EqualValues(t, 2, fill(Access{PC: 5}))
	require.EqualValues(t, 3, fill(Access{PC: 5, Write: true}))
	for range 10 {
		p.Hit(0, 0, Access{PC: 5})
	}
	require.EqualValues(t, 2, p.reuse[5], "ten uses of one line are one reuse")
	for range shipMax {
		fill(Access{PC: 5})
		p.Hit(0, 0, Access{PC: 5})
	}
	require.EqualValues(t, 0, fill(Access{PC: 5}))
	require.EqualValues(t, 2, fill(Access{PC: 6}))
	p.Evict(0, 0)
	require.EqualValues(t, 3, fill(Access{PC: 6}), "a line died unused")
}

// SHiP trains each core's counters with its own lines.
func TestSHiPCountsPerCore(t *testing.T) {
	p := newSHiP(Geometry{Sets: 1, Ways: 1, Cores: 2})
	for line := range uint64(20) {
		p.Fill(0, 0, Access{Line: line, PC: 9, Core: 1})
	}
	require.EqualValues(t, rripMax, p.v[0])
	p.Fill(0, 0, Access{Line: 99, PC: 9})
	require.EqualValues(t, rripMax-1, p.v[0])
}

// Mockingjay tells hits from misses on one core, and cores on several.
func TestMockingjaySignatures(t *testing.T) {
	g := Geometry{Sets: 1024, Ways: 16, Line: 64, Cores: 1}
	one := newMockingjay(g)
	require.NotEqual(t, one.signature(Access{PC: 64}, true), one.signature(Access{PC: 64}, false))
	require.Equal(t, one.signature(Access{PC: 64}, true), one.signature(Access{PC: 64, Core: 3}, true))
	g.Cores = 4
	four := newMockingjay(g)
	require.Equal(t, four.signature(Access{PC: 64}, true), four.signature(Access{PC: 64}, false))
	require.NotEqual(t, four.signature(Access{PC: 64}, true), four.signature(Access{PC: 64, Core: 3}, true))
}

// An emptied way does not age: it takes no part in who is oldest.
func TestHawkeyeEmptyWaysDoNotAge(t *testing.T) {
	p := newHawkeye(Geometry{Sets: 1024, Ways: 4, Cores: 1})
	for w := range 2 {
		p.Fill(1, w, Access{Line: uint64(w)})
	}
	p.Evict(1, 0)
	for range 9 {
		p.Fill(1, 1, Access{Line: 1})
	}
	require.EqualValues(t, hawkMax, p.v[1*4+0])
	require.EqualValues(t, hawkMax, p.v[1*4+3], "never filled")
}
