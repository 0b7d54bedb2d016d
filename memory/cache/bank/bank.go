// Package bank is the banks of a cache: the lookups that wait for each, and which of them may begin one.
//
// A bank begins one lookup at a time, in the order of arrival. A lookup that cannot be done stays in front
// of its bank, which sleeps until it is woken. The package knows neither tags nor time.
package bank

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/causeway-sim/causeway/components/ring"
)

// A Lookup is a line of a request on its way to the tags.
type Lookup struct {
	Request uint32
	K       int32 // the line among those of the request
}

// A Bank looks up one line at a time, in the order of arrival.
type Bank struct {
	Lines ring.Of[Lookup]
	Free  uint64    // cycle from which on it can begin another
	Why   *uint64   // the counter of what the first line is known to wait for
	Stuck Readiness // how things stood then

	Absent int32 // the set of the first line plus 1, if that is neither here nor under way
}

// A Readiness is what decides whether a line that waits may be looked up: lines of its slice
// that have come, and whether the write buffer is full.
type Readiness struct {
	Came uint64
	Full bool
}

// A Set is all banks of a cache. Those of a slice lie next to each other.
type Set struct {
	Banks []Bank
	busy  []uint64 // set of banks with lines that wait
	awake []uint64 // of them, those that may begin one, as far as is known
	order []int32  // banks in the order in which they may begin
	first []front  // the same with their first lookups
	Busy  int      // number of banks with lines that wait
}

// A front is the first lookup of a bank: a line of a request, by its order of arrival.
type front struct {
	arrival uint64
	k, bank int32
}

// compare compares the arrival of two lines.
func (a front) compare(b front) int {
	if d := cmp.Compare(a.arrival, b.arrival); d != 0 {
		return d
	}
	return cmp.Compare(a.k, b.k)
}

// NewSet returns n banks without lookups.
func NewSet(n int) Set {
	return Set{Banks: make([]Bank, n), busy: make([]uint64, (n+63)/64), awake: make([]uint64, (n+63)/64)}
}

// Push brings a lookup to a bank.
func (s *Set) Push(bank int, l Lookup) {
	q := &s.Banks[bank].Lines
	if q.Push(l); q.Len() == 1 {
		s.busy[bank>>6] |= 1 << (bank & 63)
		s.awake[bank>>6] |= 1 << (bank & 63)
		s.Busy++
	}
}

// Drop removes the first lookup of a bank, and reports whether others wait.
func (s *Set) Drop(bank int) (more bool) {
	q := &s.Banks[bank].Lines
	q.Drop()
	if q.Len() > 0 {
		return true
	}
	s.busy[bank>>6] &^= 1 << (bank & 63)
	s.awake[bank>>6] &^= 1 << (bank & 63)
	s.Busy--
	return false
}

// Sleep notes that the first lookup of a bank has to wait.
func (s *Set) Sleep(bank int) { s.awake[bank>>6] &^= 1 << (bank & 63) }

// Wake lets n banks from one on look again whether they can begin.
func (s *Set) Wake(first, n int) {
	for b := first; b < first+n; b++ {
		s.awake[b>>6] |= s.busy[b>>6] & (1 << (b & 63))
	}
}

// WakeAll lets all banks look again.
func (s *Set) WakeAll() { copy(s.awake, s.busy) }

// Awake returns the set of banks that may begin a lookup, 64 in a word.
func (s *Set) Awake() []uint64 { return s.awake }

// Ready returns the banks with lookups in the order in which they may begin: that of their numbers, or, if
// there are fewer free entries of the write buffer than banks, the one whose request came first. Else
// banks of low numbers would take all entries; the others would fall back, and what they send below in
// the end would be single lines to a few channels. arrival is the place of a request in the order of arrival.
func (s *Set) Ready(free int, arrival func(request uint32) uint64) []int32 {
	s.order = s.order[:0]
	for j := range s.busy {
		for x := s.busy[j]; x != 0; x &= x - 1 {
			s.order = append(s.order, int32(j<<6+bits.TrailingZeros64(x)))
		}
	}
	if free <= 0 || free >= len(s.order) {
		return s.order
	}
	s.first = s.first[:0]
	for _, b := range s.order {
		l := s.Banks[b].Lines.At(0)
		s.first = append(s.first, front{arrival(l.Request), l.K, b})
	}
	slices.SortFunc(s.first, front.compare)
	for i := range s.first {
		s.order[i] = s.first[i].bank
	}
	return s.order
}
