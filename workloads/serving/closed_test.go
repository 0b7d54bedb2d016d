package serving

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs"
)

// Clients in a loop send so many requests each, up to a count but two of each, of lengths from a share
// of the length on.
func TestClosedLoop(t *testing.T) {
	s := Source{Concurrency: 4, Rounds: 10, Spread: 0.8, Prompt: Length{100, 100}, Output: Length{50, 50}}
	out, err := s.Make(configs.Value{}, nil, rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	require.Len(t, out, 40)
	least, most := 100, 0
	for _, r := range out {
		least, most = min(least, r.Prompt), max(most, r.Prompt)
		require.True(t, r.Output >= 40 && r.Output <= 50)
	}
	require.True(t, least >= 80 && least < 90 && most > 90 && most <= 100)
	for count, want := range map[int]int{30: 30, 3: 8, 100: 40} {
		s.Count = count
		out, err = s.Make(configs.Value{}, nil, rand.New(rand.NewPCG(1, 2)))
		require.NoError(t, err)
		require.Len(t, out, want)
	}
	s = Source{Rounds: 2, Prompt: Length{1, 1}, Output: Length{1, 1}}
	_, err = s.Make(configs.Value{}, nil, nil)
	require.ErrorContains(t, err, "without concurrency")
}
