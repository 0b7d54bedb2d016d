package bottleneck

import (
	"regexp"
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
		require.Equal(t, c.want, ofCores(c.ms, layers))
	}
	require.Empty(t, ofCores(nil, layers))

	// A layer that waits for another core does not work: fc computes 25 of its 225 cycles.
	layers = &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "cycles", Unit: stats.Cycle}, {Name: stats.DependencyCycles, Unit: stats.Cycle}}}
	layers.Append("conv1", uint64(75), uint64(0))
	layers.Append("fc", uint64(225), uint64(200))
	require.Equal(t, "Cores spend most cycles (66.7 %) waiting for other cores; layer conv1 takes 75.0 % of all layer cycles.",
		ofCores([]stats.Metric{cycles("compute_cycles", 100), cycles(stats.DependencyCycles, 200)}, layers))
	only := &stats.Table{Columns: layers.Columns}
	only.Append("fc", uint64(200), uint64(200))
	require.Equal(t, "Cores spend most cycles (100.0 %) waiting for other cores.", ofCores([]stats.Metric{cycles(stats.DependencyCycles, 200)}, only))
}

// The rule at its edges: memory is the bottleneck where cores wait for it longer than
// they compute, and no shorter than for anything else.
func TestBottleneckRule(t *testing.T) {
	for _, c := range []struct {
		compute, ifmap, store, dependency float64
		want                              string
	}{
		{50, 50, 0, 0, "Compute is"},
		{50, 25, 25, 0, "Compute is"}, // not longer than they compute
		{50, 26, 25, 0, "Memory is"},
		{30, 20, 20, 40, "Memory is"}, // as long as for others
		{30, 20, 19, 40, "Cores spend most cycles (36.7 %) waiting for other cores"},
		{41, 20, 19, 40, "Compute is"},
		{0, 1, 0, 0, "Memory is"},
		{0, 0, 0, 1, "Cores spend most"},
		{10, 35, 0, 40, "Cores spend most"}, // more than they compute, less than for others
	} {
		var ms []stats.Metric
		for name, v := range map[string]float64{"compute_cycles": c.compute, "stall_wait_ifmap_cycles": c.ifmap, "stall_store_cycles": c.store, "stall_dependency_cycles": c.dependency} {
			ms = append(ms, stats.Metric{Phase: "all", Where: "Core", Name: name, Value: v, Unit: stats.Cycle})
		}
		require.Regexp(t, "^"+regexp.QuoteMeta(c.want), ofCores(ms, nil), "%+v", c)
	}
	// Cycles of the whole and of phases are not those of cores.
	require.Empty(t, ofCores([]stats.Metric{{Phase: "all", Name: "compute_cycles", Value: 1}, {Phase: "measure", Where: "Core", Name: "compute_cycles", Value: 1}}, nil))
}

// A memory that is busy for the whole run is the bottleneck although cores compute meanwhile; not
// one that is busy for a part of it only, or less of it than they compute.
func TestBottleneckIsABusyMemory(t *testing.T) {
	for _, c := range []struct {
		compute, busy, end float64
		want               string
	}{
		{57.3, 99.9, 1000, "Memory is the bottleneck: HBM uses 99.9 % of its bandwidth, while cores compute 57.3 % of their cycles and wait for memory 42.7 %."},
		{57.3, 95, 1000, "Memory is the bottleneck: HBM uses 95.0 %"},
		{57.3, 94.9, 1000, "Compute is the bottleneck: cores compute 57.3 %"},
		{57.3, 99.9, 1100, "Compute is the bottleneck: cores compute 57.3 %"}, // its requests end before the run
		{97, 96, 1000, "Compute is the bottleneck: cores compute 97.0 %"},
		{40, 99.9, 1000, "Memory is the bottleneck: cores wait for it 60.0 %"},
	} {
		ms := []stats.Metric{{Phase: "all", Name: "total_time", Value: c.end, Unit: stats.NS}}
		for name, v := range map[string]float64{"bandwidth": c.busy, "bandwidth_utilization": c.busy, "read_bytes": 600 * c.busy, "write_bytes": 400 * c.busy} {
			ms = append(ms, stats.Metric{Phase: "all", Where: "HBM", Name: name, Value: v})
		}
		for name, v := range map[string]float64{"compute_cycles": c.compute, "stall_memory_cycles": 100 - c.compute} {
			ms = append(ms, stats.Metric{Phase: "all", Where: "Core", Name: name, Value: v, Unit: stats.Cycle})
		}
		require.Regexp(t, "^"+regexp.QuoteMeta(c.want), ofCores(ms, nil), "%+v", c)
	}
}

