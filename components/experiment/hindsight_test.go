package experiment

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// What hindsight counts of other policies is what runs with these policies miss: of the same sequence, since
// a functional cache answers a driver that plays in order.
func TestHindsightIsARunWithThatPolicy(t *testing.T) {
	of := func(policy, fidelity string) map[string]float64 {
		x, err := Parse("c.yaml", fmt.Appendf(nil, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: gemm, m: 256, k: 512, n: 512}, bytes: 4KiB, mode: "open:4", clock: 1GHz}
  - {name: LLC, kind: cache, fidelity: %s, size: 64KiB, ways: 8, line: 64B, slices: 2, hash: xor, policy: {name: %s}, hindsight: true}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 100GB/s}
links:
  - Driver -> LLC.top
  - LLC.bottom -> Mem
`, fidelity, policy), Options{})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		out := map[string]float64{}
		for _, m := range r.Metrics {
			if m.Where == "LLC" && m.Phase == "all" {
				out[m.Name] = m.Value
			}
		}
		return out
	}
	lru, opt := of("lru", "functional"), of("opt_bypass", "functional")
	require.Greater(t, lru["misses"], 1.05*opt["misses"])
	require.Equal(t, lru["misses"], lru["misses_lru"])
	require.Equal(t, opt["misses"], opt["misses_opt"])
	require.Equal(t, 0.0, lru["gap_closed"])
	require.Equal(t, 100.0, opt["gap_closed"])
	for _, policy := range []string{"dco", "srrip", "random", "mru"} {
		m := of(policy, "functional")
		require.Equal(t, lru["misses"], m["misses_lru"], policy)
		require.Equal(t, opt["misses"], m["misses_opt"], policy)
		require.LessOrEqual(t, m["misses_opt"], m["misses"], policy)
	}
	timed := of("lru", "timed")
	require.Equal(t, timed["misses"]+timed["merges"], timed["accesses"]-timed["hits"])
	require.InDelta(t, timed["misses_lru"], timed["misses"], 0.01*timed["misses_lru"])
}

func TestHindsightRefuses(t *testing.T) {
	for keys, want := range map[string]string{
		"sectors: 4":                  "sectors: hindsight plays the accesses of a cache with lines of one sector",
		"write: around":               "write: hindsight plays the accesses of a cache with write: back",
		"prefetch: {name: next_line}": "prefetch: hindsight plays the accesses of a cache with no prefetch",
	} {
		x, err := Parse("c.yaml", fmt.Appendf(nil, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: gemm, m: 128, k: 128, n: 128}}
  - {name: LLC, kind: cache, hindsight: true, %s}
  - {name: Mem, kind: memory, fidelity: ideal}
links:
  - Driver -> LLC.top
  - LLC.bottom -> Mem
`, keys), Options{})
		if err == nil {
			err = x.Check()
		}
		require.ErrorContains(t, err, want)
	}
}
