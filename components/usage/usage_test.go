package usage_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/usage"
)

// Work takes processor time, and memory that is touched is resident and in the peak.
func TestUsage(t *testing.T) {
	before := usage.CPUSeconds()
	const size = 64 << 20
	b := make([]byte, size)
	for round := range 4 {
		for i := range b {
			b[i] += byte(i + round)
		}
	}
	if usage.PeakBytes() == 0 {
		t.Skip("the system does not say")
	}
	require.Greater(t, usage.CPUSeconds(), before)
	require.GreaterOrEqual(t, usage.PeakBytes(), uint64(size))
	if usage.KnowsOthers {
		require.GreaterOrEqual(t, uint64(usage.Resident(os.Getpid())), uint64(size))
		require.Zero(t, usage.Resident(1<<30))
		require.Positive(t, usage.Free())
	}
	require.NotZero(t, b[1])
}
