package panel

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/validation"
)

// figure draws a panel and returns its figure of that name.
func figure(t *testing.T, d *Data, panel, name string) chart.Figure {
	t.Helper()
	e, ok := All.Entry(panel)
	require.True(t, ok)
	for _, f := range e.New.Draw(d) {
		require.Contains(t, e.New.Names, f.Name)
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no figure %s of %s", name, panel)
	return chart.Figure{}
}

func run(config string, ms ...stats.Metric) *Data {
	return &Data{Run: &Run{Name: "r", Result: &result.Result{Status: result.Complete, Config: []byte(config), Metrics: ms}}}
}

func metric(where, name string, v float64, unit stats.Unit) stats.Metric {
	return stats.Metric{Phase: "all", Where: where, Name: name, Value: v, Unit: unit}
}

// No panel draws anything of nothing, and none fails.
func TestNothingIsDrawnOfNothing(t *testing.T) {
	for _, d := range []*Data{{}, run(""), {Sweep: &Sweep{Points: &stats.Table{}}}, {Study: &Study{}}, {Runs: make([]Run, 1)}} {
		require.Empty(t, Draw(d))
	}
}

// Parts of an owner and the rest add up to what it owns.
func TestEnergy(t *testing.T) {
	d := run("", metric("Core", "energy", 10, stats.PJ), metric("Core", "energy_mac", 6, stats.PJ), metric("Core", "energy_sram", 1, stats.PJ), metric("Mem", "energy", 4, stats.PJ))
	f := figure(t, d, "energy", "energy")
	require.Equal(t, []string{"Core", "Mem"}, f.X.Labels)
	require.Equal(t, []chart.Series{
		{Name: "mac", Color: "#0072b2", Y: chart.Numbers{6, 0}}, {Name: "sram", Color: "#009e73", Y: chart.Numbers{1, 0}}, {Name: "rest", Color: "#999999", Y: chart.Numbers{3, 4}},
	}, f.Series)
}

// An owner has one colour in all figures; those without one have what the others leave.
func TestOwnersHaveOneColour(t *testing.T) {
	require.Equal(t, []string{"#009e73", "#e69f00", "#cc79a7", "#0072b2"}, ownerColors([]string{"sram", "activate", "vector", "mac"}))
}

// Layers of nodes of unlike clocks are drawn in time, and of many those that begin first.
func TestLayersOverTime(t *testing.T) {
	d := run("nodes: [{name: Fast, kind: gpu, clock: 2GHz}, {name: Slow, kind: nic, clock: 1GHz}]")
	d.Run.Layers = &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "type"}, {Name: "start"}, {Name: "cycles"}, {Name: "where"}}}
	d.Run.Layers.Append("a", "gemm", uint64(0), uint64(10), "Fast[0]")
	d.Run.Layers.Append("a.send", "transfer", uint64(5), uint64(10), "Slow[0]")
	f := figure(t, d, "schedule", "schedule")
	require.Equal(t, "ns", f.X.Unit)
	require.Equal(t, [2]chart.Numbers{{0, 5}, {5, 10}}, [2]chart.Numbers{f.Slices.Begin, f.Slices.Span})
	require.Equal(t, []int{0, 2}, earliest([]float64{1, 9, 1}, 2))
	d.Run.Config = []byte("nodes: [{name: Fast, kind: gpu, clock: 2GHz}, {name: Slow, kind: nic}]")
	require.Equal(t, "cycle", figure(t, d, "schedule", "schedule").X.Unit, "a clock that is not named")
}

// Receives of an interface wait at once: they have no share of the cycles.
func TestOperatorsLeaveTransfersOut(t *testing.T) {
	d := run("")
	d.Run.Layers = &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "type"}, {Name: "cycles"}}}
	d.Run.Layers.Append("a", "gemm", uint64(30))
	d.Run.Layers.Append("b", "norm", uint64(10))
	d.Run.Layers.Append("recv", "transfer", uint64(1000))
	f := figure(t, d, "operators", "operators")
	require.Equal(t, []chart.Series{{Name: "gemm", Y: chart.Numbers{75}}, {Name: "norm", Y: chart.Numbers{25}}}, f.Series)
	require.Contains(t, f.Note, "Without transfers")
}

