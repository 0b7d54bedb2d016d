// Package latency has a histogram of latencies in clocks.
package latency

import "math/bits"

// Histogram is a histogram of latencies in clocks: exact below 2^12, within 1/64 above.
type Histogram struct {
	N, Sum, Max uint64
	fine        [exactly]uint32
	coarse      [(64 - 12) * 64]uint32
}

const exactly = 1 << 12

// Add counts a latency n times.
func (l *Histogram) Add(clocks int64, times uint32) {
	n := uint64(clocks)
	l.N += uint64(times)
	l.Sum += n * uint64(times)
	l.Max = max(l.Max, n)
	if n < exactly {
		l.fine[n] += times
		return
	}
	shift := bits.Len64(n) - 7 // leaves 1xxxxxx
	l.coarse[(shift-6)*64+int(n>>shift)&63] += times
}

// Mean returns the mean in clocks; ok is false if there are none.
func (l *Histogram) Mean() (mean float64, ok bool) {
	return float64(l.Sum) / float64(max(l.N, 1)), l.N > 0
}

// Merge adds the latencies of o.
func (l *Histogram) Merge(o *Histogram) {
	l.N, l.Sum, l.Max = l.N+o.N, l.Sum+o.Sum, max(l.Max, o.Max)
	for i, n := range o.fine {
		l.fine[i] += n
	}
	for i, n := range o.coarse {
		l.coarse[i] += n
	}
}

// Quantile returns the latency that the share q of all does not exceed, rounded down to a bucket.
func (l *Histogram) Quantile(q float64) (clocks uint64, ok bool) {
	if l.N == 0 {
		return 0, false
	}
	rank := min(uint64(q*float64(l.N)), l.N-1)
	for i, n := range l.fine {
		if uint64(n) > rank {
			return uint64(i), true
		}
		rank -= uint64(n)
	}
	for i, n := range l.coarse {
		if uint64(n) > rank {
			return uint64(64+i%64) << (i/64 + 6), true
		}
		rank -= uint64(n)
	}
	return l.Max, true
}
