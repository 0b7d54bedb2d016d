package panel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

// Requests are counted from when they come until they are begun with, and from then on until
// they have their answer; one that has none stays.
func TestRequestsOverTime(t *testing.T) {
	d := run("")
	require.Empty(t, requests(d))
	d.Run.Requests = &stats.Table{Columns: []stats.Column{{Name: "request"}, {Name: "arrival"}, {Name: "scheduled"}, {Name: "first_token"}, {Name: "last_token"}}}
	d.Run.Requests.Append(int64(0), 0.0, 10.0, 20.0, 50.0)
	d.Run.Requests.Append(int64(1), 5.0, 10.0, 30.0, 40.0)
	d.Run.Requests.Append(int64(2), 20.0, nil, nil, nil)
	f := figure(t, d, "requests", "requests")
	require.Equal(t, chart.Numbers{0, 5, 10, 10, 20}, f.Series[0].X)
	require.Equal(t, chart.Numbers{1, 2, 1, 0, 1}, f.Series[0].Y)
	require.Equal(t, chart.Numbers{1, 2, 1, 0}, f.Series[1].Y)
	require.True(t, f.Series[0].Step && f.Series[1].Step, "nothing is between two counts")
	f = figure(t, d, "requests", "request-latency")
	require.Equal(t, chart.Numbers{20, 25}, f.Series[0].X)
	require.Equal(t, chart.Numbers{35, 50}, f.Series[1].X)
	require.InDelta(t, 100.0/3, f.Series[1].Y[0], 1e-9)
	d.Run.Requests.Columns = append(d.Run.Requests.Columns, stats.Column{Name: "begin"}, stats.Column{Name: "end"}, stats.Column{Name: "node"})
	for i, row := range d.Run.Requests.Rows {
		d.Run.Requests.Rows[i] = append(row, nil, nil, "Chat")
	}
	d.Run.Requests.Append(int64(3), 0.0, nil, nil, nil, 1.0, 9.0, "Jobs")
	f = figure(t, d, "requests", "request-latency")
	require.Equal(t, []string{"Chat: first token", "Chat: answer", "Jobs: answer"}, []string{f.Series[0].Name, f.Series[1].Name, f.Series[2].Name})
	require.Equal(t, chart.Numbers{100}, f.Series[2].Y, "of the requests of its node")
	require.InDelta(t, 100.0/3, f.Series[0].Y[0], 1e-9)
	d.Run.Requests.Rows = d.Run.Requests.Rows[:1]
	require.Empty(t, requests(d), "a picture of one request says nothing")
}
