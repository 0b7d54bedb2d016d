package memory

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
)

// figure draws a panel and returns its figure of that name.
func figure(t *testing.T, d *panel.Data, name, figure string) chart.Figure {
	t.Helper()
	e, ok := panel.All.Entry(name)
	require.True(t, ok)
	for _, f := range e.New.Draw(d) {
		require.Contains(t, e.New.Names, f.Name)
		if f.Name == figure {
			return f
		}
	}
	t.Fatalf("no figure %s of %s", figure, name)
	return chart.Figure{}
}

func metric(where, name string, v float64, unit stats.Unit) stats.Metric {
	return stats.Metric{Phase: "all", Where: where, Name: name, Value: v, Unit: unit}
}

func TestCXLLatencyPartsAddUp(t *testing.T) {
	d := &panel.Data{Run: &panel.Run{Result: &result.Result{Metrics: []stats.Metric{
		metric("Root", "load_latency_mean", 30, stats.NS), metric("Root", "load_port_mean", 10, stats.NS), metric("Root", "load_switch_mean", 20, stats.NS),
	}}}}
	f := figure(t, d, "cxl-latency", "cxl-latency")
	require.Len(t, f.Series, 2, "what is 0 everywhere is left out")
	require.Equal(t, 30.0, f.Series[0].Y[0]+f.Series[1].Y[0])
}

func TestBanksAndTensors(t *testing.T) {
	o := &watch.Observed{Details: []watch.Detail{
		{Where: "Mem", Name: "banks", JSONTable: watch.JSONTable{Columns: []string{"channel", "bank", "hits", "misses", "conflicts"}, Rows: [][]any{{0, 0, 5, 1, 2}, {1, 0, 0, 0, 9}}}},
		{Where: "LLC", Name: "tensors", JSONTable: watch.JSONTable{Columns: []string{"tensor", "kind", "reuse", "accesses", "hits", "bypasses"},
			Rows: [][]any{{"L0.k", "kv", 0, 10, 4, 1}, {"L1.k", "kv", 4, 10, 4, 1}, {"w", "weight", 0, 90, 0, 0}}}},
	}}
	d := &panel.Data{Run: &panel.Run{Result: &result.Result{Observed: o}}}
	f := figure(t, d, "banks", "banks")
	require.Equal(t, []string{"0.0", "1.0"}, f.X.Labels)
	require.Equal(t, chart.Numbers{2, 9}, f.Series[2].Y)
	f = figure(t, d, "banks", "banks-map")
	require.Equal(t, chart.Cell{X: 0, Y: 1, Value: 9}, f.Cells[1])
	f = figure(t, d, "balance", "dram-channels")
	require.Equal(t, []string{"0", "1"}, f.X.Labels)
	require.Equal(t, []chart.Numbers{{5, 0}, {1, 0}, {2, 9}}, []chart.Numbers{f.Series[0].Y, f.Series[1].Y, f.Series[2].Y})
	require.Equal(t, "Mem: the busiest channel has 1.06 times the mean, the busiest bank 1.06 times.", f.Note)
	f = figure(t, d, "tensors", "cache-tensors")
	require.Equal(t, []string{"w, weight", "L*.k, kv"}, f.X.Labels, "like tensors of blocks are one; the most asked for first")
	require.Equal(t, chart.Numbers{0, 8}, f.Series[0].Y)
	f = figure(t, d, "tensors", "cache-reuse")
	require.Equal(t, []string{"not again, or unknown", "4 to 7 times"}, f.X.Labels)
}
