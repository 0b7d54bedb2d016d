package roofline

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// product is one M x K by K x N product of int8.
func product(m, n, k int) *graph.Graph {
	g := &graph.Graph{Name: "test"}
	a := g.Add(graph.Tensor{Name: "a", Shape: []int{m, k}, Role: graph.Input})
	b := g.Add(graph.Tensor{Name: "b", Shape: []int{k, n}, Role: graph.Weight})
	c := g.Add(graph.Tensor{Name: "c", Shape: []int{m, n}, Role: graph.Output})
	g.Append(graph.Op{Name: "fc", In: []graph.TensorID{a, b}, Out: []graph.TensorID{c}, Kind: graph.MatMul{Batch: 1, M: m, N: n, K: k}})
	return g
}

func run(t require.TestingT, s Spec, shares ...work.Share) *Comp {
	e := engine.New()
	c := New("Rank", e, s)
	for i, w := range shares {
		w.ID = int32(i)
		require.NoError(t, work.IssueAll(c, w))
	}
	require.NoError(t, c.Start())
	require.NoError(t, e.Run())
	require.Empty(t, c.Stats().Verify())
	require.Equal(t, instant.Of(c.Clock(), *c.End()), e.CurrentTime())
	return c
}

// 64 x 64 x 64: 524,288 FLOP and 12,288 B. By hand at 1 GHz.
func TestTheLowerRoofHolds(t *testing.T) {
	s := DefaultSpec() // 1000 FLOP and 100 B per cycle
	for _, c := range []struct {
		what   string
		change func()
		cycles uint64
		bound  string
	}{
		{"compute", func() {}, 525, "compute"},
		{"half the efficiency", func() { s.Efficiency = map[string]float64{"gemm": 0.5} }, 1049, "compute"},
		{"of another type", func() { s.Efficiency = map[string]float64{"conv": 0.5} }, 525, "compute"},
		{"memory", func() { s.Memory = 10e9 * 8 }, 1229, "memory"},
		{"overhead", func() { s.Overhead = units.InTime(2 * units.Microsecond) }, 3229, "overhead"},
	} {
		c.change()
		k := run(t, s, work.Share{Graph: product(64, 64, 64)})
		tb := k.Layers().Held()
		require.Equal(t, c.cycles, tb.Rows[0][tb.Index("cycles")], c.what)
		require.Equal(t, c.bound, tb.Rows[0][tb.Index("bound")], c.what)
		require.Equal(t, c.cycles, *k.End())
	}
}

// The dumb twin computes in rationals.
func TestTimeIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := DefaultSpec()
		s.Clock = units.Frequency{Clock: rapid.SampledFrom([]clock.Clock{clock.GHz, clock.Hz(940e6), clock.Period(416, 1e12)}).Draw(t, "clock")}
		s.Compute = units.FLOPS(rapid.IntRange(1e6, 1e9).Draw(t, "compute") * 1000)
		s.Memory = units.Bandwidth(rapid.Uint64Range(1e9, 1e13).Draw(t, "memory"))
		n := rapid.IntRange(1, 500)
		g := product(n.Draw(t, "m"), n.Draw(t, "n"), n.Draw(t, "k"))
		cycles := func(work, rate uint64) uint64 {
			x := new(big.Rat).SetFrac(new(big.Int).SetUint64(work), new(big.Int).SetUint64(rate))
			x.Mul(x, new(big.Rat).SetFrac(new(big.Int).SetUint64(s.Clock.Den()), new(big.Int).SetUint64(s.Clock.Num())))
			q, m := new(big.Int).DivMod(x.Num(), x.Denom(), new(big.Int))
			if m.Sign() > 0 {
				q.Add(q, big.NewInt(1))
			}
			return q.Uint64()
		}
		f := g.Footprint(&g.Ops[0])
		want := max(cycles(2*uint64(g.MACs()), uint64(s.Compute)), cycles(8*uint64(f.Bytes()), uint64(s.Memory)))
		require.Equal(t, want, *run(t, s, work.Share{Graph: g}).End())
	})
}