// Cores that idle a tenth of the time or more have it said.
func TestBottleneckSaysIdle(t *testing.T) {
	for idle, want := range map[float64]string{
		24: "Compute is the bottleneck: cores compute 62.0 % of their cycles and wait for memory 14.0 %; cores idle 24.0 % of their cycles, with no request or operator to carry out.",
		8:  "Compute is the bottleneck: cores compute 73.8 % of their cycles and wait for memory 16.7 %.",
		99: "Cores spend most cycles (56.6 %) idle before a workload arrives.",
	} {
		var ms []stats.Metric
		for name, v := range map[string]float64{"compute_cycles": 62, "stall_memory_cycles": 14, "idle_cycles": idle} {
			ms = append(ms, stats.Metric{Phase: "all", Where: "Core", Name: name, Value: v, Unit: stats.Cycle})
		}
		require.Equal(t, want, ofCores(ms, nil))
	}
}

// Cores that compute most of the time: the sentence says what the array does.
func TestBottleneckInCompute(t *testing.T) {
	layers := &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "cycles"}, {Name: "mapping_loss_cycles"}, {Name: "filled"}}}
	layers.Append("qk", uint64(60), 50.0, "8 of 128 rows")
	layers.Append("softmax", uint64(20), 20.0, "")
	layers.Append("ff", uint64(20), 0.0, "all")
	two := &stats.Table{Columns: layers.Columns, Rows: append(layers.Rows[:2:2], []any{"ff", uint64(20), 10.0, "64 of 128 columns"})}
	const share = "cores compute 100.0 % of their cycles and wait for memory 0.0 %; layer qk takes 60.0 % of all layer cycles."
	for _, c := range []struct {
		useful, mapping, fill, drain, vector float64
		layers                               *stats.Table
		want                                 string
	}{
		{60, 20, 10, 5, 5, layers, "Compute is the bottleneck: cores compute 100.0 % of their cycles and wait for memory 0.0 %; the array does useful work in 60.0 % of them; layer qk takes 60.0 % of all layer cycles."},
		{5, 75, 10, 5, 5, layers, "Mapping is the bottleneck: the array is 6% filled: 8 of 128 rows; " + share},
		{5, 75, 10, 5, 5, two, "Mapping is the bottleneck: the array is 6% filled, at worst in layer qk: 8 of 128 rows; " + share},
		{20, 10, 50, 20, 0, layers, "Fill and drain of the array are the bottleneck: they take 70.0 % of the cycles of compute, useful work 20.0 %; " + share},
		{5, 20, 30, 25, 20, layers, "Fill and drain of the array are the bottleneck: they take 55.0 % of the cycles of compute, useful work 5.0 %; the array is 20% filled: 8 of 128 rows; " + share},
		{20, 5, 10, 5, 60, layers, "The vector unit is the bottleneck: it works alone in 60.0 % of the cycles of compute, the array does useful work in 20.0 %; " + share},
	} {
		ms := []stats.Metric{}
		for _, m := range []struct {
			name string
			v    float64
		}{{"compute_cycles", 100}, {"array_cycles", 100 - c.vector}, {"useful_cycles", c.useful}, {"mapping_loss_cycles", c.mapping + c.vector}, {"fill_cycles", c.fill}, {"drain_cycles", c.drain}} {
			ms = append(ms, stats.Metric{Phase: "all", Where: "Core", Name: m.name, Value: m.v, Unit: stats.Cycle})
		}
		require.Equal(t, c.want, ofCores(ms, c.layers))
	}
}

// What the array loses while it computes is held against the waits for memory in cycles
// of the whole, not of compute alone.
func TestBottleneckInComputeOrMemory(t *testing.T) {
	for _, c := range []struct {
		memory float64
		want   string
	}{
		{99, "Memory is the bottleneck: cores wait for it 49.7 % of their cycles and compute 50.3 %; the array does useful work in 34.0 % of the cycles of compute."},
		{67, "Memory is"},
		{66, "Fill and drain"}, // no longer than they take
		{10, "Fill and drain"},
	} {
		var ms []stats.Metric
		for name, v := range map[string]float64{"compute_cycles": 100, "useful_cycles": 34, "fill_cycles": 60, "drain_cycles": 6, "stall_wait_filter_cycles": c.memory} {
			ms = append(ms, stats.Metric{Phase: "all", Where: "Core", Name: name, Value: v, Unit: stats.Cycle})
		}
		require.Regexp(t, "^"+regexp.QuoteMeta(c.want), ofCores(ms, nil), "%+v", c)
	}
}
