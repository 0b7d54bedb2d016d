//go:build !unix

package experiment

// cpuSeconds is unknown here.
func cpuSeconds() float64 { return 0 }

// peakBytes is unknown here.
func peakBytes() uint64 { return 0 }
