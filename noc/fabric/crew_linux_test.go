package fabric

import (
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/causeway-sim/causeway/components/crew"
)

// BenchmarkWorkers is a window of 101 cycles: of 1,056 terminals at 0.3 and of 16,512 at
// 0.1, by one worker and by two in turn, and what its parts come to on more cores. The
// estimates go by the processor's time that each part takes in the middle case, so that
// others on the machine do not count: every core takes the next part when it is done. They
// know nothing of memory that cores share.
func BenchmarkWorkers(b *testing.B) {
	for _, c := range []struct{ p, a, h, load int }{{4, 8, 4, 300}, {8, 16, 8, 100}} {
		b.Run(fmt.Sprint(c.p*c.a*(c.a*c.h+1)), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			n, _ := driveUniform(b, c.p, c.a, c.h, c.load)
			at := int64(0)
			window := func(workers int) {
				at = n.Window(at, at+101, false, workers)
			}
			for range 5 {
				window(1)
			}
			var one, two, whole []time.Duration
			parts := make([][]time.Duration, len(n.parts))
			for b.Loop() {
				start, spent := time.Now(), threadTime()
				window(1)
				one, whole = append(one, time.Since(start)), append(whole, threadTime()-spent)
				start = time.Now()
				window(2)
				two = append(two, time.Since(start))
				for i, p := range n.parts { // a window, part by part
					spent := threadTime()
					p.run(at, at+101, false)
					parts[i] = append(parts[i], threadTime()-spent)
				}
				at += 101
			}
			var each []time.Duration
			sum := time.Duration(0)
			for _, list := range parts {
				each = append(each, quantile(list, 2))
				sum += each[len(each)-1]
			}
			rest := max(0, quantile(whole, 2)-sum) + 20*time.Microsecond // counts, and waiting for each other
			b.ReportMetric(float64(quantile(whole, 2))/101, "cpu-ns/cycle")
			b.ReportMetric(float64(quantile(one, 4))/float64(quantile(two, 4)), "x-2-workers")
			for _, cores := range []int{2, 16, 64} {
				b.ReportMetric(float64(sum+rest)/float64(crew.Longest(each, cores)+rest), fmt.Sprintf("x-%d-estimated", cores))
			}
		})
	}
}

// threadTime is the processor's time of this thread, by clock_gettime(2).
func threadTime() time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}

// quantile is the value with a part of the list before it.
func quantile(list []time.Duration, parts int) time.Duration {
	slices.Sort(list)
	return list[len(list)/parts]
}
