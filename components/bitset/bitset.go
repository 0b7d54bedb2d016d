// Package bitset keeps a set of small numbers, such as the ports at which something has come, so
// that the members are found without a look at all numbers.
//
//	s := bitset.New(100_000)
//	s.Add(70_001)
//	for w, b := s.Take(0); b != 0; w, b = s.Take(w + 1) {
//		for ; b != 0; b &= b - 1 {
//			i := w<<6 + bits.TrailingZeros64(b)
//			...
//		}
//	}
//
// A bit of a second level says which words of 64 numbers have members: 100,000 numbers take 25
// words to look at where the set is empty. Several goroutines may add at once. Left out: removing
// one number, and several goroutines that take.
package bitset

import (
	"math/bits"
	"sync/atomic"
)

// A Set is a set of numbers. The zero value holds none, and has no room.
type Set struct {
	words []uint64
	full  []uint64 // words that may have members
}

// New makes an empty set of numbers below n.
func New(n int) Set {
	w := (n + 63) / 64
	return Set{make([]uint64, w), make([]uint64, (w+63)/64)}
}

// Add puts a number in.
func (s *Set) Add(i int) {
	atomic.OrUint64(&s.words[i>>6], 1<<(i&63))
	// Last, so that a Take between the two leaves no member without its bit here.
	atomic.OrUint64(&s.full[i>>12], 1<<(i>>6&63))
}

// Take removes the 64 numbers from 64*at on that are the first with members, of those from 64*from
// on: number 64*at+k was a member where bit k of b is set. b is 0 if there are none.
func (s *Set) Take(from int) (at int, b uint64) {
	for g := from >> 6; g < len(s.full); g++ {
		f := atomic.LoadUint64(&s.full[g])
		if g == from>>6 {
			f &= ^uint64(0) << (from & 63)
		}
		for ; f != 0; f &= f - 1 {
			at = g<<6 + bits.TrailingZeros64(f)
			atomic.AndUint64(&s.full[g], ^(f & -f))
			if b = atomic.SwapUint64(&s.words[at], 0); b != 0 {
				return at, b
			}
		}
	}
	return 0, 0
}
