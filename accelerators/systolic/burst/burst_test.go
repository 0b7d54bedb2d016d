package burst_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/systolic/burst"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// memories is a map of n memories that take turns every so many bytes, and its routes.
func memories(t require.TestingT, n int, turn uint64) *burst.Routes {
	r := memory.Range{Size: 1 << 40, Interleave: turn}
	for i := range n {
		r.Ports = append(r.Ports, sim.NewLimitNumMsgPort(nil, 1, sim.BuildNameWithIndex("", "Mem", i)))
		r.Paths = append(r.Paths, memory.Path{Clock: clock.GHz, Bandwidth: 8e9, Link: 12e9})
	}
	m, err := memory.NewMap(r)
	require.NoError(t, err)
	return burst.NewRoutes(m)
}

// Bursts are the bytes of a transfer in the order of its rows, each once; none crosses a multiple
// of the burst size, and each has the target that the map says.
func TestBurstsAreTheTransfer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "memories")
		turn := rapid.SampledFrom([]uint64{256, 4096}).Draw(t, "turn")
		routes := memories(t, n, turn)
		x := dma.Transfer{
			Offset: rapid.Int64Range(0, 5000).Draw(t, "offset"), RowBytes: rapid.Int64Range(1, 3000).Draw(t, "row"),
			Rows: rapid.Int64Range(1, 6).Draw(t, "rows"), Planes: rapid.Int64Range(1, 3).Draw(t, "planes"),
		}
		x.Stride = x.RowBytes + rapid.SampledFrom([]int64{0, 0, 1, 64, 1000}).Draw(t, "gap")
		x.PlaneStride = x.Stride*x.Rows + rapid.SampledFrom([]int64{0, 0, 777}).Draw(t, "plane gap")
		align := rapid.SampledFrom([]uint64{64, 96, 4096}).Draw(t, "burst")
		base := rapid.Uint64Range(0, 1<<20).Draw(t, "base")
		var want, got []uint64
		for p := range x.Planes {
			for r := range x.Rows {
				for b := range x.RowBytes {
					want = append(want, base+uint64(x.Offset+p*x.PlaneStride+r*x.Stride+b))
				}
			}
		}
		c := burst.Cutter{Routes: routes, Align: align}
		c.Start(&x, base)
		for {
			b, ok := c.Next()
			if !ok {
				break
			}
			require.Positive(t, b.Size)
			require.Equal(t, b.Addr/align, (b.Addr+b.Size-1)/align)
			for i := range b.Size {
				got = append(got, b.Addr+i)
				require.EqualValues(t, (b.Addr+i)/turn%uint64(n), b.Target)
			}
		}
		require.Equal(t, want, got)
	})
}

// Several memories have their bandwidths together, and no more than the link to them.
func TestBandwidth(t *testing.T) {
	require.EqualValues(t, 8e9, memories(t, 1, 256).Bandwidth())
	require.EqualValues(t, 12e9, memories(t, 3, 256).Bandwidth())
	require.InDelta(t, 1.0, memories(t, 1, 256).BothWays(), 1e-12)
	require.InDelta(t, 3.0, memories(t, 3, 256).BothWays(), 1e-12, "the link has it each way")
}

// A memory that the placement sends no tensor to makes no plan faster; where the map names none,
// all count.
func TestPlansCountOnMemoriesThatHoldTensors(t *testing.T) {
	ranges := func(placed ...bool) *burst.Routes {
		var rs []memory.Range
		for i, p := range placed {
			rs = append(rs, memory.Range{
				Base: uint64(i) << 30, Size: 1 << 30, Placed: p,
				Ports: []sim.Port{sim.NewLimitNumMsgPort(nil, 1, sim.BuildNameWithIndex("", "Tier", i))},
				Paths: []memory.Path{{Clock: clock.GHz, Bandwidth: units.Bandwidth(8e9 * (i + 1))}},
			})
		}
		m, err := memory.NewMap(rs...)
		require.NoError(t, err)
		return burst.NewRoutes(m)
	}
	for _, c := range []struct {
		placed []bool
		want   units.Bandwidth
	}{{[]bool{true, false}, 8e9}, {[]bool{false, true}, 16e9}, {[]bool{true, true}, 24e9}, {[]bool{false, false}, 24e9}} {
		r := ranges(c.placed...)
		require.Equal(t, c.want, r.PlacedBandwidth())
		require.Equal(t, units.Bandwidth(24e9), r.Bandwidth(), "the peak is that of all")
	}
}
