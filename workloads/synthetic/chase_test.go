package synthetic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// A round of a ring meets every line once, of whatever size, order and core; order page goes
// to another page each time.
func TestChaseMeetsEveryLineOnce(t *testing.T) {
	for _, size := range []uint64{64, 192, 4096, 5 << 12, 5<<12 + 640, 1000 * 64} {
		for _, order := range ChaseOrders {
			c := &Chase{Size: units.Bytes(size), Line: 64, Order: order, Page: 4096, Cores: 2, Seed: 3}
			require.NoError(t, c.Check())
			seen := map[uint64]bool{}
			last := uint64(1 << 40)
			for i := range 2 * c.Period() {
				b, ok := c.At(1, i)
				require.True(t, ok)
				at := b.Offset - size
				require.Less(t, at, size)
				require.Equal(t, i >= c.Period(), seen[at], "%d %s: access %d", size, order, i)
				seen[at] = true
				if order == "page" && size >= 2*4096 && i%c.Period() < size/4096*64 && i != c.Period() {
					require.NotEqual(t, last/4096, at/4096, "%d: access %d", size, i)
				}
				last = at
			}
		}
	}
	bad := &Chase{Size: 100, Line: 64, Order: "page", Page: 32, Cores: 1}
	require.ErrorContains(t, bad.Check(), "size is 100B")
	require.ErrorContains(t, bad.Check(), "page is 32B")
}

// As the core sees a kernel, it reads each line of the operands and writes that of the
// result, in turn.
func TestKernelAsTheCoreSeesIt(t *testing.T) {
	k := &Kernel{Kernel: "triad", Size: 128, View: "core", Cores: 2}
	require.NoError(t, k.Check())
	var got []Block
	for i := uint64(0); ; i++ {
		b, ok := k.At(1, i)
		if !ok {
			break
		}
		got = append(got, b)
	}
	require.Equal(t, []Block{
		{Tensor: 0, Offset: 128, Bytes: 64}, {Tensor: 1, Offset: 128, Bytes: 64, Stream: 1}, {Tensor: 2, Offset: 128, Bytes: 64, Write: true, Stream: 2},
		{Tensor: 0, Offset: 192, Bytes: 64}, {Tensor: 1, Offset: 192, Bytes: 64, Stream: 1}, {Tensor: 2, Offset: 192, Bytes: 64, Write: true, Stream: 2},
	}, got)
	k.View = "disk"
	require.ErrorContains(t, k.Check(), "want one of: memory, core")
}
