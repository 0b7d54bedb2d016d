package std

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/memory/curve"
)

func simulate(t *testing.T, text string, set ...string) *result.Result {
	t.Helper()
	x, err := experiment.Parse("test.yaml", []byte("schema: causeway/1\n"+text), experiment.Options{Set: set})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), func(experiment.Live) {})
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status)
	return r
}

// derive makes curves of closed-loop runs on a bank-accurate memory: streams of
// bursts of 4 KiB, the writes apart from the reads by some rows and banks.
func derive(t *testing.T, mem string, peak float64) string {
	t.Helper()
	const (
		burst = 4096
		turn  = 2 // bursts of a kind in a row; with 1, 4 and 8 the worst layer is 10.6%, 7.4% and 9.0% off
	)
	path := filepath.Join(t.TempDir(), "streams.trc")
	var lines []string
	for _, mix := range []struct {
		reads float64
		every int // one write in so many, 0: none
	}{{1, 0}, {2. / 3, 3}, {0.5, 2}} {
		var text strings.Builder
		at := [2]int{0, 1<<28 + 0x12000}
		for i := range 768 {
			k := 0
			if mix.every > 0 && i/turn%mix.every == mix.every-1 {
				k = 1
			}
			fmt.Fprintf(&text, "%c %x\n", "RW"[k], at[k])
			at[k] += burst
		}
		require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
		var runs []curve.Measured
		for _, window := range []int{1, 2, 3, 4, 8, 16} {
			r := simulate(t, fmt.Sprintf("nodes:\n  - {name: Driver, kind: driver, trace: %s, mode: \"closed:%d\", bytes: 4KiB}\n  - %s\nlinks: [Driver -> Mem]\n", path, window, mem))
			bandwidth, ok := r.Metric("Mem", "bandwidth")
			require.True(t, ok)
			latency, ok := r.Metric("Driver", "read_latency_from_arrival_mean_ns")
			require.True(t, ok)
			runs = append(runs, curve.Measured{Load: bandwidth.Value / peak, Latency: latency.Value})
		}
		line, err := curve.Derive(mix.reads, burst/peak, runs)
		require.NoError(t, err)
		var points []string
		for _, p := range line.Points {
			points = append(points, fmt.Sprintf("{load: %.4f, latency: %.1fns}", p.Load, p.NS))
		}
		lines = append(lines, fmt.Sprintf("{reads: %.3f, points: [%s]}", mix.reads, strings.Join(points, ", ")))
	}
	return "[" + strings.Join(lines, ", ") + "]"
}

// Layers that are bound by bandwidth take as long on curves derived from a memory
// as on that memory, within 10%. Bound means: 3/4 of the peak of the pins, which
// is seven eighths of what streams reach, over at least 4,000 cycles. What is
// slower than that waits for banks or for latency, by its pattern, which a curve
// does not know; what is shorter is mostly its first and last bursts.
func TestBoundLayersOnDerivedCurves(t *testing.T) {
	if testing.Short() {
		t.Skip("runs whole networks")
	}
	const (
		mem  = "{name: Mem, kind: memory, fidelity: bank, preset: hbm2e, channels: 1}"
		peak = 51.2 // GB/s
	)
	curves := derive(t, mem, peak)
	bound, all, worst := 0, 0, 0.0
	for _, core := range []string{
		"workload: {model: resnet50, dtype: int8}\nnodes:\n  - {name: Core, kind: systolic, rows: 128, cols: 128, clock: 940MHz, sram: {ifmap: 8MiB, filter: 8MiB, ofmap: 8MiB}, dma: {burst: 4KiB, outstanding: 16}}\n",
		"workload: {model: vgg16, dtype: int8}\nnodes:\n  - {name: Core, kind: systolic, rows: 64, cols: 64, clock: 940MHz, sram: {ifmap: 256KiB, filter: 256KiB, ofmap: 256KiB}, dma: {burst: 4KiB, outstanding: 16}}\n",
	} {
		// tiles of least traffic, and nothing fetched ahead: a layer's bytes move in its time
		const link = "links: [Core -> Mem]\nmapping: {objective: traffic, split: column}\n"
		core := strings.Replace(core, "dma:", "on_chip: none, dma:", 1)
		banks := simulate(t, core+"  - "+mem+"\n"+link)
		curved := simulate(t, fmt.Sprintf("%s  - {name: Mem, kind: memory, fidelity: curve, clock: 1600MHz, size: 2GiB, bandwidth: %gGB/s, curve: %s}\n%s", core, peak, curves, link))
		a, b := banks.Layers, curved.Layers
		total := [2]float64{}
		for i := range a.Rows {
			get := func(r *result.Result, name string) float64 {
				v, ok := r.Layers.Rows[i][r.Layers.Index(name)].(uint64)
				require.True(t, ok, "%s: %T", name, r.Layers.Rows[i][r.Layers.Index(name)])
				return float64(v)
			}
			on, off := get(banks, "cycles"), get(curved, "cycles")
			require.Equal(t, a.Rows[i][a.Index("layer")], b.Rows[i][b.Index("layer")])
			total[0], total[1] = total[0]+on, total[1]+off
			bytes := get(banks, "ifmap_read_bytes") + get(banks, "filter_read_bytes") + get(banks, "ofmap_read_bytes") + get(banks, "ofmap_write_bytes")
			all++
			if on < 4000 || bytes/(on/0.94) < 0.75*peak {
				continue
			}
			bound++
			worst = max(worst, math.Abs(off/on-1))
			require.InEpsilon(t, on, off, 0.1, "%v: %.0f cycles, %.2f of the peak", a.Rows[i][a.Index("layer")], on, bytes/(on/0.94)/peak)
		}
		require.InEpsilon(t, total[0], total[1], 0.1)
	}
	t.Logf("%s: %d of %d layers are bound, worst %.1f%%", mem, bound, all, 100*worst)
	require.Greater(t, bound, 20)
}
