package layers

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/stats"
)

func layersOf(names []string, cycles func(i int) uint64) *stats.Table {
	t := &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "compute_cycles", Unit: stats.Cycle}, {Name: "stall_store_cycles", Unit: stats.Cycle}, {Name: "where"}}}
	for i, n := range names {
		t.Append(n, cycles(i), uint64(1), "Core")
	}
	return t
}

func total(s *Stack) (sum float64) {
	for _, b := range s.Bars {
		sum += b.Total
	}
	if s.Rest != nil {
		sum += s.Rest.Total
	}
	return sum
}

// A layer on several cores is one bar; equal layers of many blocks are one; the
// rest keeps the layers with most cycles. No cycle is lost on the way.
func TestStackIsReadable(t *testing.T) {
	s, err := StackOf(layersOf([]string{"a", "b", "a"}, func(i int) uint64 { return uint64(10 * i) }))
	require.NoError(t, err)
	require.Equal(t, []Bar{{"a", 1, []float64{20, 2}, 22}, {"b", 1, []float64{10, 1}, 11}}, s.Bars)
	require.Same(t, s, s.Readable())
	require.Empty(t, s.Note())

	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("L%d.q", i), fmt.Sprintf("L%d.k", i))
	}
	s, err = StackOf(layersOf(append(names, "lm_head"), func(i int) uint64 { return uint64(i) }))
	require.NoError(t, err)
	few := s.Readable()
	require.Len(t, few.Bars, 3)
	require.Equal(t, "L*.q (30)", few.Bars[0].Label())
	require.Equal(t, "lm_head", few.Bars[2].Label())
	require.Equal(t, total(s), total(few))
	require.Contains(t, few.Note(), "A star stands for")

	names = nil
	for i := range 100 {
		names = append(names, fmt.Sprintf("conv%d", i))
	}
	s, err = StackOf(layersOf(names, func(i int) uint64 { return uint64(i % 90) }))
	require.NoError(t, err)
	few = s.Readable()
	require.Len(t, few.Bars, MaxBars)
	require.Equal(t, 60, few.Rest.Layers)
	require.Equal(t, total(s), total(few))
	require.Contains(t, few.Note(), "60 layers with fewer cycles have no bar")
	for _, b := range few.Bars {
		require.GreaterOrEqual(t, b.Total, 51.0)
	}
}

// Compute is cut into what the array does; the vector unit's own cycles are not loss
// of the mapping. A core that does not divide its cycles has compute as one part.
func TestStackCutsCompute(t *testing.T) {
	names := []string{"compute_cycles", "useful_cycles", "mapping_loss_cycles", "fill_cycles", "drain_cycles", "array_cycles", "stall_store_cycles"}
	tab := &stats.Table{Columns: []stats.Column{{Name: "layer"}}}
	for _, n := range names {
		tab.Columns = append(tab.Columns, stats.Column{Name: n, Unit: stats.Cycle})
	}
	tab.Append("conv", uint64(100), 40.0, 30.0, 20.0, 10.0, uint64(90), uint64(5))
	tab.Append("softmax", uint64(50), 0.0, 50.0, 0.0, 0.0, uint64(0), uint64(0))
	tab.Append("other", uint64(7), nil, nil, nil, nil, nil, uint64(1))
	s, err := StackOf(tab)
	require.NoError(t, err)
	require.Equal(t, []string{"useful_cycles", "vector_cycles", "mapping_loss_cycles", "fill_cycles", "drain_cycles", "compute_cycles", "stall_store_cycles"}, s.Columns)
	require.Equal(t, []Bar{
		{"conv", 1, []float64{40, 10, 20, 20, 10, 0, 5}, 105},
		{"softmax", 1, []float64{0, 50, 0, 0, 0, 0, 0}, 50},
		{"other", 1, []float64{0, 0, 0, 0, 0, 7, 1}, 8},
	}, s.Bars)

	var ms []stats.Metric
	for i, n := range names {
		ms = append(ms, stats.Metric{Phase: "all", Where: "Core", Name: n, Unit: stats.Cycle, Value: []float64{100, 40, 30, 20, 10, 90, 5}[i]})
	}
	ms = append(ms, stats.Metric{Phase: "all", Where: "Chip", Name: "compute_cycles", Unit: stats.Cycle, Value: 3})
	n := NodeStack(ms)
	require.Equal(t, s.Columns, n.Columns)
	require.Equal(t, []Bar{{"Chip", 1, []float64{0, 0, 0, 0, 0, 3, 0}, 3}, {"Core", 1, []float64{40, 10, 20, 20, 10, 0, 5}, 105}}, n.Bars)
	for _, c := range n.Columns {
		require.Less(t, shadeOf(c), len(stats.Causes), "%s has a colour", c)
	}
}

func TestRooflineJoinsEqualPoints(t *testing.T) {
	tab := &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "macs"}, {Name: "cycles"}, {Name: "where"}, {Name: "memory_bytes"}}}
	tab.Append("a", int64(1000), uint64(10), "Core[0]", uint64(100))
	tab.Append("b", int64(2000), uint64(20), "Core[1]", uint64(200))
	tab.Append("c<", int64(1000), uint64(100), "Core[0]", uint64(1000))
	tab.Append("pool", int64(0), uint64(100), "Core[0]", uint64(1000))
	var ms []stats.Metric
	for _, where := range []string{"Core[0]", "Core[1]"} {
		ms = append(ms, stats.Metric{Phase: "all", Where: where, Name: "peak_macs", Value: 400}, stats.Metric{Phase: "all", Where: where, Name: "peak_bytes", Value: 20})
	}
	r, data, err := RooflineOf(tab, ms)
	require.NoError(t, err)
	require.Equal(t, 3, data.Len())
	require.Len(t, r.Points, 2)
	require.Equal(t, "a +1", r.Points[0].Label())
	require.Equal(t, 30.0, r.Points[0].Cycles)
	// The roofs are those of the configuration, though no layer reaches them.
	require.Equal(t, []Roof{{400, 20}}, r.Roofs, "like cores have one roof")
	require.Equal(t, []RoofLine{{[]float64{1, 20, 80}, []float64{20, 400, 400}}}, r.Lines())
	require.Equal(t, []any{200.0, 200.0, 20.0}, []any{data.Row(0)[3], data.Row(1)[3], data.Row(2)[3]})

	r, data, err = RooflineOf(tab, ms[:1]) // memory without a limit, and a core that says nothing
	require.NoError(t, err)
	require.Equal(t, []RoofLine{{[]float64{1, 10}, []float64{400, 400}}}, r.Lines())
	require.Nil(t, data.Row(1)[3])
}
