package validation

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	_ "github.com/causeway-sim/causeway/components/std"
)

// played runs a configuration of the study dco and returns its metrics.
func played(t *testing.T, config string, set ...string) map[string]float64 {
	x, err := experiment.Load("../../configs/studies/dco/"+config, experiment.Options{Set: set})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, experiment.Complete, r.Status, r.Reason)
	out := map[string]float64{}
	for _, m := range r.Metrics {
		out[experiment.MetricKey(m)] = m.Value
	}
	return out
}

// What happens to the study if a part of the machine changes. Half the memory
// channels: LRU, whose every byte comes from memory, takes twice as long; dco about
// that (its hits take no longer, but its results go to memory line by line, which
// two channels bear worse than four). A cache that holds all: equal hits.
func TestDCOStudyPerturbed(t *testing.T) {
	lru, dco := played(t, "attention.yaml", "policy=lru"), played(t, "attention.yaml")
	halfLRU, halfDCO := played(t, "attention.yaml", "policy=lru", "channels=2"), played(t, "attention.yaml", "channels=2")
	require.InEpsilon(t, 2, halfLRU["total_time"]/lru["total_time"], 0.03)
	require.Greater(t, halfDCO["total_time"]/dco["total_time"], 1.7, "bound by memory still")
	require.Equal(t, halfDCO["LLC.hits"], dco["LLC.hits"])
	all := []string{"llc=2MiB"}
	lru, dco = played(t, "attention.yaml", append(all, "policy=lru")...), played(t, "attention.yaml", all...)
	require.Equal(t, lru["LLC.hits"], dco["LLC.hits"])
	// LRU keeps results that nobody reads, and ends before they are written back.
	require.InEpsilon(t, dco["LLC.write_bytes"], dco["LLC.below_write_bytes"], 0.01)
	require.Less(t, lru["LLC.below_write_bytes"], lru["LLC.write_bytes"])
}

// The model is beside every run of generated cores on one cache, with an error
// where the policy is one that it knows.
func TestModelBesideARun(t *testing.T) {
	m := played(t, "attention.yaml", "policy=lru", "queries=128")
	require.InDelta(t, 100*(m["model_time_lru"]/m["total_time"]-1), m["model_error"], 1e-9)
	require.LessOrEqual(t, m["model_overlap"], m["model_time_lru"])
	require.LessOrEqual(t, m["model_time_lru"], m["model_serial"])
	require.InEpsilon(t, m["LLC.read_bytes"]+m["LLC.write_bytes"], m["model_compute_time"]*4*256, 1e-9, "256 B per ns and core")
	m = played(t, "attention.yaml", "policy=drrip", "queries=128")
	require.Contains(t, m, "model_time_best")
	require.NotContains(t, m, "model_error")
}
