package chart

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Sizes that double are drawn over a logarithmic axis, even steps and zeros are not.
func TestDecades(t *testing.T) {
	var double, even Numbers
	for x := 16384.; x <= 1<<30; x *= 2 {
		double = append(double, x)
	}
	for i := range 200 {
		even = append(even, float64(i+1))
	}
	require.True(t, Decades([]Series{{X: double}, {X: double[3:]}}))
	require.False(t, Decades([]Series{{X: even}}))
	require.False(t, Decades([]Series{{X: double[:5]}}), "a factor of 16")
	require.False(t, Decades([]Series{{X: append(Numbers{0}, double...)}}))
	require.False(t, Decades(nil))
}
