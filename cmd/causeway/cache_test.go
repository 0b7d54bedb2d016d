package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
)

// Peer: the reference programs' figures (memory/policy/testdata), by the
// configuration that the docs name and a trace in a file.
func TestCacheExampleEqualsTheReference(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cyc20480x20.bin")
	f, err := os.Create(file)
	require.NoError(t, err)
	require.NoError(t, tracetest.Cyclic(20480, 20).WriteRecords(f))
	require.NoError(t, f.Close())
	for _, c := range []struct {
		policy, fidelity string
		hits, bypasses   float64
	}{
		{"plru", "functional", 6144, 0}, {"lip", "timed", 291840, 0}, {"drrip", "functional", 282686, 0},
		{"hawkeye", "functional", 291840, 0}, {"mockingjay", "timed", 286720, 1024},
		{"opt", "functional", 307200, 0}, {"opt_bypass", "timed", 311296, 81920},
	} {
		x, err := experiment.Load("../../configs/examples/cache.yaml", experiment.Options{Set: []string{
			"Driver.trace=" + file, "LLC.policy.name=" + c.policy, "LLC.fidelity=" + c.fidelity,
		}})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		for name, want := range map[string]float64{"accesses": 409600, "hits": c.hits, "misses": 409600 - c.hits, "bypasses": c.bypasses} {
			m, ok := r.Metric("LLC", name)
			require.True(t, ok)
			require.Equal(t, want, m.Value, "%s of %s, %s", name, c.policy, c.fidelity)
		}
	}
}
