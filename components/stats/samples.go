package stats

import (
	"math"
	"slices"
)

// samples is a list of numbers from which order statistics are computed. It holds the latest
// numbers in a list, and the others as distinct values with counts.
type samples struct {
	fresh []uint32
	spare []uint32 // for sorting
	value []uint32 // ascending; one appears again where its count is full
	count []uint32
}

// freshLimit is the least number of samples that are sorted at once: 256 KB, twice.
const freshLimit = 1 << 16

func (s *samples) reset() {
	s.fresh, s.value, s.count = s.fresh[:0], s.value[:0], s.count[:0]
}

// add costs a constant number of steps besides sorting: a merge walks over no more
// values than samples have come since the last.
func (s *samples) add(v uint32) {
	s.fresh = append(s.fresh, v)
	if len(s.fresh) >= freshLimit && len(s.fresh) >= len(s.value) {
		s.settle()
	}
}

// at is the number of a rank, from 0 for the least.
func (s *samples) at(rank uint64) (v uint32, ok bool) {
	s.settle()
	for i, n := range s.count {
		if rank < uint64(n) {
			return s.value[i], true
		}
		rank -= uint64(n)
	}
	return 0, false
}

// settle merges the fresh samples into the counts, in place and from the end.
func (s *samples) settle() {
	if len(s.fresh) == 0 {
		return
	}
	if len(s.spare) < len(s.fresh) {
		s.spare = make([]uint32, cap(s.fresh))
	}
	sort(s.fresh, s.spare[:len(s.fresh)])
	old := len(s.value)
	more := s.unknown()
	s.value = slices.Grow(s.value, more)[:old+more]
	s.count = slices.Grow(s.count, more)[:old+more]
	from, to := old-1, old+more-1
	for end := len(s.fresh); end > 0; to-- {
		v := s.fresh[end-1]
		if from >= 0 && s.value[from] > v {
			s.value[to], s.count[to] = s.value[from], s.count[from]
			from--
			continue
		}
		begin := end
		for begin > 0 && s.fresh[begin-1] == v {
			begin--
		}
		n := uint32(end - begin)
		if from >= 0 && s.value[from] == v && s.count[from] <= math.MaxUint32-n {
			n += s.count[from]
			from--
		}
		s.value[to], s.count[to] = v, n
		end = begin
	}
	s.fresh = s.fresh[:0]
}

// unknown is how many entries the sorted fresh samples add.
func (s *samples) unknown() (n int) {
	i := 0
	for begin := 0; begin < len(s.fresh); {
		v, end := s.fresh[begin], begin+1
		for end < len(s.fresh) && s.fresh[end] == v {
			end++
		}
		for i < len(s.value) && s.value[i] < v {
			i++
		}
		// Of entries of one number the last may have room.
		last := i
		for last+1 < len(s.value) && s.value[last+1] == v {
			last++
		}
		if last >= len(s.value) || s.value[last] != v || s.count[last] > math.MaxUint32-uint32(end-begin) {
			n++
		}
		begin = end
	}
	return n
}
