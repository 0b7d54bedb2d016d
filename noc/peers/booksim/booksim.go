// Package booksim has the rules by which BookSim 2.0 (trafficmanager.cpp, revision 28f4329)
// decides how long to measure a network. It drops Warmup samples. Then it adds up samples until
// three in a row have changed the mean latency and the accepted load by less than Change
// (Series). Then it waits for the packets created during the measurement (Drain). Times are
// cycles. Left out: the network and its traffic. There are no errors.
//
//	s := booksim.Series{Rules: booksim.Defaults()}
package booksim

import "math"

// Rules configure the length of a measurement.
type Rules struct {
	Sample  int     // cycles per sample
	Warmup  int     // samples
	Samples int     // most samples, warm-up included
	Change  float64 // relative
	// Limit is that of the mean latency in cycles, packets in flight included. Above it the
	// network is saturated and the measurement ends. 0 measures only the accepted load, without a
	// limit and without waiting for packets in flight.
	Limit float64
}

// Defaults returns BookSim's defaults.
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

// Begin starts a sample. It reports whether the caller must clear its sums: at every second
// sample of the warm-up, and at the first measured one.
func (s *Series) Begin() (clear bool) {
	clear = s.clear || !s.Measuring && s.samples%2 == 0
	s.clear = false
	return clear
}

// End ends a sample with the mean latency in cycles, if counts is true, and the accepted load.
// more reports whether another sample follows.
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

// Samples returns the samples that have ended.
func (s *Series) Samples() int { return s.samples }

// Converged reports whether the last samples have changed little enough.
func (s *Series) Converged() bool { return s.converged >= inRow }
