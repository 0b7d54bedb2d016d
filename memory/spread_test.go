package memory

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Find is what a list of all bytes says, wherever the search begins.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &Spread{Entry: rapid.Uint64Range(1, 5).Draw(t, "entry"), Base: []uint64{1000, 100000}}
		var all []uint64
		from, at := uint64(0), [2]uint64{}
		for range rapid.IntRange(1, 6).Draw(t, "pieces") {
			p := Piece{From: from, N: rapid.Uint64Range(1, 4).Draw(t, "n"), Tier: rapid.IntRange(0, 1).Draw(t, "tier")}
			at[p.Tier] += rapid.Uint64Range(1, 3).Draw(t, "gap")
			p.At = at[p.Tier]
			at[p.Tier] += p.N
			from += p.N
			s.Pieces = append(s.Pieces, p)
			for b := range p.N * s.Entry {
				all = append(all, s.Base[p.Tier]+p.At*s.Entry+b)
			}
		}
		offset := rapid.Uint64Range(0, uint64(2*len(all))).Draw(t, "offset")
		addr, run, _ := s.Find(offset, rapid.IntRange(0, 7).Draw(t, "k"))
		i := int(offset % uint64(len(all)))
		require.Equal(t, all[i], addr)
		for k := range int(run) {
			require.Equal(t, addr+uint64(k), all[i+k])
		}
	})
}
