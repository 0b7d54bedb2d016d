package panel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func observed(o *watch.Observed) *Data {
	d := run("nodes:\n  - {name: Net, kind: network, topology: {name: dragonfly, p: 1, a: 2, h: 1}}\n")
	d.Run.Observed = o
	return d
}

// Tasks that overlap stand in lanes beside each other; what is too deep is left out, and
// said.
func TestTimeline(t *testing.T) {
	ts := &watch.Tasks{Nodes: []string{"A", "B"}, Kinds: []string{"layer", "burst"}, Names: []string{"conv"}}
	add := func(node, kind int, begin, span float64) {
		ts.Node, ts.Kind, ts.Name = append(ts.Node, node), append(ts.Kind, kind), append(ts.Name, 0)
		ts.Begin, ts.Span, ts.Bytes = append(ts.Begin, begin), append(ts.Span, span), append(ts.Bytes, 0)
	}
	add(1, 0, 0, 10)
	add(0, 1, 0, 5)
	add(0, 1, 1, 5)
	add(0, 1, 5, 5) // the first lane is free again
	add(0, 0, 20, -1)
	f := figure(t, observed(&watch.Observed{Tasks: ts}), "timeline", "timeline")
	require.Equal(t, []string{"A layer", "A burst 1", "A burst 2", "B layer"}, f.Lanes)
	require.Equal(t, []int{3, 1, 2, 1, 0}, f.Slices.Lane)
	require.NotContains(t, f.Note, "deep")
	for range maxTracks + 1 {
		add(1, 1, 100, 50)
	}
	f = figure(t, observed(&watch.Observed{Tasks: ts}), "timeline", "timeline")
	require.Contains(t, f.Note, " 1 tasks overlap more than 8 deep")
	require.Equal(t, 130.0, f.Slices.Span[4], "what had not ended goes to the end")
	require.Zero(t, f.Until)
	add(0, 0, 0, 10000)
	f = figure(t, observed(&watch.Observed{Tasks: ts}), "timeline", "timeline")
	require.Equal(t, 1.5, f.Until, "the short tasks are known of the first 150 ns alone")
}

// Rates are of the intervals; what is under way is what was sent and not answered.
func TestSeries(t *testing.T) {
	s := &watch.JSONTable{Columns: []string{"time", "D.reads", "D.read_bytes", "D.requests_done", "M.bytes_done", "C.hits", "C.misses"},
		Rows: [][]any{{10.0, 4, 256, 1, 64, 1, 3}, {20.0, 0, 0, 3, 192, 0, 0}}}
	d := observed(&watch.Observed{Series: s})
	f := figure(t, d, "bandwidth-time", "bandwidth-time")
	require.Equal(t, chart.Series{Name: "D", X: chart.Numbers{5, 15}, Y: chart.Numbers{6.4, 19.2}}, f.Series[0])
	require.Equal(t, chart.Series{Name: "M", X: chart.Numbers{5, 15}, Y: chart.Numbers{6.4, 19.2}}, f.Series[1])
	f = figure(t, d, "flight-time", "flight-time")
	require.Equal(t, chart.Numbers{3, 0}, f.Series[0].Y)
	f = figure(t, d, "hits-time", "hits-time")
	require.Equal(t, 25.0, f.Series[0].Y[0])
	require.True(t, f.Series[0].Y[1] != f.Series[0].Y[1], "no access, no rate")
}

// A peak is a line with its value in a unit of the right size; one far above the chart is in the
// note.
func TestPeaksAreDrawn(t *testing.T) {
	s := &watch.JSONTable{Columns: []string{"time", "A.moved_bytes", "B.moved_bytes"}, Rows: [][]any{{10.0, 20000.0, 100.0}, {20.0, 25000.0, 100.0}}}
	d := observed(&watch.Observed{Series: s, Peaks: map[string]float64{"A.moved_bytes": 3352, "B.moved_bytes": 90000}})
	f := figure(t, d, "bandwidth-time", "bandwidth-time")
	require.Len(t, f.Series, 3)
	require.Equal(t, chart.Series{Name: "A peak: 3.352 TB/s", Color: chart.Palette(0), X: chart.Numbers{0, 15}, Y: chart.Numbers{3352, 3352}, Dash: true}, f.Series[2])
	require.Contains(t, f.Note, "Peaks far above the chart: B 90 TB/s.")
}

