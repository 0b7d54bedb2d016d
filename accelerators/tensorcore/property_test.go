package tensorcore_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A faster memory, more arrays, a higher clock and less to wait for never make a product
// slower, and no part of a time is negative.
func TestBetterMachinesAreNotSlower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := func(name string) int { return rapid.IntRange(1, 300).Draw(t, name) }
		m, n, k := size("m"), size("n"), size("k")
		b := graph.NewBuilder("g")
		b.Output(b.MatMul("x", b.Input("a", m, k), b.Weight("w", k, n), graph.MatMul{Batch: 1, M: m, N: n, K: k}, m, n))
		g, err := b.Graph()
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.BF16))
		base := tensorcore.Machine{Rows: 16, Cols: 16, Arrays: 2, Cores: 1, Clock: 1e9, Sustained: 0.5, VMEM: 64 << 10, Memory: 1e9, Ragged: 0.5,
			Added: rapid.Bool().Draw(t, "added"), Preload: rapid.Bool().Draw(t, "preload"), Accumulators: 32, Launch: map[string]float64{"gemm": 1e-6}}
		c := base.Time(g, &g.Ops[0])
		require.GreaterOrEqual(t, min(c.Launch, c.Copy, c.Array, c.Vector, c.Memory), 0.0)
		for name, better := range map[string]func(*tensorcore.Machine){
			"memory":       func(m *tensorcore.Machine) { m.Memory *= 2 },
			"arrays":       func(m *tensorcore.Machine) { m.Arrays *= 2 },
			"clock":        func(m *tensorcore.Machine) { m.Clock *= 2 },
			"sustained":    func(m *tensorcore.Machine) { m.Sustained = 1 },
			"ragged":       func(m *tensorcore.Machine) { m.Ragged = 1 },
			"accumulators": func(m *tensorcore.Machine) { m.Accumulators = 0 },
			"launch":       func(m *tensorcore.Machine) { m.Launch = nil },
		} {
			x := base
			better(&x)
			require.LessOrEqual(t, x.Time(g, &g.Ops[0]).Time(), c.Time()*(1+1e-12), name)
		}
	})
}
