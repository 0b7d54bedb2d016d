package policy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/policy"
)

// Sets are numbered so that those of all slices take turns, for the sake of speed: every
// policy decides as if those of slice 0 came first, whichever sets it watches.
func TestNumbersOfSetsDecideNothing(t *testing.T) {
	const slices, each = 4, 128
	g := policy.Geometry{Sets: slices * each, Ways: 4}
	r := rand.New(rand.NewPCG(1, 2))
	as := make([]policy.Access, 24000)
	for i := range as {
		as[i] = policy.Access{Line: r.Uint64N(6000), PC: r.Uint64N(5), Core: uint16(r.IntN(4)), Write: r.IntN(4) == 0}
		if i%3 > 0 { // a stream
			as[i].Line, as[i].PC = 1<<20+uint64(i), 7
		}
	}
	nextUsesOf(as)
	drive := func(name string, g policy.Geometry, set func(line uint64) int) (hits []bool) {
		p, err := policy.New(name, g, nil)
		require.NoError(t, err)
		w := twin{g: g, p: p, sets: make([]map[uint64]int, g.Sets), set: set}
		for i := range w.sets {
			w.sets[i] = map[uint64]int{}
		}
		for _, a := range as {
			hits = append(hits, w.access(t, a))
		}
		return hits
	}
	for _, name := range policy.All.Names() {
		t.Run(name, func(t *testing.T) {
			turns := g
			turns.Slices = slices
			want := drive(name, g, func(l uint64) int { return int(l%slices*each + l/slices%each) })
			require.Equal(t, want, drive(name, turns, func(l uint64) int { return int(l%slices + l/slices%each*slices) }))
		})
	}
}

// nextUsesOf is nextUses of lines far apart.
func nextUsesOf(as []policy.Access) {
	last := map[uint64]uint64{}
	for i := len(as) - 1; i >= 0; i-- {
		as[i].Next = last[as[i].Line]
		last[as[i].Line] = uint64(i)
	}
}