// Channels are busy for a share of the run where the clock of their network is known.
func TestChannelsAreBusyForAShare(t *testing.T) {
	d := run("nodes: [{name: Net, kind: network, clock: 2GHz}]")
	net := cause.New("Net", cause.Network)
	net.Add("local", "carrying flits", 60)
	hosts := cause.New("Hosts", cause.Player)
	hosts.Nodes = 16 // times of the tree are those of all nodes
	d.Run.Causes = cause.Join(100, []*cause.Tree{hosts, net})
	f := chart.Figure{}
	f.Series = []chart.Series{{Y: chart.Numbers{50, 200}}}
	shareOfRun(&f, &f.Y, d.Run.cyclesOfAll([]string{"Net"}))
	require.Equal(t, chart.Numbers{25, 100}, f.Series[0].Y)
	require.Equal(t, "%", f.Y.Unit)
	require.Zero(t, d.Run.cyclesOfAll([]string{"Net", "Other"}))
}

// What is nominal of an element is its part of what the array moves at most, or its metric.
func TestPeakBandwidth(t *testing.T) {
	d := run("", metric("Mem[0]", "bandwidth", 1, stats.GBps), metric("Mem[1]", "bandwidth", 2, stats.GBps), metric("Core", "peak_bandwidth", 7, stats.GBps))
	d.Run.Observed = &watch.Observed{Peaks: map[string]float64{"Mem.moved_bytes": 10}}
	require.Equal(t, [3]float64{5, 7, 0}, [3]float64{d.Run.PeakBandwidth("Mem[1]"), d.Run.PeakBandwidth("Core"), d.Run.PeakBandwidth("Driver")})
}

// Who asks stands on the left of who answers, also behind a ring of links.
func TestSystem(t *testing.T) {
	f := figure(t, run(`
nodes:
  - {name: Mem, kind: memory, grade: hbm2e, channels: 8}
  - {name: Core, kind: systolic, count: 4, rows: 8, cols: 16}
  - {name: LLC, kind: cache, policy: {name: srrip}}
  - {name: Alone, kind: driver}
links:
  - Core -> LLC.top
  - {link: "LLC.bottom[0..3] -> Mem", latency: 10ns}
  - Mem -> LLC.top
`), "system", "system")
	x := map[string]float64{}
	for _, n := range f.Nodes {
		x[n.Name] = n.X
	}
	require.Zero(t, x["Core x 4"])
	require.Less(t, x["Core x 4"], x["LLC"])
	require.Equal(t, []string{"systolic", "8 x 16"}, f.Nodes[1].Lines)
	require.Equal(t, "10ns", f.Edges[1].Text)
	require.Len(t, f.Edges, 3)
}

func swept(rows int) *Data {
	t := &stats.Table{Columns: []stats.Column{{Name: "point"}, {Name: "identity"}, {Name: "status"}, {Name: "set:rows", Unit: "1"}, {Name: "set:flow"}, {Name: "total_time", Unit: "1"}, {Name: "energy", Unit: "1"}, {Name: "twice", Unit: "1"}}}
	for i := range rows {
		for _, flow := range []string{"os", "ws"} {
			time, power := 100/float64(i+1), float64(10*i+1)
			if flow == "ws" {
				time, power = time*2, power*3
			}
			t.Append(fmt.Sprint(len(t.Rows)), "id", "complete", float64(8*(i+1)), flow, time, power, 2*time)
		}
	}
	return &Data{Sweep: &Sweep{Name: "s", Points: t}}
}

