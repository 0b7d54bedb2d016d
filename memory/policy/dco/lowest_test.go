package dco

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/policy"
)

// The line of a set that goes first is the one of the least rank, dead lines before all, of
// these the oldest, of these the first, and a line that comes stays out only if its rank is
// less: as plain comparisons of ranks have it, for sets of few ways and of many.
func TestLowestRankGoesFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	bypassed, dead := 0, 0
	made := map[int]*dco{}
	for range 2000 {
		ways := []int{1, 2, 16, 64, 100}[rng.IntN(5)]
		if made[ways] == nil {
			tensor := policy.Tensor{Bytes: 64 * 64, Tile: 64, Uses: 1}
			made[ways] = build(policy.Geometry{Sets: 1, Ways: ways, Line: 64, Tensors: []policy.Tensor{tensor}}, DefaultSpec(), true)
		}
		p := made[ways]
		p.spec.DeadBlock, p.spec.Bypass = rng.IntN(2) == 0, rng.IntN(2) == 0
		for i := range 8 * ageBuckets {
			p.learn.index[i] = float32(rng.IntN(4)) / 4
		}
		if rng.IntN(2) == 0 {
			for i := range p.tiles.left {
				p.tiles.left[i] = uint64(rng.IntN(8))
			}
		}
		p.now[0] = 5000
		for w := range ways {
			p.line[w] = lineState{last: 5000 - uint32(rng.IntN(20)), class: uint16(rng.IntN(8))}
			p.tile[w] = int32(rng.IntN(64)) - 1
		}
		p.hand[0] = uint32(rng.IntN(ways))
		want, least, oldest := 0, float32(2), uint32(0)
		from, n := 0, ways
		if ways > waysLookedAt {
			from, n = int(p.hand[0]), waysLookedAt
		}
		for k := range n {
			w := (from + k) % ways
			age := p.now[0] + 1 - p.line[w].last
			r := p.learn.rank(p.line[w].class, age>>p.unit)
			if p.spec.DeadBlock && p.tiles.dead(p.tile[w]) {
				r = -1
				dead++
			}
			if r < least || r == least && age > oldest {
				want, least, oldest = w, r, age
			}
		}
		a := policy.Access{Line: 1, Tensor: 1}
		o := origin{class: uint16(rng.IntN(8)), tile: p.tiles.of(&a)}
		if p.spec.Bypass && (p.spec.DeadBlock && p.tiles.dies(&a, o.tile) || p.learn.rank(o.class, 0) < least) {
			want = policy.Bypass
			bypassed++
		}
		require.Equal(t, want, p.victim(0, &a, o), "%d ways", ways)
	}
	require.Greater(t, bypassed, 100)
	require.Greater(t, dead, 100)
}
