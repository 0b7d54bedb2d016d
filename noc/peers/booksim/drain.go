package booksim

// A Drain waits, after the last sample, for the packets created during the measurement: those in
// flight, and those that were due at a source and not sent. Make it with its Rules.
type Drain struct {
	Rules  Rules
	cycles int
}

// every is the cycles from one look at the latency to the next.
const every = 1000

// Cycle ends a cycle. open is whether packets are left. latency returns the mean latency if all
// packets in flight arrived now; Cycle compares it with the limit every 1000 cycles. Above the
// limit the network is saturated, and the measurement ends.
func (d *Drain) Cycle(open bool, latency func() float64) (over, saturated bool) {
	d.cycles++
	if d.Rules.Limit > 0 && d.cycles%every == 0 && latency() > d.Rules.Limit {
		return true, true
	}
	return !open, false
}

// Behind reports whether a source has a packet that was due before the end of the last
// sample.
func Behind(due []int64, end int64) bool {
	for _, d := range due {
		if d < end {
			return true
		}
	}
	return false
}
