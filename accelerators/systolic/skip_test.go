package systolic

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
)

// The plain loop is the twin of the skipping one, in every time and in the
// state that is left behind.
func TestSkippingEqualsPlainLoop(t *testing.T) {
	skipped := 0
	check := func(t *rapid.T) {
		b := drawBench(t)
		_, w := b.build(t, "analytic")
		fast := w.(*Analytic).model
		slow := newRecurrence(w.inside().routes, b.spec.Clock.Clock, uint64(b.spec.DMA.Burst), int(b.spec.DMA.Outstanding))
		slow.plod = true
		var jobs [][]dma.Step
		for range 3 {
			job := drawJob(t)
			for i := range job {
				if rapid.Bool().Draw(t, "long") {
					n := int64(b.spec.DMA.Burst) * rapid.Int64Range(10, 3000).Draw(t, "bursts")
					job[i].Loads = append(job[i].Loads, load(dma.Filter, rapid.Int64Range(0, 10000).Draw(t, "at"), n))
				}
				if rapid.Bool().Draw(t, "many") {
					x := load(dma.Ofmap, rapid.Int64Range(0, 10000).Draw(t, "at"), rapid.Int64Range(1, 9000).Draw(t, "row"))
					x.Rows, x.Planes, x.PlaneStride = rapid.Int64Range(10, 1000).Draw(t, "rows"), 2, 1<<22
					x.Stride = x.RowBytes + rapid.SampledFrom([]int64{0, 1, 1000, 4096, 8192 - x.RowBytes%4096, 1<<13 + 512 - x.RowBytes%512}).Draw(t, "gap")
					job[i].Stores = append(job[i].Stores, x)
				}
			}
			jobs = append(jobs, job)
		}
		var from uint64
		base := addresses{0, 0, 1 << 20}
		for _, j := range jobs {
			var x, y stalls
			end := slow.job(&list{steps: j}, &share{base: base}, from, &y, nil)
			require.Equal(t, end, fast.job(&list{steps: j}, &share{base: base}, from, &x, nil))
			require.Equal(t, y, x)
			require.Equal(t, slow.next, fast.next)
			require.Equal(t, slow.last, fast.last)
			for i := range slow.lanes {
				require.Equal(t, slow.lanes[i].channel, fast.lanes[i].channel)
				require.Equal(t, slow.lanes[i].latest, fast.lanes[i].latest)
			}
			require.Equal(t, slices.Collect(slow.ahead()), slices.Collect(fast.ahead()))
			from = end + rapid.Uint64Range(0, 3).Draw(t, "pause")
		}
		skipped += int(fast.skipped)
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 4 { // a run with -short draws 20 else
			check(t)
		}
	})
	require.Positive(t, skipped)
}

// A channel that takes 2654.2 cycles per burst: the window looks alike long
// before the fraction of a cycle comes back.
func TestSkippingKeepsFractions(t *testing.T) {
	for _, window := range []int{1, 2, 3, 16} {
		b := defaultBench()
		b.mem.Bandwidth = 12345678901
		b.spec.DMA.Outstanding = Depth(window)
		_, w := b.build(t, "analytic")
		fast := w.(*Analytic).model
		slow := newRecurrence(w.inside().routes, b.spec.Clock.Clock, 4096, window)
		slow.plod = true
		job := []dma.Step{{Loads: []dma.Transfer{load(dma.Filter, 0, 5000*4096)}}}
		var x, y stalls
		require.Equal(t, slow.job(&list{steps: job}, &share{base: addresses{0, 0, 0}}, 0, &y, nil), fast.job(&list{steps: job}, &share{base: addresses{0, 0, 0}}, 0, &x, nil))
		require.Equal(t, slow.lanes[0].channel, fast.lanes[0].channel)
	}
}

func BenchmarkAnalyticLongTransfer(b *testing.B) {
	for _, plod := range []bool{false, true} {
		name := "skipping"
		if plod {
			name = "plain"
		}
		b.Run(name, func(b *testing.B) {
			_, w := defaultBench().build(b, "analytic")
			r := w.(*Analytic).model
			r.plod = plod
			job := []dma.Step{{Loads: []dma.Transfer{load(dma.Filter, 0, 1<<20)}, Cycles: 100}}
			b.ReportAllocs()
			var from uint64
			for b.Loop() {
				var x stalls
				from = r.job(&list{steps: job}, &share{base: addresses{0, 0, 0}}, from, &x, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/256, "ns/burst")
		})
	}
}
