package player

import "github.com/causeway-sim/causeway/components/stats"

// few counts small numbers that are still to join a histogram.
type few struct {
	n    [256]uint32
	most uint64 // the greatest of them
}

// add counts a number, or adds it to the histogram if it is large.
func (f *few) add(v uint64, h *stats.Histogram) {
	if v >= uint64(len(f.n)) {
		h.Add(v)
		return
	}
	f.n[v]++
	f.most = max(f.most, v)
}

// settle moves all numbers to the histogram.
func (f *few) settle(h *stats.Histogram) {
	for v := range f.most + 1 {
		if n := f.n[v]; n > 0 {
			h.AddMany(v, uint64(n))
			f.n[v] = 0
		}
	}
	f.most = 0
}
