package stats

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGroupReadsAtTheEnd(t *testing.T) {
	var hits uint64
	g := NewGroup("L2[0]")
	g.Count("hits", Request, "Requests served from the cache.", &hits)
	g.Value("hit_rate", Percent, "Share of requests that hit.", func() (float64, bool) { return 0, false })
	hits = 3
	require.Equal(t, []Metric{{"all", "L2[0]", "hits", 3, Request, "Requests served from the cache."}}, g.Metrics())
	require.Equal(t, []string{"hits", "hit_rate"}, []string{g.Declared()[0].Name, g.Declared()[1].Name}, "an undefined one too")
	require.Panics(t, func() { g.Count("hits", One, "again", &hits) })
	c := g.Counters()
	require.Len(t, c, 1)
	require.Equal(t, "hits", c[0].Name)
	require.Same(t, &hits, c[0].N)
}

func TestVerifyNamesTheComponent(t *testing.T) {
	g := NewGroup("Core")
	g.Check("stalls add up", func() error { return errors.New("7 of 8") })
	require.EqualError(t, g.Verify()[0], "Core: stalls add up: 7 of 8")
}

func TestTableRefusesRaggedRows(t *testing.T) {
	tb := Table{Columns: []Column{{Name: "layer"}, {Name: "cycles", Unit: Cycle}}}
	tb.Append("conv1", uint64(7))
	require.Equal(t, 1, tb.Index("cycles"))
	require.Equal(t, -1, tb.Index("stalls"))
	require.Panics(t, func() { tb.Append("conv2") })
}

// Every cause is declared once, has a colour of its own or that of a cause of other
// kinds of cores, and a metric name that the reports find.
func TestCauses(t *testing.T) {
	require.Equal(t, ComputeCycles, Causes[slices.IndexFunc(Causes, func(c Cause) bool { return c.Words != "" })].Metric, "computing comes first")
	for i, c := range Causes {
		require.Equal(t, i, CauseIndex(c.Metric), "%s twice", c.Metric)
		require.True(t, strings.HasSuffix(c.Metric, "_cycles"), c.Metric)
		require.EqualValues(t, 255, c.Color.A, c.Metric)
		require.Equal(t, strings.HasPrefix(c.Words, "waiting") || c.Metric == "stall_overhead_cycles", strings.HasPrefix(c.Metric, StallPrefix), c.Metric)
	}
	require.Equal(t, len(Causes), CauseIndex("nobody_cycles"))
}