// The front is of the designs that no other beats: here all with os, and none with ws.
func TestPareto(t *testing.T) {
	f := figure(t, swept(5), "pareto", "pareto")
	require.Len(t, f.Series[0].X, 10)
	front := f.Series[2]
	require.Len(t, front.X, 5)
	for _, l := range front.Labels {
		require.Contains(t, l, "flow: os")
	}
	require.True(t, f.X.Unit == "" && f.X.Name == "total_time")
	d := swept(5)
	d.Sweep.Pareto = &stats.Table{Columns: []stats.Column{{Name: "point"}, {Name: "identity"}, {Name: "set:rows"}, {Name: "energy"}, {Name: "total_time"}}, Rows: [][]any{{"3", "id", 16.0, 33.0, 100.0}}}
	f = figure(t, d, "pareto", "pareto")
	require.Equal(t, "energy", f.X.Name, "objectives are those of pareto.csv")
	require.Equal(t, chart.Numbers{33}, f.Series[2].X)
}

// An objective that does not vary is no axis; a third one is said of each dot. Values of a
// setting stand in their order, in whatever order a search met them.
func TestParetoOfASearch(t *testing.T) {
	d := swept(5)
	t0 := d.Sweep.Points
	t0.Columns = append(t0.Columns, stats.Column{Name: "area", Unit: "1"})
	for i := range t0.Rows {
		t0.Rows[i] = append(t0.Rows[i], 7.0)
	}
	t0.Rows[0], t0.Rows[8] = t0.Rows[8], t0.Rows[0]
	d.Sweep.Pareto = &stats.Table{Columns: []stats.Column{{Name: "point"}, {Name: "set:rows"}, {Name: "total_time"}, {Name: "area"}, {Name: "energy"}, {Name: "twice"}}, Rows: [][]any{{"3", 16.0, 100.0, 7.0, 33.0, 200.0}}}
	f := figure(t, d, "pareto", "pareto")
	require.Equal(t, []string{"total_time", "energy"}, []string{f.X.Name, f.Y.Name})
	require.Equal(t, []string{"designs", "front of the two axes", "front of 3 objectives", "front of the two axes"}, []string{f.Series[0].Name, f.Series[1].Name, f.Series[2].Name, f.Series[3].Name})
	require.True(t, f.Series[1].Line)
	require.Contains(t, f.Series[2].Labels[0], "\ntwice: 200")
	require.Len(t, f.Series[3].X, 5, "the designs with os")
	require.Equal(t, []string{"8", "16", "24", "32", "40"}, figure(t, d, "heat", "heat-1").X.Labels)
}

func TestSweepFigures(t *testing.T) {
	d := swept(6)
	f := figure(t, d, "parallel", "parallel")
	require.Equal(t, "total_time", f.Dims[len(f.Dims)-1].Name, "the first metric colours")
	require.Equal(t, []string{"os", "ws"}, f.Dims[1].Labels)
	f = figure(t, d, "heat", "heat-1")
	require.Len(t, f.Cells, 12)
	require.Equal(t, chart.Cell{X: 0, Y: 1, Value: 200}, f.Cells[1])
	f = figure(t, d, "curves", "curves-1")
	require.Equal(t, []string{"os", "ws"}, []string{f.Series[0].Name, f.Series[1].Name})
	require.Equal(t, chart.Numbers{8, 16, 24, 32, 40, 48}, f.Series[0].X)
	require.Equal(t, 100.0, f.Series[0].Y[0])
	f = figure(t, d, "sensitivity", "sensitivity")
	require.Equal(t, "rows", f.X.Labels[0], "what moves the metric most comes first")
	d.Sweep.Sensitivity = &stats.Table{Columns: []stats.Column{{Name: "axis"}, {Name: "metric"}, {Name: "unit"}, {Name: "first_order"}}, Rows: [][]any{{"rows", "energy", "pJ", 0.25}, {"flow", "energy", "pJ", 0.75}}}
	f = figure(t, d, "sensitivity", "sensitivity")
	require.Equal(t, []string{"flow", "rows"}, f.X.Labels)
	require.Equal(t, chart.Numbers{75, 25}, f.Series[0].Y)
}

