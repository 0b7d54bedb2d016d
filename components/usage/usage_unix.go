//go:build unix

package usage

import (
	"runtime"
	"syscall"
)

// CPUSeconds returns the processor time of this process so far, user and system.
func CPUSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// PeakBytes returns the greatest resident memory of this process so far.
func PeakBytes() uint64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return uint64(u.Maxrss) // bytes there, KiB elsewhere
	}
	return uint64(u.Maxrss) * 1024
}
