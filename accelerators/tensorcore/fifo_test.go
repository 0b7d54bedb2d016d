package tensorcore

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// v1 is the matrix unit of the first TPU with arrays of this side: 700 MHz, 34 GB/s.
func v1(side int64) *FIFO {
	return &FIFO{Rows: side, Cols: side, Depth: 4, Accumulators: 4096, Fetch: float64(side*side) / 34e9 * 700e6}
}

// Jouppi et al., ISCA 2017, table 3 and section 7: where the cycles of the array went
// (of those that were the array's), TOPS, and the time of a 600 x 600 matrix.
func TestFirstTPU(t *testing.T) {
	for _, c := range []struct {
		name                 string
		layers, side, batch  int64
		active, stall, shift float64
		tops, within         float64
	}{
		{"MLP0", 5, 2000, 200, 15, 65, 19, 12.3, 0.10},
		{"MLP1", 4, 1118, 168, 15, 65, 20, 9.7, 0.15},
	} {
		f := v1(256)
		var sum Phases
		for range c.layers {
			p := f.Matmul(1, c.batch, c.side, c.side, 0, sum.End, 1, 512)
			sum.Active, sum.Stall, sum.Shift, sum.Wait, sum.End = sum.Active+p.Active, sum.Stall+p.Stall, sum.Shift+p.Shift, sum.Wait+p.Wait, p.End
		}
		all := (sum.Active + sum.Stall + sum.Shift) / 100
		require.InDelta(t, c.active, sum.Active/all, 6, c.name)
		require.InDelta(t, c.stall, sum.Stall/all, 6, c.name)
		require.InDelta(t, c.shift, sum.Shift/all, 6, c.name)
		tops := 2 * float64(c.layers*c.side*c.side*c.batch) / (sum.End / 700e6) / 1e12
		require.InEpsilon(t, c.tops, tops, c.within, c.name)
		t.Logf("%s: %.1f : %.1f : %.1f, %.2f TOPS", c.name, sum.Active/all, sum.Stall/all, sum.Shift/all, tops)
	}
	for side, us := range map[int64]float64{256: 18, 512: 32} {
		p := v1(side).Matmul(1, 96, 600, 600, 0, 0, 1, float64(2*side))
		require.InEpsilon(t, us, p.End/700, 0.05, "600 x 600 on %d", side)
		t.Logf("600 x 600 on %d x %d: %.2f us", side, side, p.End/700)
	}
}

// By hand: fetches of 100 cycles, shifts of 4, products of 10 rows.
func TestFIFOTiming(t *testing.T) {
	f := &FIFO{Rows: 4, Cols: 4, Depth: 2, Accumulators: 64, Fetch: 100}
	require.Equal(t, Phases{End: 214, Active: 20, Stall: 100 + 86, Shift: 8, Tiles: 2}, f.Matmul(1, 10, 4, 8, 0, 0, 1, 0))
	// A fast memory: three tiles of 10 cycles each, while the next tile is shifted in. The
	// first one is fetched (1 cycle) and shifted in (4 cycles) before any product.
	f = &FIFO{Rows: 4, Cols: 4, Depth: 2, Accumulators: 64, Fetch: 1}
	require.Equal(t, Phases{End: 35, Active: 30, Stall: 1, Shift: 4, Tiles: 3}, f.Matmul(1, 10, 12, 4, 0, 0, 1, 0))
	// More rows than half of the accumulators: the weights come twice, but for those of one
	// tile along k, whose sums are complete; and once for each part of the unified buffer.
	wide := func() *FIFO { return &FIFO{Rows: 4, Cols: 4, Depth: 2, Accumulators: 64, Fetch: 1} }
	require.Equal(t, int64(4), wide().Matmul(1, 33, 4, 8, 0, 0, 1, 0).Tiles)
	require.Equal(t, int64(1), wide().Matmul(1, 33, 4, 4, 0, 0, 1, 0).Tiles)
	require.Equal(t, int64(3), wide().Matmul(1, 33, 4, 4, 11, 0, 1, 0).Tiles)
	require.Equal(t, int64(6), wide().Matmul(2, 33, 4, 4, 11, 0, 1, 0).Tiles)
	// The queue fills while an operator waits for its operands.
	f = &FIFO{Rows: 4, Cols: 4, Depth: 2, Accumulators: 64, Fetch: 100}
	f.Matmul(1, 10, 4, 4, 0, 0, 1, 0)
	early := f.Matmul(1, 10, 4, 8, 0, 1000, 1, 0)
	require.Zero(t, early.Stall)
	require.Equal(t, 2.0, early.Early, "both tiles came before the operator began")
}

// Jouppi et al., section 7 and figure 11: four times the memory's bandwidth makes the mean
// application three times as fast, MLPs at most four times; four times the clock helps
// them little; a matrix unit of 512 x 512 makes the 600 x 600 product slower.
func TestFirstTPUScaled(t *testing.T) {
	mlp0 := func(clock, bytes float64) float64 {
		f := &FIFO{Rows: 256, Cols: 256, Depth: 4, Accumulators: 4096, Fetch: 65536 / bytes * clock}
		end := 0.0
		for range 5 {
			end = f.Matmul(1, 200, 2000, 2000, 0, end, 1, 512).End
		}
		return end / clock
	}
	base := mlp0(700e6, 34e9)
	require.InDelta(t, 3.5, base/mlp0(700e6, 4*34e9), 0.5)
	require.InDelta(t, 1, base/mlp0(4*700e6, 34e9), 0.05)
	require.Greater(t, v1(512).Matmul(1, 96, 600, 600, 0, 0, 1, 1024).End, 1.5*v1(256).Matmul(1, 96, 600, 600, 0, 0, 1, 512).End)
}