// The best design by an objective has the best value of all points, held against the first point.
func TestWinners(t *testing.T) {
	d := swept(4)
	all := d.Sweep.Winners()
	require.NotEmpty(t, all)
	for _, w := range all {
		at := d.Sweep.Points.Index(w.Metric)
		for _, row := range d.Sweep.Points.Rows {
			v := stats.Number(row[at])
			require.True(t, d.Sweep.larger(w.Metric) && w.Value >= v || !d.Sweep.larger(w.Metric) && w.Value <= v, w.Metric)
		}
		require.Equal(t, stats.Number(d.Sweep.Points.Rows[0][at]), w.Base)
		require.NotEmpty(t, w.Settings)
	}
	d.Sweep.Points.Rows = d.Sweep.Points.Rows[:1]
	require.Empty(t, d.Sweep.Winners(), "one point wins over none")
}

// The knee is the design of the front that is farthest below the line between its ends, and what to
// try next is more of a setting whose last value still gained.
func TestKneeAndNext(t *testing.T) {
	columns := []stats.Column{{Name: "point"}, {Name: "set:rows", Unit: "1"}, {Name: "set:flow"}, {Name: "total_time", Unit: "ns"}, {Name: "energy", Unit: "pJ"}}
	points := &stats.Table{Columns: columns, Rows: [][]any{
		{"0", 8.0, "os", 1000.0, 10.0}, {"1", 16.0, "os", 300.0, 12.0}, {"2", 32.0, "os", 200.0, 40.0}, {"3", 64.0, "os", 199.0, 100.0}, {"4", 64.0, "ws", 900.0, 120.0},
	}}
	s := &Sweep{Points: points, Pareto: &stats.Table{Columns: columns, Rows: points.Rows[:4]}}
	k, ok := s.Knee()
	require.True(t, ok)
	require.Equal(t, []any{"point 1", 300.0, 12.0}, []any{k.Point, k.Value, k.Second.Value})
	require.Equal(t, []string{"rows 16", "flow os"}, k.Settings)
	require.Empty(t, s.Next(), "64 rows gain half a percent over 32")
	points.Rows[3][3] = 100.0
	require.Equal(t, []string{"rows 64 is the last value tried, and 2.00 times better than 32: try larger ones"}, s.Next())
	s.Pareto.Rows = points.Rows[:2]
	_, ok = s.Knee()
	require.False(t, ok, "two designs have no knee")
	s.Pareto = nil
	_, ok = s.Knee()
	require.False(t, ok)
}

// A line of latencies ends before the load at which the network is saturated, and carries
// the intervals of the means.
func TestCurvesEndAtSaturation(t *testing.T) {
	m := &stats.Table{Columns: []stats.Column{{Name: "point"}, {Name: "runs"}, {Name: "set:load", Unit: "1"}, {Name: "T.packet_latency_mean@measure", Unit: "1"}, {Name: "T.packet_latency_mean@measure" + sweep.CISuffix, Unit: "1"}, {Name: "T.saturated@measure", Unit: "1"}}}
	m.Append("0", 3.0, 0.1, 20.0, 1.0, 0.0)
	m.Append("1", 3.0, 0.2, 25.0, 2.0, 0.0)
	m.Append("2", 3.0, 0.3, 900.0, 50.0, 1.0)
	f := figure(t, &Data{Sweep: &Sweep{Points: m, Means: m}}, "curves", "curves-1")
	require.Equal(t, []chart.Series{{Name: "all", X: chart.Numbers{0.1, 0.2}, Y: chart.Numbers{20, 25}, Half: chart.Numbers{1, 2}}}, f.Series)
	require.Contains(t, f.Note, "saturated")
}

func TestVersus(t *testing.T) {
	d := run("", metric("", "total_time", 10, stats.NS), metric("", "energy", 30, stats.PJ))
	d.Base = run("", metric("", "total_time", 20, stats.NS), metric("", "energy", 30, stats.PJ)).Run
	d.Base.Name = "before"
	f := figure(t, d, "versus", "versus")
	require.Equal(t, []string{"total_time", "energy"}, f.X.Labels)
	require.Equal(t, chart.Numbers{0.5, 1}, f.Series[0].Y)
	f = figure(t, d, "versus-most", "versus-most")
	require.Equal(t, chart.Numbers{-1}, f.Series[0].Y, "what is equal does not differ")
}

