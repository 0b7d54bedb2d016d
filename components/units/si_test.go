package units

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSI(t *testing.T) {
	for text, want := range map[string]struct {
		value float64
		unit  string
	}{
		"64KiB": {65536, "B"}, "25.6GB/s": {25.6e9, "B/s"}, "100Gbit/s": {12.5e9, "B/s"}, "940MHz": {940e6, "Hz"},
		"60ns": {60e-9, "s"}, "416ps": {416e-12, "s"}, "10cycle": {10, "cycle"}, "90TFLOP/s": {90e12, "FLOP/s"}, "0.2pJ": {0.2e-12, "J"}, "1.5W": {1.5, "W"},
	} {
		v, u, ok := SI(text)
		require.True(t, ok, text)
		require.Equal(t, want.value, v, text)
		require.Equal(t, want.unit, u, text)
	}
	for _, text := range []string{"", "16", "ws", "16 rows", "-1B", "GB/s"} {
		_, _, ok := SI(text)
		require.False(t, ok, text)
	}
}
