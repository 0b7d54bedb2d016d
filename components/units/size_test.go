package units

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSizes(t *testing.T) {
	for text, want := range map[string]Area{"814mm2": 814, "8.14 cm2": 814, "250um2": 0.00025} {
		got, err := ParseArea(text)
		require.NoError(t, err, text)
		require.InDelta(t, float64(want), float64(got), 1e-12)
		again, err := ParseArea(got.String())
		require.NoError(t, err)
		require.Equal(t, got, again, text)
	}
	for text, want := range map[string]Length{"20um": 0.02, "300mm": 300, "1.5cm": 15, "0.06m": 60} {
		got, err := ParseLength(text)
		require.NoError(t, err, text)
		require.InDelta(t, float64(want), float64(got), 1e-12)
		again, err := ParseLength(got.String())
		require.NoError(t, err)
		require.Equal(t, got, again, text)
	}
	_, err := ParseArea("814")
	require.ErrorContains(t, err, "lacks a unit")
	_, err = ParseLength("20mm2")
	require.ErrorContains(t, err, "units: nm, um, mm, cm, m")
	_, err = ParseArea("-1mm2")
	require.ErrorContains(t, err, "negative")
	v, unit, ok := SI("8cm2")
	require.True(t, ok)
	require.Equal(t, "mm2", unit)
	require.Equal(t, 800.0, v)
	v, unit, ok = SI("20um")
	require.True(t, ok)
	require.Equal(t, "mm", unit)
	require.Equal(t, 0.02, v)
}
