package booksim

// A Drain waits, after the last sample, for the packets that were created while measuring:
// those under way, and those that a source had due by then and has not sent. Make it with
// the rules.
type Drain struct {
	Rules  Rules
	cycles int
}

// every is the cycles from one look at the latency to the next.
const every = 1000

// Cycle ends a cycle. open is whether packets are left. latency returns the mean latency
// if all packets under way arrived now. Cycle compares it with the limit every 1000 cycles.
// Above the limit the network is saturated, and the measurement does not wait for the rest.
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
