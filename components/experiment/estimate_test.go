package experiment

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

// The second half of the moment says what a part takes, in time and in memory that is kept.
func TestAnEstimateGoesByTheSecondHalf(t *testing.T) {
	const gib = 1 << 30
	e := Estimate{Total: 1000}
	e.extend(sampleOf{time.Second, 10, 4 * gib}, sampleOf{2 * time.Second, 30, 5 * gib})
	require.InDelta(t, 2+970.0/20, e.Seconds, 1e-9)
	require.InDelta(t, 1.6*(5+970.0/20)*gib, float64(e.Bytes), 1e9)

	e = Estimate{Total: 1000} // nothing ended in the second half: the rate since the begin
	e.extend(sampleOf{time.Second, 10, 4 * gib}, sampleOf{2 * time.Second, 10, 5 * gib})
	require.InDelta(t, 2+990.0/5, e.Seconds, 1e-9)
	require.InDelta(t, 1.6*5*gib, float64(e.Bytes), 1e9)
}

const shortRun = "schema: causeway/1\nworkload: {model: alexnet}\nnodes:\n" +
	"  - {name: Core, kind: systolic, fidelity: analytic, rows: 16, cols: 16}\n" +
	"  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 25.6GB/s}\nlinks:\n  - Core -> Mem\n"

// A run that ends within the moment is measured, and the experiment can be run after it with the
// bytes of one that was not estimated.
func TestAShortRunIsMeasured(t *testing.T) {
	x, err := Parse("short.yaml", []byte(shortRun), Options{})
	require.NoError(t, err)
	e, err := x.Estimate(context.Background(), time.Minute)
	require.NoError(t, err)
	require.True(t, e.Whole)
	require.True(t, e.Known())
	require.Equal(t, e.Total, e.Done)
	require.Positive(t, e.Total)
	after, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	y, err := Parse("short.yaml", []byte(shortRun), Options{})
	require.NoError(t, err)
	alone, _, err := y.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, alone.Metrics, after.Metrics)
	require.Equal(t, alone.Layers, after.Layers)
}

// A run whose context has a Stop as its cause is incomplete for that reason.
func TestAStopIsTheReason(t *testing.T) {
	x, err := Parse("short.yaml", []byte(shortRun), Options{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(&Stop{"enough"})
	r, _, err := x.Run(ctx, nil)
	require.EqualError(t, err, "enough")
	require.Equal(t, result.Incomplete, r.Status)
	require.Equal(t, "enough", r.Reason)
}
