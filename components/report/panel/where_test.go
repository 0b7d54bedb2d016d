package panel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/stats"
)

// A filter leaves the points that meet all conditions in every table, and the front of these.
func TestWhere(t *testing.T) {
	s := swept(5).Sweep // rows 8 to 40 with os and with ws, which os beats
	s.Pareto = &stats.Table{Columns: []stats.Column{{Name: "point"}, {Name: "set:rows"}, {Name: "total_time"}, {Name: "energy"}}}
	s.Sensitivity = &stats.Table{}
	count := func(conditions ...Condition) int {
		w, err := s.Where(conditions)
		require.NoError(t, err)
		return len(w.Points.Rows)
	}
	require.Equal(t, 10, count())
	require.Equal(t, 5, count(Condition{"set:flow", "os"}))
	require.Equal(t, 10, count(Condition{"set:flow", "os, ws"}))
	require.Equal(t, 6, count(Condition{"set:rows", "16..32"}))
	require.Equal(t, 3, count(Condition{"set:rows", "16..32"}, Condition{"set:flow", "ws"}))
	require.Equal(t, 2, count(Condition{"set:rows", "< 16"}))
	require.Equal(t, 4, count(Condition{"set:rows", "<= 16"}))
	require.Equal(t, 2, count(Condition{"set:rows", ">32"}))
	require.Equal(t, 0, count(Condition{"set:rows", "7"}))

	s.Facts.Columns = []struct{ Name, Unit string }{{"total_time", "ns"}}
	require.Equal(t, 3, count(Condition{"total_time", "<= 33.4ns"}), "20, 25 and 33.3 ns with os; 40 ns and more with ws")
	require.Equal(t, 3, count(Condition{"total_time", "0.00001us .. 0.0334us"}))
	require.Equal(t, 3, count(Condition{"total_time", "< 33.4"}))
	w, err := s.Where([]Condition{{"set:flow", "ws"}})
	require.NoError(t, err)
	require.Len(t, w.Pareto.Rows, 5, "nothing is left that beats them")
	require.Nil(t, w.Sensitivity)
	all, err := s.Where(nil)
	require.NoError(t, err)
	require.Len(t, all.Pareto.Rows, 5)
	require.Len(t, s.Points.Rows, 10, "the sweep itself stays")
	require.Equal(t, 10, count(Condition{"total_time", "< 1,000,000"}))
	require.Equal(t, 0, count(Condition{"total_time", "1,000 .. 1,000,000ns"}))
	require.Equal(t, 1, count(Condition{"total_time", "20, 7.5"}), "numbers are compared as numbers")
	require.Equal(t, 1, count(Condition{"total_time", "0.02us"}))
	require.Zero(t, count(Condition{"total_time", "2"}))

	// What misses the constraints is on no front, whatever the filter leaves.
	s.Facts.Misses = []int{0, 1, 2}
	all, err = s.Where(nil)
	require.NoError(t, err)
	for _, row := range all.Pareto.Rows {
		require.NotContains(t, []any{0, 1, 2}, row[0])
	}
	s.Facts.Misses = nil
	for _, c := range []Condition{{"set:rows", "8..x"}, {"set:rows", "< 2ms"}, {"set:rows", ""}, {"none", "8"}, {"total_time", "< 2GB"}} {
		_, err := s.Where([]Condition{c})
		require.Error(t, err, c)
	}
	var names []string
	for _, by := range s.Filters() {
		names = append(names, by.Name)
	}
	require.Subset(t, names, []string{"rows", "flow", "total_time", "energy"})
}
