package validation

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Every row of XRBench's own schedule of VR_gaming: when each frame went to the
// accelerator, was due and was done. Its times are 32-bit floats of milliseconds.
func TestXRBenchSchedule(t *testing.T) {
	const dir = "../../configs/studies/dream/"
	x, err := experiment.Load(dir+"xrbench.yaml", experiment.Options{})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	column := func(name string) int {
		for i, c := range r.Requests.Columns {
			if c.Name == name {
				return i
			}
		}
		require.Fail(t, "no column "+name)
		return 0
	}
	load, begin, end, due := column("workload"), column("begin"), column("end"), column("deadline")
	seen, times := map[string]int{}, map[string][3]float64{}
	for _, row := range r.Requests.Rows {
		name := row[load].(string)
		times[fmt.Sprint(name, seen[name])] = [3]float64{row[begin].(float64), row[due].(float64), row[end].(float64)}
		seen[name]++
	}
	f, err := os.Open(dir + "vr_gaming_schedule.csv")
	require.NoError(t, err)
	defer f.Close()
	want, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Len(t, want, 116)
	for _, row := range want[1:] {
		got, ok := times[row[0]+row[1]]
		require.True(t, ok, row)
		for i, cell := range row[2:] {
			ms, err := strconv.ParseFloat(cell, 64)
			require.NoError(t, err)
			require.InDelta(t, ms, got[i]/1e6, 1e-4, "%v", row)
		}
	}
}

// What happens to the study if a part of the machine changes: accelerators of twice the
// clock halve every time and miss no deadline more; without deadlines nothing is dropped.
func TestDreamStudyPerturbed(t *testing.T) {
	base := playedOf(t, "dream", "xrbench.yaml", "scenario=AR_gaming")
	fast := playedOf(t, "dream", "xrbench.yaml", "scenario=AR_gaming", "Acc0.clock=2GHz")
	require.Greater(t, fast["Schedule.score"], base["Schedule.score"])
	require.Less(t, fast["Schedule.deadline_misses"], base["Schedule.deadline_misses"])
	require.Positive(t, base["Schedule.dropped"])
	kept := playedOf(t, "dream", "xrbench.yaml", "scenario=AR_gaming", "Schedule.drop=none")
	require.Zero(t, kept["Schedule.dropped"])
	require.Equal(t, base["Schedule.requests"]+base["Schedule.dropped"], kept["Schedule.requests"])
}
