package curve_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/curve"
)

// A channel of 80% of the peak behind 100 ns: the curve begins with the latency
// without the transfer and ends where the channel is full.
func TestDerive(t *testing.T) {
	line, err := curve.Derive(1, 40, []curve.Measured{{0.2, 200}, {0.4, 200}, {0.8, 210}, {0.8, 420}, {0.801, 900}})
	require.NoError(t, err)
	require.Equal(t, 1.0, line.Reads)
	require.Len(t, line.Points, 4)
	require.InDelta(t, 200-40/0.801, line.Points[0].NS, 1e-9)
	require.Equal(t, curve.Point{Load: 0.8, NS: 210}, line.Points[3])
	for _, bad := range [][]curve.Measured{nil, {{0.1, 1}}, {{0.1, 1}, {1.1, 2}}, {{0.1, 0}, {0.2, 2}}} {
		_, err := curve.Derive(1, 0, bad)
		require.Error(t, err)
	}
}
