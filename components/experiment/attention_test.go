package experiment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

const attending = `schema: causeway/1
workload: {file: decoder/config.json, sequence: 96, dtype: int8, attention: fused}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, rows: 32, cols: 32, on_chip: none, sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}, dma: {burst: 4KiB, outstanding: 16}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}
links:
  - Core -> Mem
`

func attend(t *testing.T, set ...string) (*result.Result, error) {
	x, err := experiment.Parse("testdata/held/attend.yaml", []byte(attending), experiment.Options{Set: set})
	if err != nil {
		return nil, err
	}
	r, _, err := x.Run(context.Background(), nil)
	return r, err
}

// Fused attention has no scores in memory, does the products that the mask leaves, and is
// an error where its tile loop does not fit; where no key asks for it the run says why it
// is not one operator.
func TestAttentionKey(t *testing.T) {
	score := func(r *result.Result) float64 {
		m, ok := r.Metric("", "score_bytes")
		require.True(t, ok)
		return m.Value
	}
	r, err := attend(t)
	require.NoError(t, err)
	require.Zero(t, score(r))
	macs, _ := r.Metric("Core", "macs")
	apart, err := attend(t, "workload.attention=unfused")
	require.NoError(t, err)
	// Two layers of four heads: scores of a byte leave the product, pass the softmax and
	// go into the second product.
	require.EqualValues(t, 2*4*96*96*4, score(apart))
	all, _ := apart.Metric("Core", "macs")
	require.EqualValues(t, 2*4*(96*96-96*97/2)*2*32, all.Value-macs.Value, "what the mask hides")

	_, err = attend(t, "Core.sram={ifmap: 1KiB, filter: 64B, ofmap: 1KiB}")
	require.ErrorContains(t, err, "workload.attention: attention is not one operator: L0.attention: blocks of 1 queries (x 2 heads) and 1 keys: filter needs 64 B, 32 B more than the 32 B of half the buffer")
	// Without the key the attention stays several operators, and the run says why.
	r, err = attend(t, "workload.attention=null", "Core.sram={ifmap: 1KiB, filter: 64B, ofmap: 1KiB}")
	require.NoError(t, err)
	require.NotZero(t, score(r))
	require.Contains(t, r.Warnings, "attention is not one operator: L1.attention: blocks of 1 queries (x 2 heads) and 1 keys: filter needs 64 B, 32 B more than the 32 B of half the buffer")
	r, err = attend(t, "workload.attention=null")
	require.NoError(t, err)
	require.Zero(t, score(r), "fused is the default")
	require.Empty(t, r.Warnings)

	_, err = attend(t, "Core.timing=scalesim", "Core.dma=null")
	require.ErrorContains(t, err, "workload.attention: Core counts layer by layer and has no attention as one operator (want one of: unfused)")
	_, err = attend(t, "workload.attention=flash")
	require.ErrorContains(t, err, `workload.attention: "flash" is not known (want one of: fused, unfused)`)
}
