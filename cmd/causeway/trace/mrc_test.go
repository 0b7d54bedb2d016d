package trace

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSizesOfARule(t *testing.T) {
	for text, want := range map[string][]uint64{
		"64B, 1KiB":                          {64, 1024},
		"{from: 64B, to: 1KiB, times: 2}":    {64, 128, 256, 512, 1024},
		"{from: 64B, to: 200B, times: 1.5}":  {64, 128}, // 96 and 144 rounded down
		"{from: 1KiB, to: 1MiB, times: 32.}": {1 << 10, 1 << 15, 1 << 20},
	} {
		got, err := mrcSizes(text, 64)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"{from: 64B, to: 1KiB}":                      "times must be above 1",
		"{from: 1B, to: 1KiB, times: 2}":             "from must be at least 64 B",
		"{from: 1KiB, to: 64B, times: 2}":            "to (64B) is below from (1KiB)",
		"{from: 64B, to: 1TiB, times: 1.0000000001}": "the rule gives more than 1000 sizes",
	} {
		_, err := mrcSizes(text, 64)
		require.ErrorContains(t, err, want, text)
	}
}