// What counts all at once has no time series.
func TestNoTimeSeries(t *testing.T) {
	s := &watch.JSONTable{Columns: []string{"time", "A.macs", "B.macs"}}
	for i := range 6 {
		s.Rows = append(s.Rows, []any{10 * float64(i+1), map[bool]int{true: 99}[i == 0], 5})
	}
	f := figure(t, observed(&watch.Observed{Series: s}), "work-time", "work-time")
	require.Len(t, f.Series, 1)
	require.Equal(t, "B", f.Series[0].Name)
}

// A wait is cut where its sender began.
func TestGantt(t *testing.T) {
	o := &watch.Observed{Details: []watch.Detail{{Where: "Ranks", Name: "intervals", JSONTable: watch.JSONTable{
		Columns: []string{"rank", "from", "begin", "sent", "end"},
		Rows:    [][]any{{0, -1, 0.0, 0.0, 5.0}, {1, 0, 2.0, 6.0, 9.0}},
	}}}}
	f := figure(t, observed(o), "gantt", "gantt")
	require.Equal(t, []string{"rank 0", "rank 1"}, f.Lanes)
	require.Equal(t, []int{0, 1, 2}, f.Slices.Kind)
	require.Equal(t, chart.Numbers{5, 4, 3}, f.Slices.Span)
	few := &chart.Slices{Kinds: []string{"a", "b", "c"}, Colors: []string{"1", "2", "3"}, Kind: []int{2, 0, 2}}
	usedKinds(few)
	require.Equal(t, &chart.Slices{Kinds: []string{"a", "c"}, Colors: []string{"1", "3"}, Kind: []int{1, 0, 1}}, few)
	f = figure(t, observed(o), "late-senders", "late-senders")
	require.Equal(t, []float64{100 * 4.0 / 18, 100 * 3.0 / 18}, []float64{f.Series[0].Y[0], f.Series[1].Y[0]}, "of two ranks of 9 ns")
	require.NotContains(t, f.Note, "are kept")
	d := run("", metric("Ranks", "total_time", 15, stats.NS))
	d.Run.Observed = o
	for _, name := range []string{"gantt", "late-senders"} {
		require.Contains(t, figure(t, d, name, name).Note, " The intervals that are kept end after 60 % of the time")
	}
	d.Run.Metrics[0].Value = 9
	require.NotContains(t, figure(t, d, "gantt", "gantt").Note, "are kept")
}

// Routers of a group stand together; parallel channels are one line, of the busiest.
func TestTopology(t *testing.T) {
	o := &watch.Observed{Details: []watch.Detail{{Where: "Net", Name: "channels", JSONTable: watch.JSONTable{
		Columns: []string{"router", "port", "to", "class", "busy", "flits"},
		Rows: [][]any{{0, 0, "terminal 0", "terminal", 5, 5}, {0, 1, "router 1", "local", 9, 9}, {0, 2, "router 1", "local", 4, 4},
			{1, 0, "router 0", "local", 1, 1}, {2, 0, "router 0", "global", 7, 7}, {5, 0, "router 4", "local", 0, 0}},
	}}}}
	f := figure(t, observed(o), "topology", "topology")
	require.Len(t, f.Nodes, 6)
	require.Equal(t, []string{"group 0", "group 0", "group 1"}, []string{f.Nodes[0].Group, f.Nodes[1].Group, f.Nodes[2].Group})
	require.Equal(t, chart.Edge{From: 0, To: 1, Text: "busiest of 2 channels", Value: 9}, f.Edges[0])
	require.Len(t, f.Edges, 4)
	near := func(a, b int) float64 {
		dx, dy := f.Nodes[a].X-f.Nodes[b].X, f.Nodes[a].Y-f.Nodes[b].Y
		return dx*dx + dy*dy
	}
	require.Less(t, near(0, 1), near(0, 2)+near(0, 3))
	f = figure(t, observed(o), "channels", "channels")
	require.Equal(t, chart.Numbers{9, 4, 1, 0}, f.Series[1].Y)
}
