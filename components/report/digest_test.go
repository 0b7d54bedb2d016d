package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/stats"
)

// Of many metrics a terminal shows those of the whole, the telling ones of each node, and a
// few of a node that has none; of few it shows all.
func TestMetricsOfManyAreADigest(t *testing.T) {
	r := &experiment.Result{Status: experiment.Complete}
	add := func(where, name string) {
		r.Metrics = append(r.Metrics, stats.Metric{Phase: "all", Where: where, Name: name, Value: 1, Unit: stats.One})
	}
	add("", "odd")
	add("Net", "read_latency_from_accept_mean_ns")
	for i := range 50 {
		add("Net", fmt.Sprintf("part_%d", i))
	}
	var b bytes.Buffer
	Summary(&b, r)
	require.Contains(t, b.String(), "part_49")
	require.NotContains(t, b.String(), "more metrics")
	for i := range 20 {
		add("Odd", fmt.Sprintf("piece_%d", i))
	}
	b.Reset()
	Summary(&b, r)
	for _, name := range []string{"odd", "read_latency_from_accept_mean_ns", "piece_0", "piece_2", "67 more metrics in metrics.csv"} {
		require.Contains(t, b.String(), name)
	}
	require.NotContains(t, b.String(), "part_")
	require.Equal(t, 3, strings.Count(b.String(), "piece_"))
}
