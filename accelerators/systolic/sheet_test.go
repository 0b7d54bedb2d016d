package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/peers/nvdla"
)

// The machine of the default keys is the one of NVDLA's sheet.
func TestSheetIsTheSheets(t *testing.T) {
	s := DefaultSpec()
	s.Rows, s.Cols = 64, 32
	want := nvdla.Large()
	want.Kernels = 16
	require.Equal(t, want, s.sheet())
}
