package curve

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// line64 is the size of the accesses that unloaded latencies were measured
// with: a cache line.
const line64 = 64

// timing is the rule of the package's doc.
type timing struct {
	table    *table
	peak     units.Bandwidth
	channel  memory.Serializer
	window   window
	capacity uint64             // bytes of the window at the peak
	base     [shares + 1]uint64 // unloaded latency without the time of 64 B, cycles
	last     uint64             // cycle of the last answer
	loadSum  uint64             // of all requests, in 1/full
	requests uint64
}

// newTiming makes the timing of a memory with these curves. bucket is the
// length of a part of the window in cycles.
func newTiming(t *table, peak units.Bandwidth, c clock.Clock, bucket uint64) *timing {
	out := &timing{table: t, peak: peak, channel: memory.NewSerializer(peak, c), window: window{length: bucket}}
	// bytes = bit/s * cycles * num/den / 8
	hi, lo := bits.Mul64(uint64(peak), buckets*bucket*c.Num())
	if hi >= 8*c.Den() {
		panic("curve: the window is too long for this bandwidth")
	}
	out.capacity, _ = bits.Div64(hi, lo, 8*c.Den())
	out.capacity = max(out.capacity, 1)
	for s := range out.base {
		idle := memory.NewSerializer(peak, c)
		l := t.at(s, 0)
		out.base[s] = l - min(l, idle.Transfer(0, out.cost(s, line64)))
	}
	return out
}

// cost is how many bytes of the peak the given bytes take.
func (t *timing) cost(share int, bytes uint64) uint64 {
	return (bytes*t.table.scale[share] + unit - 1) / unit
}

// load is how busy the memory was, in 1/full.
func (t *timing) load(share int) uint64 {
	hi, lo := bits.Mul64(t.cost(share, t.window.all), full)
	if hi >= t.capacity {
		return full
	}
	x, _ := bits.Div64(hi, lo, t.capacity)
	return min(x, full)
}

// Due implements inorder.Timing.
func (t *timing) Due(at, bytes uint64, write bool) uint64 {
	t.window.advance(at)
	share := t.window.share()
	x := t.load(share)
	t.window.add(bytes, write)
	t.loadSum += x
	t.requests++
	done := t.channel.Transfer(at, t.cost(share, bytes))
	t.last = max(t.last, at+t.table.at(share, x), done+t.base[share])
	return t.last
}

// Nominal implements inorder.Timing: for reads alone.
func (t *timing) Nominal() (uint64, units.Bandwidth) {
	return t.base[shares], units.Bandwidth(t.table.end[shares] * float64(t.peak))
}

// Peak implements inorder.Timing.
func (t *timing) Peak() units.Bandwidth { return t.peak }
