package experiment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// The example of a prefill takes at most 15% more than its roofs: multiply-accumulates
// that are not masked over the array, and its bytes at 819 GB/s.
func TestPrefillExampleIsNearItsRoof(t *testing.T) {
	x, err := experiment.Load("../../configs/examples/llama3_prefill.yaml", experiment.Options{})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	macs := metric(t, r, "macs")
	// Per layer: projections of 4,096 x 4,096 twice and 1,024 twice, three of 14,336; the
	// head over 128,256 words; 32 heads of 128 that see n(n+1)/2 entries, twice.
	const n, d = 4096, 4096
	require.EqualValues(t, 32*(n*(d*d*2+d*1024*2+3*d*14336)+2*32*128*n*(n+1)/2)+n*d*128256, macs)
	require.Zero(t, metric(t, r, "score_bytes"))
	roof := max(macs/(128*128), (metric(t, r, "read_bytes")+metric(t, r, "write_bytes"))/819)
	require.InEpsilon(t, roof, metric(t, r, "total_cycles"), 0.05)
	require.Less(t, metric(t, r, "write_bytes"), 8e9)
}
