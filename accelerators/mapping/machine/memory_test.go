package machine

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
)

// The time of a memory is the slower of its bandwidth and of its requests: one a cycle, and no more
// under way than may be.
func TestMemoriesByHand(t *testing.T) {
	m := Memory{Bandwidth: 10, Cycles: 3, Latency: 100, Burst: 64, Outstanding: 4}
	require.EqualValues(t, 30, m.Busy(100, 1))
	require.EqualValues(t, 31, m.Busy(101, 1), "rounded up")
	require.EqualValues(t, 250, m.Busy(100, 10), "ten requests, four at a time")
	require.EqualValues(t, 60, m.Shared(2).mem().Busy(100, 1))
	require.Equal(t, m, m.Shared(1))
	require.Equal(t, Memory{Latency: 4, Cycles: 3}, Memory{Latency: 4, Cycles: 3}.Shared(5), "without limit")
	require.EqualValues(t, 9, m.Shared(3).Cycles)
	require.EqualValues(t, 25, (&Memory{Latency: 100, Outstanding: 4}).Busy(0, 1), "requests alone")
	require.EqualValues(t, 7, (&Memory{Latency: 2, Outstanding: 4}).Busy(0, 7), "a cycle each")
	require.Zero(t, m.Busy(0, 0))
	require.EqualValues(t, 6, m.Requests(3, 65))
	require.EqualValues(t, 3, m.Requests(3, 64))
	require.EqualValues(t, 6, m.Runs(2, 3, 10, false))
	require.EqualValues(t, 2, m.Runs(2, 3, 10, true), "planes whose rows touch")
	require.InDelta(t, 50, m.Time(100, 200), 1e-9, "half a run, two requests of it, four at a time")
	require.InDelta(t, 250, m.Time(100, 10), 1e-9, "ten runs, four at a time")
	require.InDelta(t, 100, m.Time(64, 64/4.), 1e-9, "four runs of a request each")
	require.InDelta(t, 2.5, (&Memory{Latency: 10, Outstanding: 4}).Time(1, 1), 1e-9, "a run of a byte")
	require.InDelta(t, 30, (&Memory{Bandwidth: 10, Cycles: 3}).Time(100, 100), 1e-9)
	require.Zero(t, m.Time(0, 10))
	require.Zero(t, m.Time(10, 0.5), "no run")
	require.Zero(t, (&Memory{}).Busy(1000, 1000))
	require.EqualValues(t, Overflow, (&Memory{Bandwidth: 1, Cycles: 1 << 40}).Busy(1<<40, 1))
}

func (m Memory) mem() *Memory { return &m }

func TestBusyIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Memory{Bandwidth: rapid.Int64Range(1, 1<<30).Draw(t, "bandwidth"), Cycles: rapid.Int64Range(1, 1<<30).Draw(t, "cycles")}
		bytes := rapid.Int64Range(0, 1<<30).Draw(t, "bytes")
		want := new(big.Int).Mul(big.NewInt(bytes), big.NewInt(m.Cycles))
		want.Add(want, big.NewInt(m.Bandwidth-1)).Quo(want, big.NewInt(m.Bandwidth))
		require.Equal(t, want.Int64(), m.Busy(bytes, 0))
	})
}

// By hand: parts of a side of 128 for 300, 100 and 5 words.
func TestSidesOfPartsByHand(t *testing.T) {
	require.Equal(t, []int{128, 100, 64, 32, 16, 8, 4, 2, 1}, Sides(128, 300))
	require.Equal(t, []int{128, 64, 32, 16, 8, 4, 2, 1}, Sides(128, 100))
	require.Equal(t, []int{128, 8, 4, 2, 1}, Sides(128, 5))
	require.Equal(t, []int{1}, Sides(1, 5))
}

// The ways of cores with and without a GEMV path, on the whole array and on parts.
func TestWaysOfACore(t *testing.T) {
	for _, c := range []struct {
		flow    string
		gemv    int
		overlap bool
		want    []string
	}{
		{flow: "ws", want: []string{"own"}},
		{flow: "os", want: []string{"own"}},
		{flow: "ws", gemv: 8, want: []string{"gemv"}}, // never slower than waiting for weights
		{flow: "ws", gemv: 1, want: []string{"gemv"}},
		{flow: "os", gemv: 8, want: []string{"own", "gemv"}},
		{flow: "ws", gemv: 8, overlap: true, want: []string{"own", "gemv"}},
		{flow: "ws", gemv: 1, overlap: true, want: []string{"own"}}, // no faster than its own weights
	} {
		core := Core{Array: dataflow.Array{Rows: 16, Cols: 16, OverlapPreload: c.overlap, OverlapDrain: c.overlap}, Dataflow: c.flow, Gemv: c.gemv}
		h, err := newArray(core, Rate{1, 1})
		require.NoError(t, err)
		h.Lanes, h.SharedA = 7, 3
		var got []string
		for _, w := range Ways(&core, &h, 16, 16) {
			require.Equal(t, [2]int64{7, 3}, [2]int64{w.Lanes, w.SharedA})
			name := "own"
			if w != h {
				name = "gemv"
			}
			got = append(got, name)
		}
		require.Equal(t, c.want, got, "%+v", c)
		if c.gemv > 1 { // parts take as many words a cycle, as far as they have rows
			for _, w := range Ways(&core, &h, 8, 4) {
				require.EqualValues(t, [2]int64{8, 4}, [2]int64{w.Rows, w.Cols})
			}
		}
	}
	require.True(t, HoldsWeights("dip"))
	require.False(t, HoldsWeights("is"))
}
