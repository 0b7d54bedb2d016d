package validation

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// What happens to the study if a part of the array changes: a stage more makes every
// tile one cycle longer on both arrays, a load that is not hidden N cycles, twice the
// side N more on dip and 2N on ws.
func TestDiPStudyPerturbed(t *testing.T) {
	const n, rows = 32, 100
	at := func(flow string, set ...string) float64 {
		return playedOf(t, "dip", "latency.yaml", append([]string{"dataflow=" + flow, fmt.Sprint("side=", n), fmt.Sprint("rows=", rows)}, set...)...)["Core.array_cycles"]
	}
	for flow, more := range map[string]float64{"ws": 2 * n, "dip": n} {
		base := at(flow)
		require.Equal(t, base+1, at(flow, "stages=3"), flow)
		require.Equal(t, base+n, at(flow, "Core.overlap.first=false"), flow)
		require.Equal(t, base+more, at(flow, fmt.Sprint("side=", 2*n)), flow)
	}
}
