// Package booksim is how BookSim 2.0 decides how long to measure a network
// (trafficmanager.cpp, revision 28f4329): Warmup samples are thrown away; then samples
// are added up until three of them in a row have changed the mean latency and the
// accepted load by less than Change (Series); then it waits for the packets that were
// created meanwhile (Drain).
package booksim

import "math"

// Rules say how long to measure.
type Rules struct {
	Sample  int     // cycles per sample
	Warmup  int     // samples
	Samples int     // most samples, warm-up included
	Change  float64 // relative
	// Limit of the mean latency in cycles, packets under way included. Beyond it
	// the network is saturated and the measurement ends. 0 measures the accepted
	// load only: no limit, and the measurement does not wait for packets under way.
	Limit float64
}

// Defaults are BookSim's.
func Defaults() Rules {
	return Rules{Sample: 1000, Warmup: 3, Samples: 10, Change: .05, Limit: 500}
}

// inRow samples that change little end a measurement.
const inRow = 3

// A Series is the samples of one measurement. Make it with its Rules; call Begin and End
// around each sample.
type Series struct {
	Rules     Rules
	Measuring bool // the warm-up is over

	samples, converged    int
	clear                 bool // at the next Begin
	lastLatency, lastLoad float64
}

// Begin starts a sample. It reports whether what was summed up before is cleared: by
// every second sample of the warm-up, and by the first that is measured.
func (s *Series) Begin() (clear bool) {
	clear = s.clear || !s.Measuring && s.samples%2 == 0
	s.clear = false
	return clear
}

// End ends a sample with the mean latency in cycles, if that counts, and the accepted
// load. more reports whether another sample follows.
func (s *Series) End(latency, accepted float64, counts bool) (more bool) {
	steady := math.Abs(accepted-s.lastLoad) <= s.Rules.Change*accepted
	if counts {
		steady = steady && math.Abs(latency-s.lastLatency) <= s.Rules.Change*latency
	}
	s.lastLatency, s.lastLoad = latency, accepted
	s.samples++
	switch {
	case s.Measuring && steady:
		s.converged++
	case s.Measuring:
		s.converged = 0
	case s.samples >= s.Rules.Warmup:
		s.Measuring, s.clear = true, true
	}
	return s.samples < s.Rules.Samples && !s.Converged()
}

// Samples is the number of samples that have ended.
func (s *Series) Samples() int { return s.samples }

// Converged reports whether the last samples have changed little enough.
func (s *Series) Converged() bool { return s.converged >= inRow }
