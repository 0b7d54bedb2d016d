package tensorcore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func elementwise(t *testing.T, fn string, n int) (*graph.Graph, *graph.Op) {
	return of(t, graph.Int8, func(b *graph.Builder) { b.Output(b.Elementwise("e", fn, b.Input("x", n))) })
}

func TestVectorWork(t *testing.T) {
	m := unit()
	m.Hot = true
	g, op := elementwise(t, "exp", 400) // four operations each
	require.Equal(t, tensorcore.Cost{Vector: 400}, m.Time(g, op, tensorcore.Passed{}), "on the chip")
	m.Vector.Rates = map[string]float64{"exp": 2}
	require.Equal(t, 400.0, m.Time(g, op, tensorcore.Passed{}).Vector, "the lanes bind")
	m.Vector.Lanes = 100
	require.Equal(t, 200.0, m.Time(g, op, tensorcore.Passed{}).Vector, "the rate binds")
	m.Vector.Units, m.Vector.Grain = 2, 400
	require.Equal(t, 400.0, m.Time(g, op, tensorcore.Passed{}).Vector, "one grain keeps one of two units busy")
	m.Vector.Grain = 300
	require.InEpsilon(t, 300.0, m.Time(g, op, tensorcore.Passed{}).Vector, 1e-12)
	m.Vector.Grain = 200
	require.Equal(t, 200.0, m.Time(g, op, tensorcore.Passed{}).Vector)

	m.Efficiency = map[string]float64{"elementwise": 0.5}
	m.VMEM = 800
	require.Equal(t, tensorcore.Cost{Vector: 200, Memory: 1600, Read: 400, Written: 400}, m.Time(g, op, tensorcore.Passed{}), "does not fit: memory beside the work")
	m.VMEM, m.Hot = 1<<20, false
	require.Equal(t, 1600.0, m.Time(g, op, tensorcore.Passed{}).Memory, "operands lie in memory")
	c := m.Time(g, op, tensorcore.Passed{In: 400, Fused: true})
	require.Equal(t, tensorcore.Cost{Vector: 200, Memory: 800, Written: 400}, c, "the kernel before has made them")
}

// A view takes no time, and every other operator some.
func TestEveryOperatorHasATime(t *testing.T) {
	m := unit()
	m.Launch = map[string]float64{"all": 1}
	g, op := of(t, graph.Int8, func(b *graph.Builder) { b.Output(b.Reshape("r", b.Input("x", 4, 6), 24)) })
	require.Zero(t, m.Time(g, op, tensorcore.Passed{}).Time())
	for _, add := range []func(b *graph.Builder){
		func(b *graph.Builder) { b.Output(b.Softmax("s", b.Input("x", 4, 6))) },
		func(b *graph.Builder) { b.Output(b.Norm("n", "rms", b.Input("x", 4, 6))) },
		func(b *graph.Builder) { b.Output(b.Reduce("r", "sum", b.Input("x", 4, 6), 4)) },
		func(b *graph.Builder) { b.Output(b.Move("m", "copy", b.Input("x", 4, 6), 4, 6)) },
		func(b *graph.Builder) { b.Output(b.Conv("c", b.Input("x", 1, 4, 6, 6), graph.SquareConv(8, 3, 1, 1))) },
	} {
		g, op := of(t, graph.Int8, add)
		require.Greater(t, m.Time(g, op, tensorcore.Passed{}).Time(), 1.0, op.Name)
	}
}
