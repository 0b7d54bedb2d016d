package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/stats"
)

func TestBottleneckNamesWhatHolds(t *testing.T) {
	cycles := func(name string, v float64) stats.Metric {
		return stats.Metric{Phase: "all", Where: "Core", Name: name, Value: v, Unit: stats.Cycle}
	}
	layers := &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "cycles", Unit: stats.Cycle}}}
	layers.Append("conv1", uint64(75))
	layers.Append("fc", uint64(25))
	for _, c := range []struct {
		ms   []stats.Metric
		want string
	}{
		{[]stats.Metric{cycles("compute_cycles", 80), cycles("stall_wait_ifmap_cycles", 20)},
			"Compute is the bottleneck: cores compute 80.0 % of their cycles and wait for memory 20.0 %; layer conv1 takes 75.0 % of all layer cycles."},
		{[]stats.Metric{cycles("compute_cycles", 30), cycles("stall_wait_filter_cycles", 60), cycles("stall_store_cycles", 10)},
			"Memory is the bottleneck: cores wait for it 70.0 % of their cycles, mostly waiting for weights from memory, and compute 30.0 %; layer conv1 takes 75.0 % of all layer cycles."},
		{[]stats.Metric{cycles("compute_cycles", 40), cycles("stall_wait_filter_cycles", 30), cycles("stall_store_cycles", 30)},
			"Memory is the bottleneck: cores wait for it 60.0 % of their cycles and compute 40.0 %; layer conv1 takes 75.0 % of all layer cycles."},
		{[]stats.Metric{cycles("compute_cycles", 40), cycles("stall_dependency_cycles", 50), cycles("stall_store_cycles", 10)},
			"Cores spend most cycles (50.0 %) waiting for other cores; layer conv1 takes 75.0 % of all layer cycles."},
	} {
		require.Equal(t, c.want, bottleneck(c.ms, layers))
	}
	require.Empty(t, bottleneck(nil, layers))
}
