package validation

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Errors count with their absolute value, and in the bias with their sign.
func TestSpread(t *testing.T) {
	s := spread([]float64{-30, 10, 20, -4})
	require.Equal(t, Spread{Mean: 16, Median: 10, P85: 30, P90: 30, Max: 30, Bias: -1}, s)
	require.Zero(t, spread(nil))
}