func TestWorkloadsGoByArrival(t *testing.T) {
	late := work.Share{Name: "late", Graph: product(64, 64, 64), Arrival: 10 * units.Microsecond}
	k := run(t, DefaultSpec(), late, work.Share{Name: "early", Graph: product(64, 64, 64)})
	tb := k.Layers().Held()
	require.Equal(t, []any{"fc", "early", "gemm", uint64(0)}, tb.Rows[0][:4])
	require.Equal(t, []any{"fc", "late", "gemm", uint64(10000)}, tb.Rows[1][:4])
	require.Equal(t, uint64(10000-525), *k.Idle())
}

func TestSharedWorkIsRefused(t *testing.T) {
	c := New("Rank", engine.New(), DefaultSpec())
	w := work.Share{Graph: product(1, 1, 1), Program: mapping.Program{Jobs: []mapping.Job{{Awaited: true}}}}
	require.EqualError(t, work.IssueAll(c, w), "Rank: layer fc is shared with other nodes (the node works alone)")
}

func TestEveryNetworkIsBounded(t *testing.T) {
	for _, name := range zoo.All.Names() {
		g, err := zoo.Build(name, zoo.Params{})
		require.NoError(t, err)
		s := DefaultSpec()
		k := run(t, s, work.Share{Graph: g})
		require.Equal(t, uint64(g.MACs()), k.sum.macs, name)
		require.GreaterOrEqual(t, float64(*k.End()), float64(2*g.MACs())/1000, name)
		require.GreaterOrEqual(t, float64(*k.End()), float64(k.sum.bytes)/100, name)
	}
}

func ExampleComp() {
	e := engine.New()
	s := DefaultSpec()
	s.Compute, s.Memory = 90e12, 2000e9*8
	c := New("Rank", e, s)
	g, _ := zoo.Build("resnet50", zoo.Params{})
	_ = work.IssueAll(c, work.Share{Graph: g})
	_ = c.Start()
	_ = e.Run()
	for _, m := range c.Stats().Metrics() {
		if m.Name == "total_cycles" || m.Name == "macs" {
			fmt.Printf("%s %.0f %s\n", m.Name, m.Value, m.Unit)
		}
	}
	// Output:
	// macs 4089184256 1
	// total_cycles 121524 cycle
}

// With prefetch memory and compute are two queues: of five operators that take 6 cycles of
// memory and 4 of computation the memory is busy from first to last and the last computes
// after it; with 2 and 4 only the first waits. The energy is that of all cycles, waiting
// among them.
func TestPrefetch(t *testing.T) {
	of := func(memory float64, prefetch, n int) *Comp {
		b := graph.NewBuilder("chain")
		x := b.Input("x", 1, 64)
		for i := range n {
			x = b.Elementwise(fmt.Sprint("relu", i), "relu", x)
		}
		b.Output(x)
		g, err := b.Graph()
		require.NoError(t, err)
		s := DefaultSpec()
		s.Compute, s.Memory, s.Prefetch, s.Power = 16e9, units.Bandwidth(memory*8), prefetch, 2
		e := engine.New()
		c := New("Core", e, s)
		require.NoError(t, work.IssueAll(c, work.Share{Graph: g}))
		require.NoError(t, c.Start())
		require.NoError(t, e.Run())
		require.Empty(t, c.Stats().Verify())
		return c
	}
	// 64 operations are 4 cycles; 128 B are 6 at 21.4 GB/s, 2 at 64.
	const slow, fast = 21.4e9, 64e9
	require.EqualValues(t, 5*6, *of(slow, 0, 5).End())
	require.EqualValues(t, 5*6+4, *of(slow, 2, 5).End())
	require.EqualValues(t, 5*4, *of(fast, 0, 5).End())
	require.EqualValues(t, 2+5*4, *of(fast, 2, 5).End())
	c := of(slow, 1, 5)
	// One ahead: a fetch begins when the one before the last has ended.
	require.EqualValues(t, 5*6+4, *c.End())
	require.EqualValues(t, 30, c.sum.moving)
	require.InDelta(t, 2*34*1e3, c.sum.energy, 1e-6)
}
