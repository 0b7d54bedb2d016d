package validation

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What happens to the study if a part of the engine changes: half the lanes take twice the
// turns over filters, half the width twice those over channels; more input channels than a
// turn takes cost a whole turn more; without skipping the share that is cropped comes back.
func TestMM2IMStudyPerturbed(t *testing.T) {
	at := func(set ...string) float64 {
		return playedOf(t, "mm2im", "problem.yaml", append([]string{"Core.memory=1TB/s"}, set...)...)["Core.total_cycles"]
	}
	base := at()
	require.Equal(t, 2*base, at("Core.lanes=4"))
	require.Equal(t, 2*base, at("Core.width=8"))
	require.Equal(t, 9*base/8, at("channels_in=129"))
	m := playedOf(t, "mm2im", "problem.yaml", "Core.memory=1TB/s", "lowering=input_oriented")
	landing := m["Core.macs"] - m["Core.ineffectual_macs"]
	adds := m["Core.vector_ops"] / 8 // one per lane and cycle
	require.Equal(t, base*m["Core.macs"]/landing+adds, m["Core.total_cycles"])
}
