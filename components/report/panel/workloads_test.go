package panel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/stats"
)

// Of a sweep over workloads each has its own best designs, base and front.
func TestByWorkload(t *testing.T) {
	points := &stats.Table{Columns: []stats.Column{{Name: "point"}, {Name: "status"}, {Name: "set:net"}, {Name: "set:width"}, {Name: "time", Unit: stats.NS}, {Name: "cost", Unit: stats.One}}}
	for i, r := range [][]any{{"small", "1", 10., 1.}, {"small", "2", 4., 2.}, {"large", "1", 100., 1.}, {"large", "2", 90., 2.}} {
		points.Rows = append(points.Rows, append([]any{int64(i), "complete"}, r...))
	}
	s := &Sweep{Points: points}
	s.Facts.Workloads = []string{"net"}
	s.Facts.Best = []struct{ Objective, Goal string }{{"time", "min"}, {"cost", "min"}}
	s.Pareto = &stats.Table{Columns: append(points.Columns[:1:1], points.Columns[2:]...)}
	for _, r := range points.Rows {
		s.Pareto.Rows = append(s.Pareto.Rows, append(r[:1:1], r[2:]...))
	}
	parts := s.ByWorkload()
	require.Len(t, parts, 2)
	require.Equal(t, []string{"net small", "net large"}, []string{parts[0].Name, parts[1].Name})
	w := parts[1].Winners()[0]
	require.Equal(t, "point 3", w.Point)
	require.Equal(t, 100., w.Base)
	require.Equal(t, []string{"width 2"}, parts[1].Machine(w.Settings))
	best := s.BestTable(10)
	require.Len(t, best.Rows, 6, "a base and two designs of each")
	kept, err := s.Where([]Condition{{"time", ">= 10"}})
	require.NoError(t, err)
	require.Len(t, kept.Pareto.Rows, 3, "a front of each workload")
	f := pareto(&Data{Sweep: s})[0]
	require.Equal(t, []string{"net small", "net small", "net large", "net large"}, []string{f.Series[0].Name, f.Series[1].Name, f.Series[2].Name, f.Series[3].Name})
	s.Facts.Workloads = nil
	require.Len(t, s.ByWorkload(), 1)
}
