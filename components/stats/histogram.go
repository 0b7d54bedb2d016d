package stats

import "math/bits"

// A Histogram counts latencies: exactly below 2^24, in steps of at most 1/1024
// of the value above.
//
// Values below 2^16 are counted in an array, others are kept as samples of 4 B in
// the order of their arrival. Whenever there are 65,536 of those, or as many as
// there are different values, they are sorted and join a sorted list of different
// values and their counts, of 8 B each. So memory is at most 0.5 MB, 512 KB, and
// 12 B per different value from 2^16 on, however long a run is; all 2^24 possible
// ones, 16 us in picoseconds, take 200 MB.
type Histogram struct {
	pages    [densePages]*[pageSize]uint64 // counts of values below 2^denseBits
	large    samples                       // keys of the others
	n        uint64
	sum      uint64
	min, max uint64
}

const (
	denseBits  = 16
	pageSize   = 1024
	densePages = 1 << denseBits / pageSize
	exactBits  = 24
	coarseBits = 10 // of a value that are kept beyond
)

// Count returns the number of values.
func (h *Histogram) Count() uint64 { return h.n }

// Sum returns the sum of all values.
func (h *Histogram) Sum() uint64 { return h.sum }

// Min returns the least value; 0 without values.
func (h *Histogram) Min() uint64 { return h.min }

// Max returns the greatest value; 0 without values.
func (h *Histogram) Max() uint64 { return h.max }

// Reset removes all values and keeps the memory.
func (h *Histogram) Reset() {
	for _, p := range h.pages {
		if p != nil {
			clear(p[:])
		}
	}
	h.large.reset()
	h.n, h.sum, h.min, h.max = 0, 0, 0, 0
}

// Take moves all values of another histogram into this one.
func (h *Histogram) Take(o *Histogram) {
	if o.n == 0 {
		return
	}
	if h.n == 0 || o.min < h.min {
		h.min = o.min
	}
	h.max = max(h.max, o.max)
	h.n += o.n
	h.sum += o.sum
	for i, page := range o.pages {
		if page == nil {
			continue
		}
		if h.pages[i] == nil {
			h.pages[i] = new([pageSize]uint64)
		}
		for j, n := range page {
			h.pages[i][j] += n
		}
	}
	for _, v := range o.large.fresh {
		h.large.add(v)
	}
	for i, v := range o.large.value {
		for range o.large.count[i] {
			h.large.add(v)
		}
	}
	o.Reset()
}

// Add counts a value.
func (h *Histogram) Add(v uint64) {
	if p := h.pages[v/pageSize%densePages]; v>>denseBits == 0 && p != nil && p[v%pageSize] != 0 {
		p[v%pageSize]++ // as before, which moves neither the least nor the greatest
		h.n++
		h.sum += v
		return
	}
	h.add(v)
}

// AddMany counts a value n times.
func (h *Histogram) AddMany(v, n uint64) {
	if n == 0 {
		return
	}
	h.Add(v)
	n--
	if v>>denseBits == 0 {
		h.pages[v/pageSize][v%pageSize] += n
		h.n += n
		h.sum += n * v
		return
	}
	for range n {
		h.Add(v)
	}
}

func (h *Histogram) add(v uint64) {
	if h.n == 0 || v < h.min {
		h.min = v
	}
	h.max = max(h.max, v)
	h.n++
	h.sum += v
	if v>>denseBits != 0 {
		h.large.add(key(v))
		return
	}
	p := v / pageSize
	if h.pages[p] == nil {
		h.pages[p] = new([pageSize]uint64)
	}
	h.pages[p][v%pageSize]++
}

// key is v below 2^24, and numbers the steps beyond. Keys are ordered as values.
func key(v uint64) uint32 {
	if v>>exactBits == 0 {
		return uint32(v)
	}
	e := bits.Len64(v) - 1
	return uint32((e-exactBits)<<coarseBits|int(v>>(e-coarseBits)&(1<<coarseBits-1))) + 1<<exactBits
}

// least is the least value with a key.
func least(key uint32) uint64 {
	if key>>exactBits == 0 {
		return uint64(key)
	}
	i := key - 1<<exactBits
	e := i>>coarseBits + exactBits
	return (1<<coarseBits | uint64(i)&(1<<coarseBits-1)) << (e - coarseBits)
}

// Percentile returns the value at index floor(p*n/100) of the n sorted values.
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
	if k, ok := h.large.at(rank); ok {
		return min(max(least(k), h.min), h.max)
	}
	return h.max
}
