package lanes

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/skip"
	"github.com/causeway-sim/causeway/accelerators/tconv"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// layerOf is one convolution of so many channels and filters.
func layerOf(c graph.Conv, channels, side int) *graph.Graph {
	b := graph.NewBuilder("test")
	b.Output(b.Conv("conv", b.Input("x", 1, channels, side, side), c))
	g, err := b.Graph()
	if err != nil {
		panic(err)
	}
	return g
}

func run(t require.TestingT, s Spec, shares ...work.Share) *Comp {
	e := engine.New()
	c := New("Core", e, s)
	for i, w := range shares {
		w.ID = int32(i)
		require.NoError(t, work.IssueAll(c, w))
	}
	require.NoError(t, c.Start())
	require.NoError(t, e.Run())
	require.Empty(t, c.Stats().Verify())
	return c
}

// 20 channels and 24 filters of 3 x 3 over 6 x 6, on 16 lanes of 16: two turns each, 9
// taps, 16 outputs. Memory and overhead by hand at 200 MHz.
func TestTurns(t *testing.T) {
	g := layerOf(graph.SquareConv(24, 3, 1, 0), 20, 6)
	s := DefaultSpec()
	c := run(t, s, work.Share{Graph: g})
	require.EqualValues(t, 16*9*2*2, *c.End())
	s.Memory = 8 * 200e6 // a byte per cycle: 720 + 4,320 + 384 B
	require.EqualValues(t, 5424, *run(t, s, work.Share{Graph: g}).End())
	s.Overhead = units.InCycles(7)
	c = run(t, s, work.Share{Graph: g}, work.Share{Graph: g, Arrival: 50 * units.Microsecond})
	require.EqualValues(t, 10000+5431, *c.End())
	require.EqualValues(t, 10000-5431, *c.Idle())
	require.EqualValues(t, 576, c.sum.compute/2)
}

// Partial sums that do not fit go to memory and come back.
func TestPartialSumsSpill(t *testing.T) {
	v := graph.SquareConv(16, 5, 1, 0)
	v.Transposed = true
	v.H, v.W, v.C, v.N = 8, 8, 16, 1
	v = graph.Same(v)
	s := DefaultSpec()
	s.Transposed = tconv.InputOriented // 64 pixels x 25 taps x 16 filters x 4 B
	c := run(t, s, work.Share{Graph: layerOf(v, 16, 8)})
	require.EqualValues(t, 102400, c.sum.partial)
	require.Zero(t, c.sum.spill)
	bytes := c.sum.bytes
	s.Buffer = 102399
	c = run(t, s, work.Share{Graph: layerOf(v, 16, 8)})
	require.EqualValues(t, 102400, c.sum.spill)
	require.Equal(t, bytes+2*102400, c.sum.bytes)
}

// Skipping never costs, counts what it leaves out, and no lowering does less than what
// lands.
func TestSkipping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
		v := graph.SquareConv(n("filters", 40), n("kernel", 7), n("stride", 3), 0)
		v.Transposed = true
		channels, side := n("channels", 40), n("side", 9)
		g := layerOf(graph.Same(v), channels, side)
		s := DefaultSpec()
		s.Memory = 1e15
		var cycles [3]uint64
		for l := range cycles {
			s.Transposed = tconv.Lowering(l)
			c := run(t, s, work.Share{Graph: g})
			cycles[l] = *c.End()
			require.GreaterOrEqual(t, c.sum.done, c.sum.macs-c.sum.ineffectual)
			if l == int(tconv.Scatter) {
				require.Equal(t, c.sum.macs-c.sum.ineffectual, c.sum.done)
			}
		}
		require.LessOrEqual(t, cycles[tconv.Scatter], cycles[tconv.InputOriented])
		require.LessOrEqual(t, cycles[tconv.Scatter], cycles[tconv.ZeroInsertion])
	})
}

// Lanes that skip: a share of 0 leaves out the border alone, a share of 1 all; nothing is
// lost, and a second request of the same operator takes what the first took.
func TestOperandsAreSkipped(t *testing.T) {
	g := layerOf(graph.SquareConv(24, 3, 1, 1), 20, 6)
	of := func(zeros float64, requests ...work.Share) *Comp {
		s := DefaultSpec()
		s.Memory = 1e15
		var err error
		s.Skip.Inputs, err = skip.Make("half_normal", skip.Scaled{Scale: 1}, skip.Operand{Zeros: zeros})
		require.NoError(t, err)
		return run(t, s, append(requests, work.Share{Name: "net", Graph: g})...)
	}
	c := of(0)
	require.Equal(t, c.sum.ineffectual, c.sum.skipped)
	require.EqualValues(t, (16*9+16*6+4*4)*2*2, *c.End(), "taps inside, two turns each over filters and channels")
	require.Zero(t, of(1).sum.compute)
	one, two := of(0.5), of(0.5, work.Share{Name: "net", Graph: g})
	require.Equal(t, 2**one.End(), *two.End())
	require.Less(t, *one.End(), *c.End())
	v := graph.SquareConv(16, 5, 1, 0)
	v.Transposed = true
	err := work.IssueAll(one, work.Share{Graph: layerOf(v, 16, 8)})
	require.ErrorContains(t, err, "layer conv is a transposed convolution, whose operands are not skipped")
}
