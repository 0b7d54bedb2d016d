package experiment

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// A number that is not finite costs its own place in a result, not the result.
func TestResultCanAlwaysBeWritten(t *testing.T) {
	layers := &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "share"}}}
	layers.Append("conv1", math.NaN())
	r := &result.Result{Metrics: []stats.Metric{{Phase: "all", Name: "energy", Value: math.Inf(1)}, {Phase: "all", Name: "macs", Value: 3}}, Layers: layers}
	_, err := r.JSON()
	require.Error(t, err, "the JSON of NaN: what this test is about")
	errs := r.DropNonFinite()
	require.Len(t, errs, 2)
	require.NoError(t, r.WriteDir(t.TempDir(), result.Process{}))
	require.Len(t, r.Metrics, 1)
}
