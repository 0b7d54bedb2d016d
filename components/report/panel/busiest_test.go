package panel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

// Channels are named from the busiest on; what waits is said of the channel that most wait for.
func TestBusiest(t *testing.T) {
	o := &watch.Observed{Details: []watch.Detail{{Where: "Net", Name: "channels", JSONTable: watch.JSONTable{
		Columns: []string{"router", "port", "to", "class", "busy", "flits", "stalls"},
		Rows:    [][]any{{0, 0, "terminal 0", "terminal", 5, 5, 0}, {0, 1, "router 1", "local", 9, 9, 1200}, {1, 0, "router 0", "local", 0, 0, 0}},
	}}}}
	f := figure(t, observed(o), "channels-busiest", "channels-busiest")
	require.Equal(t, []string{"router 0 to router 1, local", "router 0 to terminal 0"}, f.X.Labels)
	require.Equal(t, chart.Numbers{9, 5}, f.Series[0].Y)
	require.Equal(t, "All 2 that carried something. Packets waited longest for router 0 to router 1, local: 1.2 k cycles, summed over packets.", f.Note)
}

// The parts of a latency add up to its mean.
func TestNetworkStack(t *testing.T) {
	d := run("", metric("Net", "message_transit_mean", 30, stats.Cycle), metric("Net", "message_latency_mean", 50, stats.Cycle))
	f := figure(t, d, "network-stack", "network-stack")
	require.Equal(t, []chart.Numbers{{20}, {30}}, []chart.Numbers{f.Series[0].Y, f.Series[1].Y})
	require.True(t, f.Stack)
}

// A map is over the settings that move a metric most, whatever number of values others have.
func TestMapIsOfTheSettingsThatMatter(t *testing.T) {
	s := []setting{{path: "many", text: 0, values: []string{"1", "2", "3", "4"}}, {path: "strong", text: 1, values: []string{"1", "2"}}, {path: "middle", text: 2, values: []string{"1", "2"}}}
	var rows [][]any
	for _, a := range []string{"1", "2", "3", "4"} {
		for i, b := range []string{"1", "2"} {
			for k, c := range []string{"1", "2"} {
				rows = append(rows, []any{a, b, c, 100 + 50*float64(i) + 10*float64(k)})
			}
		}
	}
	x, y := byEffect(rows, 3, s)
	require.Equal(t, []string{"strong", "middle"}, []string{x.path, y.path})
}
