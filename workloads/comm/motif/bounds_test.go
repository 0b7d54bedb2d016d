package motif

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// No time and no size of a pattern overflows: the finest blocks of amr compute 8^5 times
// as long as the coarsest, and hold cells of 64 KiB at most.
func TestPatternsAreBounded(t *testing.T) {
	amr := AMR{Steps: Steps{Steps: 1}, Cells: 16, Levels: 6, Regrid: 2, Cell: 40}
	for _, c := range []struct {
		compute units.Time
		cell    units.Bytes
		levels  int
		want    string
	}{
		{100 * units.Millisecond, 64 << 10, 6, ""},
		{3600 * units.Second, 40, 1, ""},
		{3600 * units.Second, 40, 6, "compute is 3600s (want at most "},
		{3601 * units.Second, 40, 1, "compute is 3601s (want at most 3600s)"},
		{0, 1 << 20, 6, "cell is 1MiB (want 1B to 64KiB)"},
		{0, 0, 6, "cell is 0B (want 1B to 64KiB)"},
		{0, 40, 0, "want 1 to"},
	} {
		amr.Compute, amr.Cell, amr.Levels = c.compute, c.cell, c.levels
		_, err := Make("amr", 8, amr)
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
}
