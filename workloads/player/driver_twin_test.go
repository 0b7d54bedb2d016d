package player_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// A twin is the test bench that the driver is to agree with, one step per cycle:
// arrivals, at most one request sent, then what the memory has done.
type twin struct {
	writes             []bool
	times              []uint64
	arr, acc, done     []uint64
	completed, next    int
	sendNext, finished int
}

func (w *twin) run(mode string, k uint64, posted bool, due func(at uint64) uint64) {
	n := len(w.writes)
	w.arr, w.acc, w.done = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	leaves := map[uint64][]int{}
	for now := uint64(0); w.finished < n; now++ {
		for w.next < n {
			switch {
			case mode == "open" && uint64(w.next)*k > now, mode == "closed" && uint64(w.next-w.completed) >= k, mode == "timed" && w.times[w.next] > now:
			default:
				w.arr[w.next] = now
				w.next++
				continue
			}
			break
		}
		if i := w.sendNext; i < w.next {
			w.acc[i] = now
			w.sendNext++
			w.done[i] = due(now)
			leaves[w.done[i]] = append(leaves[w.done[i]], i)
			if posted && w.writes[i] {
				w.completed++
			}
		}
		for _, i := range leaves[now] {
			w.finished++
			if !posted || !w.writes[i] {
				w.completed++
			}
		}
	}
}

// The driver agrees with its twin in every figure, for any mode, memory and mix.
func TestTwin(t *testing.T) {
	d := dir(t)
	defer os.RemoveAll(d)
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]string{"closed", "open", "timed"}).Draw(t, "mode")
		k := rapid.Uint64Range(1, 12).Draw(t, "k")
		posted := rapid.Bool().Draw(t, "posted")
		latency := rapid.Uint64Range(0, 40).Draw(t, "latency")
		bandwidth := rapid.SampledFrom([]string{"0B/s", "10GB/s", "51.2GB/s", "200GB/s"}).Draw(t, "bandwidth")
		freq := rapid.SampledFrom([]string{"1GHz", "1600MHz", "416ps", "940MHz", "2400MHz"}).Draw(t, "clock")
		n := rapid.IntRange(1, 60).Draw(t, "n")
		w := &twin{}
		var text strings.Builder
		now := uint64(0)
		for i := range n {
			write := rapid.Bool().Draw(t, "write")
			now += rapid.Uint64Range(0, 9).Draw(t, "gap")
			op := "READ"
			if write {
				op = "WRITE"
			}
			w.writes, w.times = append(w.writes, write), append(w.times, now)
			fmt.Fprintf(&text, "%#x %s %d\n", i*64, op, now)
		}
		path := file(t, d, "t.trace", text.String())
		m := mode
		if mode != "timed" {
			m = fmt.Sprintf("%s:%d", mode, k)
		}
		b := build(t, engine.New(), pair(path, fmt.Sprintf("mode: %q, posted: %t", m, posted), fmt.Sprintf("clock: %s, latency: %dcycle, bandwidth: %s", freq, latency, bandwidth)))
		require.NoError(t, b.run(t))
		var f units.Frequency
		require.NoError(t, f.UnmarshalText([]byte(freq)))
		bw, err := units.ParseBandwidth(bandwidth)
		require.NoError(t, err)
		channel := memory.NewSerializer(bw, f.Clock)
		w.run(mode, k, posted, func(at uint64) uint64 { return channel.Transfer(at, 64) + latency })

		got := b.metrics("Driver")
		require.Equal(t, float64(slices.Max(w.done)), got["total_cycles"])
		require.Equal(t, float64(n), got["requests_done"])
		if last := slices.Max(w.done); last > 0 {
			require.InEpsilon(t, float64(64*n)/f.Nanoseconds(last), got["bandwidth"], 1e-12)
		}
		for name, from := range map[string][]uint64{"read_latency_from_accept": w.acc, "read_latency_from_arrival": w.arr} {
			var ls []uint64
			sum := uint64(0)
			for i := range from {
				if !w.writes[i] {
					ls = append(ls, w.done[i]-from[i])
					sum += w.done[i] - from[i]
				}
			}
			if len(ls) == 0 {
				require.NotContains(t, got, name+"_mean")
				continue
			}
			slices.Sort(ls)
			require.Equal(t, float64(sum)/float64(len(ls)), got[name+"_mean"], name)
			require.Equal(t, float64(ls[0]), got[name+"_min"])
			require.Equal(t, float64(ls[len(ls)/2]), got[name+"_p50"])
			require.Equal(t, float64(ls[min(len(ls)-1, len(ls)*99/100)]), got[name+"_p99"])
			require.InDelta(t, got[name+"_mean"]*f.Nanoseconds(1), got[name+"_mean_ns"], 1e-9)
		}
		require.Empty(t, b.sys.Node("Driver").Stats().Verify())
	})
}
