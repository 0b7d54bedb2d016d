package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// Of many metrics a terminal shows those of the whole, the headlines of each node, and a few
// of a node that has none; of few it shows all.
func TestMetricsOfManyAreADigest(t *testing.T) {
	r := &result.Result{Status: result.Complete, Config: []byte("nodes: [{name: Net, kind: memory}]\n")}
	add := func(where, name string) {
		r.Metrics = append(r.Metrics, stats.Metric{Phase: "all", Where: where, Name: name, Value: 1, Unit: stats.One})
	}
	add("", "odd")
	add("Net", "read_latency_from_arrival_mean_ns")
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
	for _, name := range []string{"odd", "read_latency_from_arrival_mean_ns", "piece_0", "piece_2", "67 more metrics in metrics.csv"} {
		require.Contains(t, b.String(), name)
	}
	require.NotContains(t, b.String(), "part_")
	require.Equal(t, 3, strings.Count(b.String(), "piece_"))
}

// Where time goes is shown level by level where there are several, elements of arrays within
// groups under the name of their kind, each level with its own row.
func TestWaitsLevelByLevel(t *testing.T) {
	r := &result.Result{Status: result.Complete}
	add := func(where, name string, v float64, u stats.Unit) {
		r.Metrics = append(r.Metrics, stats.Metric{Phase: "all", Where: where, Name: name, Value: v, Unit: u})
	}
	for chip := range 2 {
		at := fmt.Sprintf("Chip[%d].", chip)
		for core := range 2 {
			name := fmt.Sprintf("%sCore[%d]", at, core)
			add(name, "compute_cycles", 60, stats.Cycle)
			add(name, "stall_wait_filter_cycles", float64(40*chip), stats.Cycle)
			add(name, "energy", 5, stats.PJ)
		}
		add(at+"LLC", "latency_mean", float64(100+100*chip), stats.NS)
		add(at+"LLC", "mshr_waits", 5, stats.One)
		add(at+"LLC", "accesses", 50, stats.One)
	}
	require.Nil(t, Waits(r.Metrics), "a cache alone")
	add("Root", "load_latency_mean", 300, stats.NS)
	add("Root", "load_link_queue_mean", 7, stats.NS)
	add("Net", "message_latency_mean", 99, stats.Cycle)
	var b bytes.Buffer
	Summary(&b, r)
	for _, want := range []string{
		`Chip\.Core \(4\) +energy +5 +pJ`, `Chip\.Core +computing +75 +% of cycles`, `Chip\.Core +waiting for weights from memory +25 `,
		`Chip\.LLC +accesses that waited for an MSHR, of all +10 +%`, `Chip\.LLC +time of a request +150 +ns`,
		`Root +of it, waiting for a link +7 +ns`, `Net +time of a message +99 +cycle`,
	} {
		require.Regexp(t, want, b.String())
	}
}
