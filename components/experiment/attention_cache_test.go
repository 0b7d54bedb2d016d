package experiment_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// Attention of a layer of LLaMA-3 8B (32 heads, 8 of keys and values, 1,024 causal
// tokens) on 4 to 16 cores whose buffers hold no head: keys and values come again for
// every block of queries, 2 MiB of them through a cache of 1 MiB. The descriptors of the
// tensors reach the cache: dco keeps a part that LRU loses, and stays behind OPT. The
// recorded requests give the same hits again, under any policy.
func TestCachesUnderFusedAttention(t *testing.T) {
	cores := []int{4, 8, 16}
	if testing.Short() {
		cores = []int{8}
	}
	for _, n := range cores {
		hits := map[string]float64{}
		dir := t.TempDir()
		run := func(src string) (*result.Result, result.Process) {
			x, err := experiment.Parse(filepath.Join(dir, "attention.yaml"), []byte(src), experiment.Options{})
			require.NoError(t, err)
			r, p, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			return r, p
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "ops.csv"), []byte("name,op,heads,kv_heads,head_dim,sequence,context,batch,causal\nL0.attention,prefill,32,8,128,1024,1024,1,true\n"), 0o644))
		cache := func(policy string) string {
			return fmt.Sprintf(`  - {name: LLC, kind: cache, fidelity: functional, size: 1MiB, ways: 16, clock: 1GHz, line: 128B, policy: {name: %s}, detail: [kind]}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 819GB/s}
`, policy)
		}
		for _, policy := range []string{"lru", "dco"} {
			r, p := run(fmt.Sprintf(`schema: causeway/1
workload: {ops: ops.csv, dtype: int8}
mapping: {split: head, objective: traffic}
nodes:
  - {name: Core, kind: systolic, count: %d, rows: 128, cols: 128, clock: 1GHz, overlap: {preload: true, drain: true}, vector: {lanes: 512}, sram: {ifmap: 256KiB, filter: 128KiB, ofmap: 512KiB}, dma: {burst: 4KiB, outstanding: 16}}
%slinks: [Core -> LLC.top, LLC.bottom -> Mem]
simulation: {record: {requests: [LLC.top]}}
`, n, cache(policy)))
			m, ok := r.Metric("LLC", "hits")
			require.True(t, ok)
			hits[policy] = m.Value
			if kv, _ := r.Metric("LLC", "kind_kv_cache_hits"); policy == "dco" {
				require.Equal(t, m.Value, kv.Value, "only keys and values come again, and the cache knows what they are")
			}
			require.NoError(t, r.WriteDir(filepath.Join(dir, policy), p))
		}
		for _, policy := range []string{"lru", "dco", "opt"} {
			from := policy
			if policy == "opt" {
				from = "lru"
			}
			r, _ := run(fmt.Sprintf(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: %s/LLC.top.trace, mode: timed, clock: 64GHz}
%slinks: [Driver -> LLC.top, LLC.bottom -> Mem]
`, from, cache(policy)))
			m, ok := r.Metric("LLC", "hits")
			require.True(t, ok)
			if policy == "opt" {
				hits[policy] = m.Value
				continue
			}
			require.Equal(t, hits[policy], m.Value, "%d cores, %s played again", n, policy)
		}
		t.Logf("%d cores: hits %v", n, hits)
		require.Greater(t, hits["dco"], 1.1*hits["lru"], "%d cores", n)
		require.Greater(t, hits["opt"], hits["dco"], "%d cores", n)
	}
}
