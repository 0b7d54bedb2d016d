package machine

import (
	"math"
	"math/bits"

	"github.com/causeway-sim/causeway/components/integer"
)

// Overflow is larger than any cost.
const Overflow = math.MaxInt64

// A Memory is what a plan may assume of the memory below a core's port: nominal figures,
// in the core's cycles. The zero value is a memory that takes no time.
type Memory struct {
	// Bandwidth is bytes per Cycles cycles, reads and writes together; 0 is unlimited.
	Bandwidth, Cycles int64
	// Latency is the cycles from the issue of a request to its answer in an idle memory.
	Latency int64
	// Burst is the bytes of a whole request, and Outstanding how many requests may be
	// without an answer; at most one is issued per cycle. 0 is no limit.
	Burst, Outstanding int64
	// Home names what is below the port: cores with the same one share the bandwidth.
	Home string
	// Caches says that what is read again may not come from the memory again.
	Caches bool
}

// Shared is the memory as one of n cores finds it that all use it at the same time.
func (m Memory) Shared(n int) Memory {
	if n > 1 && m.Bandwidth > 0 {
		m.Cycles *= int64(n)
	}
	return m
}

// Busy is how long the memory is busy with so many bytes in so many requests, without
// the latency of the first. A request takes its cycle of the DMA engine, and no more
// are under way than may be.
func (m *Memory) Busy(bytes, requests int64) int64 {
	t := int64(0)
	if m.Bandwidth > 0 {
		hi, lo := bits.Mul64(uint64(bytes), uint64(m.Cycles))
		if hi >= uint64(m.Bandwidth) {
			return Overflow
		}
		q, r := bits.Div64(hi, lo, uint64(m.Bandwidth))
		if r > 0 {
			q++
		}
		t = int64(q)
	}
	if m.Outstanding > 0 {
		t = max(t, requests, integer.Ceil(requests*m.Latency, m.Outstanding))
	}
	return t
}

// Time is how long the memory is busy with so many bytes, in runs of so many.
func (m *Memory) Time(bytes, run float64) float64 {
	if run < 1 || bytes <= 0 {
		return 0
	}
	requests := bytes / run
	if m.Burst > 0 {
		requests *= float64(integer.Ceil(int64(run), m.Burst))
	}
	t := 0.0
	if m.Bandwidth > 0 {
		t = bytes * float64(m.Cycles) / float64(m.Bandwidth)
	}
	if m.Outstanding > 0 {
		t = max(t, requests, requests*float64(m.Latency)/float64(m.Outstanding))
	}
	return t
}

// Requests is how many requests carry so many runs of row bytes each.
func (m *Memory) Requests(runs, row int64) int64 {
	if m.Burst <= 0 || row <= 0 {
		return 0
	}
	return runs * integer.Ceil(row, m.Burst)
}

// Runs is the requests of planes of rows, which touch if they are whole.
func (m *Memory) Runs(planes, rows, row int64, whole bool) int64 {
	if whole {
		return m.Requests(planes, rows*row)
	}
	return m.Requests(planes*rows, row)
}
