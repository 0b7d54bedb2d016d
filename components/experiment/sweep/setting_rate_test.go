package sweep

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Where a key takes a rate of 0, it stands for something else and is no number to draw.
func TestNoRateIsZero(t *testing.T) {
	columns := Grid{{Paths: []string{"Mem.bandwidth"}, Values: [][]string{{"12.8GB/s"}, {"0GB/s"}}}}.settingColumns()
	require.Len(t, columns, 2)
	require.Equal(t, 12.8e9, columns[1].cell([]string{"Mem.bandwidth=12.8GB/s"}))
	require.Nil(t, columns[1].cell([]string{"Mem.bandwidth=0GB/s"}))
	require.Equal(t, "0GB/s", columns[0].cell([]string{"Mem.bandwidth=0GB/s"}))
	latency := Grid{{Paths: []string{"Mem.latency"}, Values: [][]string{{"10ns"}, {"0ns"}}}}.settingColumns()
	require.Equal(t, 0., latency[1].cell([]string{"Mem.latency=0ns"}))
}
