package experiment_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

func shifted(t *testing.T, set ...string) *result.Result {
	t.Helper()
	x, err := experiment.Load("../../configs/studies/t10/chip.yaml", experiment.Options{Set: append(set, "memory=1600KiB", "cores=24")})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	return r
}

// Few cores stand for all: bytes per core are equal, and the time is but for the barrier,
// which takes a round for each doubling of the cores. Half the bandwidth adds the time of
// the bytes.
func TestRepresentedCoresTakeAsLong(t *testing.T) {
	value := func(r *result.Result, name string) float64 {
		where, metric, _ := strings.Cut(name, ".")
		m, ok := r.Metric(where, metric)
		require.True(t, ok, name)
		return m.Value
	}
	few, all := shifted(t, "represented=4"), shifted(t, "represented=24")
	require.Equal(t, 6*value(few, "Exchange.bytes"), value(all, "Exchange.bytes"))
	more := value(all, "Schedule.total_time") - value(few, "Schedule.total_time")
	require.InDelta(t, 3*105.5, more, 3) // 5 rounds in place of 2
	slow := shifted(t, "represented=4", "Exchange.terminal.bandwidth=2.65GB/s")
	require.InEpsilon(t, value(few, "Exchange.bytes")/4/5.3, value(slow, "Schedule.total_time")-value(few, "Schedule.total_time"), 0.001)
}

func TestShiftMistakes(t *testing.T) {
	for set, want := range map[string]string{
		"represented=1":                         "represented: 1 is too small (want at least 2)",
		"cores=8":                               "represented is 16 of 8 cores",
		"memory=4KiB":                           "buffer is 8KiB of a memory of 4KiB",
		"memory=20KiB":                          "L0.qkv: no plan fits into",
		"workload.frames=2":                     "its plans fill the memory with one request, and bert_large has 2 (want frames: 1)",
		"plan=held":                             `plan: unknown plan "held" ($plan is set at --set:1)`,
		"workload.parallel.shift.loading=basic": "loading: has no effect (used by: outside)",
		"workload.parallel.shift.link=0B/s":     "link is missing or 0",
		"workload.parallel.pipeline=2":          "there is pipeline: too; one of them must go",
		"workload.attention=fused":              "is an attention as one operator (want attention: unfused)",
		"workload.parallel.shift.plan={name: kept, block: 4KiB}": "block: has no effect on kept (used by: load)",
	} {
		x, err := experiment.Load("../../configs/studies/t10/chip.yaml", experiment.Options{Set: []string{set}})
		if err == nil {
			_, _, err = x.Run(context.Background(), nil)
		}
		require.Error(t, err, set)
		require.True(t, strings.Contains(err.Error(), want), "%s: %v", set, err)
	}
}
