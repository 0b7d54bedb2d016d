package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

func TestSentence(t *testing.T) {
	ran := func(config string, time, compute, wait float64) *result.Result {
		m := func(where, name string, v float64, u stats.Unit) stats.Metric {
			return stats.Metric{Phase: "all", Where: where, Name: name, Value: v, Unit: u}
		}
		return &result.Result{Config: []byte(config), Metrics: []stats.Metric{
			m("", "total_time", time, stats.NS), m("Core", "compute_cycles", compute, stats.Cycle), m("Core", "stall_memory_cycles", wait, stats.Cycle)}}
	}
	a := ran("nodes:\n  - name: Core\n    rows: 64\n    dma: {burst: 1KiB}\n", 1000, 88, 12)
	b := ran("nodes:\n  - name: Core\n    rows: 128\n    dma: {burst: 1KiB}\n", 588, 52, 48)
	require.Equal(t, "Core.rows 64 -> 128: 1.7x faster; waiting for memory went from 12 to 48 % of the cycles.", sentence(a, b))
	require.Equal(t, "Core.rows 128 -> 64: 1.7x slower; waiting for memory went from 48 to 12 % of the cycles.", sentence(b, a))
	require.Equal(t, "Equal configurations: as fast.", sentence(a, a))
	c := ran("nodes:\n  - name: Core\n    rows: 1\n    cols: 2\n    dma: {burst: 2KiB, outstanding: 4}\n", 990, 88, 12)
	require.Equal(t, "Core.rows 64 -> 1, Core.dma.burst 1KiB -> 2KiB, Core.cols unset -> 2 and 1 more settings: 1.010x faster.", sentence(a, c))
	// What is left out keeps its default, which may be called none; a policy is one value with its settings.
	d := ran("nodes:\n  - name: Core\n    gemv: none\n    order: {name: ring, chunks: 1}\n", 1000, 88, 12)
	e := ran("nodes:\n  - name: Core\n    order: tree\n", 1000, 88, 12)
	require.Equal(t, "Core.gemv none -> unset, Core.order ring -> tree, Core.order.chunks 1 -> unset: as fast.", sentence(d, e))
	for _, r := range []*result.Result{a, b} {
		r.Metrics = []stats.Metric{{Phase: "all", Name: "energy", Value: r.Metrics[0].Value, Unit: stats.PJ}}
	}
	require.Equal(t, "Core.rows 64 -> 128: energy went from 1 nJ to 588 pJ.", sentence(a, b), "of runs without a time")
}
