package panel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

// Power is energy over the time of an interval, the limit that of all elements; a clock is a mean over the time in
// which chips work, and only chips that slow down have a line.
func TestPowerAndClock(t *testing.T) {
	d := observed(&watch.Observed{Series: &watch.JSONTable{
		Columns: []string{"time", "Chip.active_energy", "Chip.static_energy", "Chip.busy_time", "Chip.clocked_time", "Cool.static_energy", "Cool.busy_time", "Cool.clocked_time"},
		Rows:    [][]any{{10.0, 8e6, 2e6, 20.0, 15.0, 1e6, 5.0, 5.0}, {20.0, 0.0, 2e6, 0.0, 0.0, 1e6, 0.0, 0.0}, {40.0, 4e6, 4e6, 10.0, 10.0, 2e6, 10.0, 10.0}}}})
	for _, n := range []string{"Chip[0]", "Chip[1]", "Cool"} {
		d.Run.Metrics = append(d.Run.Metrics, stats.Metric{Phase: "all", Where: n, Name: "power_mean", Value: 1}, stats.Metric{Phase: "all", Where: n, Name: "power_limit", Value: 700})
	}
	f := figure(t, d, "power-time", "power-time")
	require.Equal(t, chart.Series{Name: "Chip", X: chart.Numbers{5, 15, 30}, Y: chart.Numbers{1000, 200, 400}}, f.Series[0])
	require.Equal(t, chart.Series{Name: "Chip limit: 1400 W", X: chart.Numbers{0, 30}, Y: chart.Numbers{1400, 1400}, Dash: true, Color: chart.Palette(0)}, f.Series[2])
	require.Equal(t, "Cool limit: 700 W", f.Series[3].Name)
	f = figure(t, d, "clock-time", "clock-time")
	require.Len(t, f.Series, 1)
	require.Equal(t, 75.0, f.Series[0].Y[0])
	require.True(t, f.Series[0].Y[1] != f.Series[0].Y[1], "nothing to do, no clock")
	require.Equal(t, 100.0, f.Series[0].Y[2])
}
