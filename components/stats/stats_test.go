package stats

import (
	"errors"
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
