package synthetic

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every line of every array is read once, and every line of the result written once,
// after its read by lag lines.
func TestKernelTouchesAllOnce(t *testing.T) {
	for _, name := range Kernels {
		for _, lag := range []uint64{0, 3, 16, 99} {
			k := Kernel{Kernel: name, Size: 16 * 64, Lag: lag, Cores: 2}
			require.NoError(t, k.Check())
			arrays := len(k.Tensors())
			read, written := map[[2]uint64]int{}, map[uint64]int{}
			i := uint64(0)
			for ; ; i++ {
				b, ok := k.At(1, i)
				if !ok {
					break
				}
				require.GreaterOrEqual(t, b.Offset, uint64(k.Size))
				require.Less(t, b.Offset, 2*uint64(k.Size))
				if b.Write {
					require.Equal(t, arrays-1, b.Tensor)
					require.Equal(t, 1, read[[2]uint64{uint64(b.Tensor), b.Offset}], "written before it is read")
					written[b.Offset]++
				} else {
					read[[2]uint64{uint64(b.Tensor), b.Offset}]++
				}
			}
			require.EqualValues(t, 16*(arrays+1), i)
			require.Len(t, read, 16*arrays)
			require.Len(t, written, 16)
		}
	}
	bad := Kernel{Kernel: "dot", Size: 10}
	require.EqualError(t, bad.Check(), "kernel is \"dot\" (want one of: copy, scale, add, triad)\nsize is 10B (want a multiple of 64B, at most 1TiB)\ncores is 0 (want 1 or more)")
}
