package clock

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCyclesRoundsUp(t *testing.T) {
	require.Equal(t, uint64(150), GHz.Cycles(150, 1e9))
	require.Equal(t, uint64(141), Hz(940e6).Cycles(150, 1e9)) // 141.0 exactly
	require.Equal(t, uint64(142), Hz(940e6).Cycles(1501, 1e10))
	require.Equal(t, uint64(0), GHz.Cycles(0, 1))
	require.InDelta(t, 150.0, GHz.Nanoseconds(150), 1e-12)
}

func TestString(t *testing.T) {
	require.Equal(t, "940000000Hz", Hz(940e6).String())
	require.Equal(t, "13/31250000000s", Period(416, 1e12).String())
	require.Panics(t, func() { Period(0, 1) })
}
