package energy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Reference: Mistry 2007, Wu 2013 and 2016 (cells), Dally 2015 (arithmetic), Stillmaker 2017
// (its scaling).
func TestAreas(t *testing.T) {
	for process, want := range map[string]float64{"45nm": 2.902, "15nm": 0.5872, "7nm": 0.2265} { // mm2 of 1 MiB
		got, ok := SRAMArea(process, 1<<20)
		require.True(t, ok)
		require.InDelta(t, want, got, 1e-3)
	}
	got, ok := MACArea("45nm", "int8")
	require.True(t, ok)
	require.InDelta(t, 419e-6, got, 1e-12)
	got, ok = MACArea("15nm", "int8")
	require.True(t, ok)
	require.InDelta(t, 0.18*419e-6, got, 1e-12)
	for _, none := range []func() (float64, bool){
		func() (float64, bool) { return MACArea("45nm", "int4") },
		func() (float64, bool) { return MACArea("7nm", "int8") },
		func() (float64, bool) { return MACArea("3nm", "int8") },
		func() (float64, bool) { return SRAMArea("3nm", 1) },
	} {
		_, ok := none()
		require.False(t, ok, "no figure is no area, not 0")
	}
}
