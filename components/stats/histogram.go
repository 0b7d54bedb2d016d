package stats

import "math/bits"

// A Histogram counts latencies: exactly below 2^24, in steps of at most 1/1024
// of the value above. Memory grows with the spread of the values and not with
// their number.
type Histogram struct {
	pages    []*[pageSize]uint64 // of the exact part
	coarse   []uint64
	n        uint64
	sum      uint64
	min, max uint64
}

const (
	pageSize   = 1024
	exactBits  = 24
	coarseBits = 10 // of a value that are kept beyond
)

// Count, Sum, Min and Max are of the values added. Min and Max of none are 0.
func (h *Histogram) Count() uint64 { return h.n }

// Sum is of all values.
func (h *Histogram) Sum() uint64 { return h.sum }

// Min is the least value.
func (h *Histogram) Min() uint64 { return h.min }

// Max is the greatest value.
func (h *Histogram) Max() uint64 { return h.max }

// Reset forgets all values and keeps the memory.
func (h *Histogram) Reset() {
	for _, p := range h.pages {
		if p != nil {
			clear(p[:])
		}
	}
	clear(h.coarse)
	h.n, h.sum, h.min, h.max = 0, 0, 0, 0
}

// Add counts a value.
func (h *Histogram) Add(v uint64) {
	if h.n == 0 || v < h.min {
		h.min = v
	}
	h.max = max(h.max, v)
	h.n++
	h.sum += v
	if v>>exactBits == 0 {
		p := v / pageSize
		for uint64(len(h.pages)) <= p {
			h.pages = append(h.pages, nil)
		}
		if h.pages[p] == nil {
			h.pages[p] = new([pageSize]uint64)
		}
		h.pages[p][v%pageSize]++
		return
	}
	if h.coarse == nil {
		h.coarse = make([]uint64, (64-exactBits)<<coarseBits)
	}
	h.coarse[coarse(v)]++
}

// coarse numbers the steps of values from 2^24 on.
func coarse(v uint64) int {
	e := bits.Len64(v) - 1
	return (e-exactBits)<<coarseBits | int(v>>(e-coarseBits)&(1<<coarseBits-1))
}

// least is the least value of a step.
func least(i int) uint64 {
	e := i>>coarseBits + exactBits
	return (1<<coarseBits | uint64(i)&(1<<coarseBits-1)) << (e - coarseBits)
}

// Percentile is the value of index floor(p*n/100) of the sorted list.
func (h *Histogram) Percentile(p uint64) uint64 {
	hi, lo := bits.Mul64(h.n, p)
	rank, _ := bits.Div64(hi, lo, 100)
	rank = min(rank, h.n-1)
	for i, page := range h.pages {
		if page == nil {
			continue
		}
		for j, c := range page {
			if rank < c {
				return uint64(i*pageSize + j)
			}
			rank -= c
		}
	}
	for i, c := range h.coarse {
		if rank < c {
			return min(max(least(i), h.min), h.max)
		}
		rank -= c
	}
	return h.max
}
