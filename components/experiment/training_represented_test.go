package experiment_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report"
)

// pricedChips is a step on chips whose transfers have prices.
func pricedChips(nodes int, training, parallel string) string {
	return fmt.Sprintf(`
workload: {model: gpt2, sequence: 64, dtype: bf16, layers: 0..3, training: {%s}, parallel: {%s}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, kind: roofline, count: %d, compute: 2TFLOP/s, memory: 1000TB/s}
  - {name: Links, kind: communicator, count: %d, domain: 4, interface: 10GB/s}
links:
  - Schedule -> Chip
  - Schedule -> Links
`, training, parallel, nodes, nodes)
}

// One rank of each stage takes as long as all ranks do, which are equal.
func TestRepresentedRanksTakeAsLong(t *testing.T) {
	for _, c := range []struct {
		nodes, stages      int
		training, parallel string
	}{
		{8, 2, "microbatches: 4", "tensor: 2, data: 2, pipeline: 2, zero: 1"},
		{8, 1, "microbatches: 2, gather: begin, bucket: 1MB", "data: 8, zero: 1"},
		{4, 1, "microbatches: 2, gather: begin, bucket: 1MB, megatron: true, clip: true, gradients: bf16", "data: 4, zero: 1"},
		{4, 2, "microbatches: 2", "data: 2, pipeline: 2, schedule: auto, chunks: 2"},
	} {
		_, all := timeOf(t, pricedChips(c.nodes, c.training, c.parallel))
		few, one := timeOf(t, pricedChips(c.stages, c.training, c.parallel+", represented: stages"))
		require.Equal(t, all, one, c.parallel)
		step, ok := few.Metric("", "step_time")
		require.True(t, ok)
		cards := report.Cards(few)
		require.Equal(t, "time of a step", cards[0].Label)
		for _, c := range cards {
			require.NotContains(t, c.Label, "request")
		}
		require.InDelta(t, one, step.Value, 1000)
	}
}

// Replicas that gather weights at the start of a step send what those at its end do; the gather is
// hidden by the first pass, but for the first bucket.
func TestTrainingGathersEarly(t *testing.T) {
	of := func(training string) (gathered, time float64) {
		r, time := timeOf(t, pricedChips(1, "microbatches: 8, "+training, "chips: 64, zero: 1, represented: stages"))
		m, ok := r.Metric("Links[0]", "all_gather_bytes")
		require.True(t, ok)
		return m.Value, time
	}
	late, slow := of("gather: end, bucket: 1MB")
	early, fast := of("gather: begin, bucket: 1MB")
	require.InEpsilon(t, late, early, 0.001)
	require.Less(t, fast, slow)

	// Megatron-Core does more, and all ranks agree on 4 B more.
	both, slower := of("gather: begin, bucket: 1MB, megatron: true")
	require.Equal(t, early, both)
	require.Greater(t, slower, fast)
	for keys, want := range map[string]string{
		"eager: true, megatron: true": "workload.training.megatron: and eager are two kinds of software; one of them must go",
		"clip: true":                  "workload.training.clip: has no effect (used by: eager: true, megatron: true)",
	} {
		_, err := scheduled(t, pricedChips(1, keys, "chips: 64, zero: 1, represented: stages"), experiment.Options{})
		require.ErrorContains(t, err, want)
	}
	_, err := scheduled(t, pricedChips(1, "megatron: true", "chips: 64, represented: stages"), experiment.Options{})
	require.ErrorContains(t, err, "workload.training.megatron: is for states that replicas share out: zero is 0 (want 1)")
	_, err = scheduled(t, pricedChips(1, "gather: begin", "chips: 64, represented: stages"), experiment.Options{})
	require.ErrorContains(t, err, "workload.training.gather: has no effect where zero is 0 (used by: zero: 1)")
	_, err = scheduled(t, pricedChips(1, "global_batch: 100", "chips: 64, represented: stages"), experiment.Options{})
	require.ErrorContains(t, err, "100 samples are not shared by 64 replicas")
	_, err = scheduled(t, pricedChips(2, "", "chips: 65, tensor: 2, represented: stages"), experiment.Options{})
	require.ErrorContains(t, err, "65 chips are not shared by replicas of 2 each")
}
