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
	got, ok = MACArea("7nm", "fp32")
	require.True(t, ok)
	require.InDelta(t, 0.059*11884e-6, got, 1e-12)
	got, ok = RegisterArea("7nm", 1000)
	require.True(t, ok)
	require.InDelta(t, 291.6e-6, got, 1e-12)
	for _, none := range []func() (float64, bool){
		func() (float64, bool) { return MACArea("7nm", "fp64") },
		func() (float64, bool) { return MACArea("3nm", "int8") },
		func() (float64, bool) { return RegisterArea("3nm", 8) },
		func() (float64, bool) { return Static("3nm", 1, 1) },
		func() (float64, bool) { return SRAMArea("3nm", 1) },
	} {
		_, ok := none()
		require.False(t, ok, "no figure is no area, not 0")
	}
}

// Every type of a workload has an area in every process, and a smaller one in a newer process.
func TestAreasOfTypes(t *testing.T) {
	for _, d := range Types() {
		last := 0.0
		for _, p := range []string{"7nm", "15nm", "45nm"} {
			got, ok := MACArea(p, d)
			require.True(t, ok, "%s %s", p, d)
			require.Greater(t, got, last)
			last = got
		}
	}
}

// Reference: Shao 2014 (45nm), Clark 2016 (7nm): about ten milliwatts per mm2 of logic.
func TestStatic(t *testing.T) {
	for process, want := range map[string][2]float64{"45nm": {10.48e-3, 12.36e-3}, "7nm": {10.65e-3, 10.65e-3}, "15nm": {10.58e-3, 11.32e-3}} {
		mac, ok := Static(process, 1, 0)
		require.True(t, ok)
		register, _ := Static(process, 0, 1)
		require.InDelta(t, want[0], mac, 1e-5, process)
		require.InDelta(t, want[1], register, 1e-5, process)
	}
}
