package validation

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	_ "github.com/causeway-sim/causeway/components/std"
)

// played runs a configuration of the study dco and returns its metrics.
func played(t *testing.T, config string, set ...string) map[string]float64 {
	return playedOf(t, "dco", config, set...)
}

// playedOf runs a configuration of a study and returns its metrics.
func playedOf(t *testing.T, study, config string, set ...string) map[string]float64 {
	x, err := experiment.Load("../../configs/studies/"+study+"/"+config, experiment.Options{Set: set})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	out := map[string]float64{}
	for _, m := range r.Metrics {
		out[result.Key(m)] = m.Value
	}
	return out
}

// What happens to the study if a part of the machine changes. Half the memory
// channels: LRU, whose every byte comes from memory, takes twice as long; dco a
// little less, since its hits take no longer. With 512 queries the results of the
// four cores are 128 KiB apart, which is the same bank and another row on two
// channels, and another bank on four: writes then wait for rows, and dco, which
// writes all results at once, takes 2.13 times as long.
func TestDCOStudyWithHalfTheChannels(t *testing.T) {
	for _, c := range []struct {
		queries   string
		low, high float64
	}{
		{"queries=640", 1.7, 2.0},
		{"queries=512", 2.0, 2.2},
	} {
		dco, half := played(t, "attention.yaml", c.queries), played(t, "attention.yaml", c.queries, "channels=2")
		ratio := half["total_time"] / dco["total_time"]
		require.Greater(t, ratio, c.low, c.queries)
		require.Less(t, ratio, c.high, c.queries)
		require.Equal(t, half["LLC.hits"], dco["LLC.hits"])
	}
	lru, half := played(t, "attention.yaml", "policy=lru"), played(t, "attention.yaml", "policy=lru", "channels=2")
	require.InEpsilon(t, 2, half["total_time"]/lru["total_time"], 0.03)
}

// A cache that holds keys, values and some of the results: equal hits. A single
// run with LRU ends before a quarter of the results are written, which dco sends
// to memory at once. What a layer takes of many in a row is the same.
func TestDCOStudyInACacheThatHoldsAll(t *testing.T) {
	last := map[string]float64{}
	for _, policy := range []string{"lru", "dco"} {
		one := played(t, "attention.yaml", "llc=2MiB", "policy="+policy)
		two := played(t, "attention.yaml", "llc=2MiB", "policy="+policy, "Core.repeat=2")
		three := played(t, "attention.yaml", "llc=2MiB", "policy="+policy, "Core.repeat=3")
		require.EqualValues(t, 122_880, one["LLC.hits"])
		require.InDelta(t, one["LLC.write_bytes"], one["LLC.below_write_bytes"]+one["LLC.dirty_bytes"], 1)
		if policy == "dco" {
			require.Less(t, one["LLC.dirty_bytes"], 0.01*one["LLC.write_bytes"])
		} else {
			require.EqualValues(t, 512<<10, one["LLC.dirty_bytes"])
		}
		last[policy] = three["total_time"] - two["total_time"]
	}
	require.InEpsilon(t, last["lru"], last["dco"], 0.02)
}

// Lines that are kept out make the shared run faster, not only its hits more:
// slices share the write buffer by age, and none falls behind.
func TestDCOStudyBypassPaysInTime(t *testing.T) {
	for _, set := range [][]string{
		{"sharers=4", "queries=2048", "context=1536"},
		{"sharers=4", "queries=1024", "context=1536"},
		{"sharers=4", "queries=2048", "context=1280"},
		{},
	} {
		on := played(t, "attention.yaml", set...)
		off := played(t, "attention.yaml", append([]string{"LLC.policy.bypass=false"}, set...)...)
		require.Less(t, on["total_time"], off["total_time"], "%v", set)
	}
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
