//go:build !unix

package usage

// CPUSeconds is unknown here.
func CPUSeconds() float64 { return 0 }

// PeakBytes is unknown here.
func PeakBytes() uint64 { return 0 }
