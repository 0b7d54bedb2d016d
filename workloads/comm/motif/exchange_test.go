package motif

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// What is sent is what is received, pair by pair, and each rank sends its bytes less what
// stays; shares that add up to anything lose no byte.
func TestExchange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "ranks")
		s := Exchange{Steps: Steps{Steps: rapid.IntRange(1, 3).Draw(t, "steps")}, Bytes: units.Bytes(rapid.Uint64Range(0, 1<<40).Draw(t, "bytes"))}
		s.Shares = rapid.SliceOfN(rapid.Float64Range(0, 10), n, n).Draw(t, "shares")
		s.Shares[0]++
		parts, err := s.parts(n)
		require.NoError(t, err)
		p, err := Make("all_to_all_v", n, s)
		require.NoError(t, err)
		sent, got := map[[2]int32]uint64{}, map[[2]int32]uint64{}
		for i := range p.Ranks {
			var out uint64
			for k := range p.Ranks[i].Len() {
				switch o := p.Ranks[i].Op(k); o.Kind {
				case comm.Send:
					sent[[2]int32{int32(i), o.Peer}] += o.Bytes
					out += o.Bytes
				case comm.Recv:
					got[[2]int32{o.Peer, int32(i)}] += o.Bytes
				}
			}
			require.Equal(t, uint64(s.Steps.Steps)*(uint64(s.Bytes)-parts[i][i]), out)
		}
		require.Equal(t, sent, got)
	})
}

func TestExchangeErrors(t *testing.T) {
	for want, s := range map[string]Exchange{
		"shares has 1 numbers (want 2, one per rank)":       {Shares: []float64{1}},
		"shares[1] is -1 (want 0 or more)":                  {Shares: []float64{1, -1}},
		"shares add up to 0 (want more than 0)":             {Shares: []float64{0, 0}},
		"matrix has 1 rows (want 2, one per rank)":          {Matrix: [][]units.Bytes{{1, 2}}},
		"matrix[1] has 1 numbers (want 2, one per rank)":    {Matrix: [][]units.Bytes{{1, 2}, {3}}},
		"there is a matrix and shares; one of them must go": {Shares: []float64{1, 1}, Matrix: [][]units.Bytes{{1, 2}, {3, 4}}},
	} {
		s.Steps.Steps = 1
		_, err := Make("all_to_all_v", 2, s)
		require.ErrorContains(t, err, want)
	}
}
