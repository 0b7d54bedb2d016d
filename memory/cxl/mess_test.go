package cxl_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// curve reads bandwidth in GB/s and latency in ns.
func curve(t *testing.T, file string) (out [][2]float64) {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	for _, r := range rows[1:] {
		x, err := strconv.ParseFloat(r[0], 64)
		require.NoError(t, err)
		y, err := strconv.ParseFloat(r[1], 64)
		require.NoError(t, err)
		out = append(out, [2]float64{x / 1000, y})
	}
	return out
}

// Loaded latency through flits, credits and bank-accurate DRAM, against the
// manufacturer's curves: peaks within 3%, latency within 10% up to 97% of the peak,
// with one set of parameters.
func TestMessCurves(t *testing.T) {
	if testing.Short() {
		t.Skip("studies hold the curves")
	}
	point := func(reads int, mode string) (bandwidth, latency float64) {
		x, err := experiment.Load("../../configs/examples/cxl-mess.yaml", experiment.Options{Set: []string{fmt.Sprintf("mix=mix%d", reads), "mode=" + mode}})
		require.NoError(t, err)
		res, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		b, ok := res.Metric("Root", "bandwidth")
		require.True(t, ok)
		l, ok := res.Metric("Root", "load_latency_mean")
		require.True(t, ok)
		return b.Value, l.Value
	}
	for _, reads := range []int{90, 58} {
		ref := curve(t, fmt.Sprintf("testdata/mess_r%d.csv", reads))
		peak := 0.
		for _, p := range ref {
			peak = max(peak, p[0])
		}
		got, _ := point(reads, "closed:1500")
		t.Logf("%d%% reads: peak %.2f GB/s, measured %.2f (%+.1f%%)", reads, got, peak, 100*(got/peak-1))
		require.InEpsilon(t, peak, got, 0.03)
		sum, worst, n := 0., 0., 0
		for i, p := range ref {
			if p[0] > 0.97*peak || i%3 != 0 && p[0] < 0.9*peak || p[0] < 1 {
				continue
			}
			_, latency := point(reads, fmt.Sprintf("open:%d", int(math.Round(64000/p[0]))))
			e := latency/p[1] - 1
			t.Logf("%d%% reads, %5.2f GB/s: %.1f ns, measured %.1f (%+.1f%%)", reads, p[0], latency, p[1], 100*e)
			require.InDelta(t, 0, e, 0.10)
			sum, worst, n = sum+math.Abs(e), max(worst, math.Abs(e)), n+1
		}
		t.Logf("%d%% reads: MAPE %.1f%%, maximum %.1f%% of %d points", reads, 100*sum/float64(n), 100*worst, n)
	}
}
