package peertiming

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/peers/nvdla"
	"github.com/causeway-sim/causeway/components/clock"
)

// The machine of the default keys is the one of NVDLA's sheet.
func TestSheetIsTheSheets(t *testing.T) {
	s := DefaultNVDLA()
	want := nvdla.Large()
	want.Kernels = 16
	require.Equal(t, want, s.Machine(Core{Rows: 64, Cols: 32, Clock: clock.GHz}))
}
