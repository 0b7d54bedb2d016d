package transit

import (
	"math/bits"
	"sync/atomic"
)

// A Set is a set of small numbers: sinks with work. Add is safe for concurrent use with Add;
// other methods are not.
type Set struct{ words []atomic.Uint64 }

// NewSet makes an empty set of numbers below n.
func NewSet(n int) Set { return Set{make([]atomic.Uint64, (n+63)/64)} }

// Add adds a number.
func (s *Set) Add(i uint16) {
	if w, bit := &s.words[i>>6], uint64(1)<<(i&63); w.Load()&bit == 0 {
		w.Or(bit)
	}
}

// Remove removes a number.
func (s *Set) Remove(i int) { s.words[i>>6].And(^(uint64(1) << (i & 63))) }

// Next returns the least number from from on; -1 is none.
func (s *Set) Next(from int) int {
	for w := from >> 6; w < len(s.words); w++ {
		x := s.words[w].Load()
		if w == from>>6 {
			x &= ^uint64(0) << (from & 63)
		}
		if x != 0 {
			return w<<6 + bits.TrailingZeros64(x)
		}
	}
	return -1
}

// marks is a set of small numbers, and how many they are. only is the number if it is one.
type marks struct {
	words []uint64
	n     int
	only  int // all of them, by exclusive or
}

func newMarks(n int) marks { return marks{words: make([]uint64, (n+63)/64)} }

func (b *marks) add(i int) {
	if w, bit := &b.words[i>>6], uint64(1)<<(i&63); *w&bit == 0 {
		*w |= bit
		b.n++
		b.only ^= i
	}
}

// remove removes a present number.
func (b *marks) remove(i int) {
	b.words[i>>6] &^= 1 << (i & 63)
	b.n--
	b.only ^= i
}

// next is the least number from one on; -1: there is none.
func (b *marks) next(from int) int {
	if b.n == 0 {
		return -1
	}
	for w := from >> 6; w < len(b.words); w++ {
		x := b.words[w]
		if w == from>>6 {
			x &= ^uint64(0) << (from & 63)
		}
		if x != 0 {
			return w<<6 + bits.TrailingZeros64(x)
		}
	}
	return -1
}