func TestStudies(t *testing.T) {
	row := func(published, simulated float64, label string, ok bool) validation.Row {
		return validation.Row{Study: "s", Published: published, Simulated: simulated, Label: label, OK: ok}
	}
	d := &Data{Study: &Study{Reports: []*validation.Report{{Study: &validation.Study{Name: "s"}, Rows: []validation.Row{
		row(100, 110, "measured", true), row(50, 49.75, "exact", true), row(10, 20, "measured", false), {Study: "s", Label: "exact", NoInput: true, Problem: "no file"},
	}}}}}
	f := figure(t, d, "published", "published")
	require.Len(t, f.Series, 3)
	require.Equal(t, chart.Numbers{100, 10}, f.Series[1].X)
	f = figure(t, d, "errors", "errors")
	require.InDelta(t, (10+0.5+100)/3.0, f.Series[0].Y[0], 1e-9)
	require.Equal(t, 100.0, f.Series[1].Y[0])
	f = figure(t, d, "verdicts", "verdicts")
	require.Equal(t, []float64{2, 1, 1}, []float64{f.Series[0].Y[0], f.Series[1].Y[0], f.Series[2].Y[0]})
	f = figure(t, d, "error-spread", "error-spread")
	require.Equal(t, []string{"measured", "exact"}, []string{f.Series[0].Name, f.Series[1].Name})
}

// A group of measured rows is a figure: rows fitted on, others and those of carried kernels apart. A
// row without a time is no dot.
func TestMeasuredGroups(t *testing.T) {
	row := func(measurement, set string, measured, simulated float64) validation.Measured {
		return validation.Measured{Measurement: measurement, Row: "x", Set: set, Measured: measured, Simulated: simulated, Found: simulated > 0}
	}
	d := &Data{Study: &Study{Reports: []*validation.Report{{Study: &validation.Study{Name: "s"}, Measured: []validation.Measured{
		row("a100_gemm", "fitted", 100, 110), row("a100_gemm", "other", 200, 100), row("a100_gemm", "other", 50, 55), row("a100_gemm", "other", 10, 0),
		row("a100_gemm_carried", "carried", 1000, 3000), row("h100_gemm", "other", 7, 7),
	}}}}}
	all := measuredGroups(d)
	require.Len(t, all, 2)
	f := all[0]
	require.Equal(t, "s: a100 gemm", f.Title)
	var names []string
	for _, x := range f.Series {
		names = append(names, x.Name)
	}
	require.Equal(t, []string{"equal", "fitted, median error 10.0 %", "other, median error 30.0 %", "carried, median error 200.0 %"}, names)
	require.Equal(t, chart.Numbers{50, 3000}, f.Series[0].X, "the line goes through all dots")
	require.Equal(t, chart.Numbers{200, 50}, f.Series[2].X)
	require.True(t, f.X.Log && f.Y.Log)
	require.Empty(t, measuredGroups(&Data{}))
}

// Rows of the layer table that belong to ranks are no layers: no picture of layers has them.
func TestRanksAreNoLayers(t *testing.T) {
	d := run("")
	layers := &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "type"}, {Name: "start", Unit: stats.Cycle}, {Name: "cycles", Unit: stats.Cycle}, {Name: stats.ComputeCycles, Unit: stats.Cycle}, {Name: "energy_mac", Unit: stats.PJ}, {Name: "where"}, {Name: "rank"}}}
	layers.Append("conv1", "conv", int64(0), int64(7), int64(7), 1.0, "Core", nil)
	layers.Append("fc", "gemm", int64(7), int64(3), int64(3), 1.0, "Core", nil)
	layers.Append(nil, nil, nil, nil, nil, nil, "Program", int64(0))
	d.Run.Layers = layers
	require.Equal(t, []string{"Core"}, figure(t, d, "schedule", "schedule").Lanes)
	require.Len(t, figure(t, d, "operators", "operators").Series, 2)
	require.Equal(t, []string{"conv1", "fc"}, figure(t, d, "energy-layers", "energy-layers").X.Labels)
	require.Equal(t, []string{"conv1", "fc"}, figure(t, d, "stalls", "stalls").X.Labels)
}
