package dram_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// memoryMetrics plays requests on a memory and returns its metrics.
func memoryMetrics(t *testing.T, reqs []request, mode, memory string) map[string]float64 {
	t.Helper()
	d, err := configs.Parse("t.yaml", fmt.Appendf(nil, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: %s, mode: %q}
  - {name: Mem, kind: memory, %s}
links: [Driver -> Mem]
`, traceFile(t, reqs), mode, memory), configs.Options{Dir: "."})
	require.NoError(t, err)
	e := engine.New()
	s, err := system.Build(d, &system.Env{Engine: e})
	require.NoError(t, err)
	require.NoError(t, s.Node("Driver").(system.Starter).Start())
	require.NoError(t, e.Run())
	out := map[string]float64{}
	for _, m := range s.Node("Mem").Stats().Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

// A write that comes alone to a closed bank takes an activation, the write latency and
// the burst, as JESD79-4 has it. Where answers wait for the device, its latency is that
// of the request.
func TestWriteLatency(t *testing.T) {
	const memory = "preset: ddr4_3200, refresh: none, map: Ro-Ba-BG-Ra-Co-Ch"
	one := memoryMetrics(t, []request{{write: true}}, "closed:1", memory+", posted: false")
	// tRCD 22, CWL 16, BL 4
	for _, name := range []string{"write_latency_mean", "write_latency_p50", "write_latency_p99"} {
		require.EqualValues(t, 22+16+4, one[name], name)
		require.InDelta(t, one[name]*0.625, one[name+"_ns"], 1e-9)
	}
	require.NotContains(t, one, "read_latency_from_accept_mean")

	var reqs []request
	for i := range uint64(500) {
		reqs = append(reqs, request{addr: i * 0x9e3779b97f4a7c15 >> 40 << 6, write: true})
	}
	waits := memoryMetrics(t, reqs, "closed:32", memory+", posted: false")
	require.InDelta(t, waits["latency_mean"], waits["write_latency_mean_ns"], 1e-9)
	require.GreaterOrEqual(t, waits["write_latency_p99"], waits["write_latency_p50"])
	require.InDelta(t, waits["write_latency_p50"], waits["write_latency_mean"], 20)
	posted := memoryMetrics(t, reqs, "closed:4", memory)
	require.Less(t, posted["latency_mean"], posted["write_latency_mean_ns"]/2)
}
