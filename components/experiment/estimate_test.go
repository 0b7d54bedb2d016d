package experiment

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

// The second half of the moment says what a part takes, in time and in memory that is kept.
func TestAnEstimateGoesByTheSecondHalf(t *testing.T) {
	const gib = 1 << 30
	e := Estimate{Total: 1000}
	e.extend(sampleOf{1, 1, 10, 0, 4 * gib}, sampleOf{2, 2, 30, 0, 5 * gib})
	require.InDelta(t, 2+970.0/20+pageSeconds, e.Seconds, 1e-9)
	require.InDelta(t, 1.6*(5+970.0/20)*gib, float64(e.Bytes), 1e9)

	e = Estimate{Total: 1000} // nothing ended in the second half: the rate since the begin
	e.extend(sampleOf{1, 1, 10, 0, 4 * gib}, sampleOf{2, 2, 10, 0, 5 * gib})
	require.InDelta(t, 2+990.0/5+pageSeconds, e.Seconds, 1e-9)
	require.InDelta(t, 1.6*5*gib, float64(e.Bytes), 1e9)

	e = Estimate{Total: 1000, Rows: 1e6} // rows are read and written after the last event
	e.extend(sampleOf{1, 1, 10, 0, 4 * gib}, sampleOf{2, 2, 30, 0, 5 * gib})
	require.InDelta(t, 2+970.0/20+pageSeconds+1e6*rowSeconds, e.Seconds, 1e-9)
	e.rows = 10 * gib // no more is kept of them than they are counted to take
	e.Bytes = 0
	e.extend(sampleOf{1, 1, 10, 0, 4 * gib}, sampleOf{2, 2, 30, 0, 5 * gib})
	require.InDelta(t, 1.6*(5+10*0.97)*gib, float64(e.Bytes), 1e9)
}

const shortRun = "schema: causeway/1\nworkload: {model: alexnet}\nnodes:\n" +
	"  - {name: Core, kind: systolic, fidelity: analytic, rows: 16, cols: 16}\n" +
	"  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 25.6GB/s}\nlinks:\n  - Core -> Mem\n"

const scheduledRun = "schema: causeway/1\nworkload: {model: alexnet, frames: 7}\nnodes:\n" +
	"  - {name: Schedule, kind: schedule}\n  - {name: Chip, kind: roofline, compute: 20TFLOP/s, memory: 400GB/s}\nlinks:\n  - Schedule -> Chip\n"

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

// What a plan of many rows takes is counted before the first event.
func TestManyRowsAreManyBytes(t *testing.T) {
	many := strings.Replace(scheduledRun, "frames: 7", "frames: 1000000", 1)
	x, err := Parse("many.yaml", []byte(many), Options{})
	require.NoError(t, err)
	e := x.Count()
	require.Greater(t, e.Rows, int64(10e6))
	require.InEpsilon(t, garbage*(float64(e.Live)+96*float64(e.Rows))+program, float64(e.Bytes), 1e-6)
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

// The rows of a run are counted on its plan, before the first event, and are those of layers.csv: of
// operators that are issued ahead, and of those of a schedule with many requests.
func TestRowsAreCountedBeforeTheRun(t *testing.T) {
	for name, text := range map[string]string{"ahead": shortRun, "schedule": scheduledRun} {
		x, err := Parse("rows.yaml", []byte(text), Options{})
		require.NoError(t, err, name)
		counted := x.Count()
		require.Zero(t, counted.Bytes, "little is not measured")
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err, name)
		require.Equal(t, int64(r.Layers.Len()), counted.Rows, name)
	}
}

const coresRun = "schema: causeway/1\nworkload: {model: bert_base, sequence: 16, layers: 1}\nmapping: {cores: Core}\nnodes:\n" +
	"  - {name: Core, kind: systolic, count: 6, rows: 64, cols: 64, clock: 1GHz, sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}, dma: {burst: 1KiB, outstanding: 16}}\n" +
	"  - {name: Mem, kind: memory, fidelity: ideal, clock: 1GHz, latency: 60ns, bandwidth: 100GB/s}\nlinks:\n  - Core -> Mem\n"

// The bursts and steps that cores have planned are those that they do, but for bursts that are cut
// where their addresses are not aligned.
func TestPlannedActivityIsDone(t *testing.T) {
	x, err := Parse("cores.yaml", []byte(coresRun), Options{})
	require.NoError(t, err)
	a := x.built
	x.built = nil
	require.NoError(t, x.play(context.Background(), a, nil))
	require.Len(t, a.actives(), 6)
	require.Greater(t, a.activity(), int64(1000))
	require.InEpsilon(t, a.activity(), a.planned(), 0.05)
}
