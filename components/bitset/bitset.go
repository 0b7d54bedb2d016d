// Package bitset is a set of small integers with fast iteration, for example of the ports that
// received a message in a cycle.
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
// The set has two levels: a bit of the second level is set if its word of 64 numbers may have
// members. A scan of an empty set of 100,000 numbers reads 25 words. Several goroutines may call
// Add at once; one at a time may call Take. Add panics for a number that New left no room for.
// Left out: removing a single number.
package bitset

import (
	"math/bits"
	"sync/atomic"
)

// A Set is a set of numbers from 0 up to the limit of New. The zero value has room for none.
type Set struct {
	words []uint64
	full  []uint64 // words that may have members
}

// New makes an empty set of numbers below n.
func New(n int) Set {
	w := (n + 63) / 64
	return Set{make([]uint64, w), make([]uint64, (w+63)/64)}
}

// Add inserts the number i, which may be a member already.
func (s *Set) Add(i int) {
	atomic.OrUint64(&s.words[i>>6], 1<<(i&63))
	// Last, so that a Take between the two leaves no member without its bit here.
	atomic.OrUint64(&s.full[i>>12], 1<<(i>>6&63))
}

// Take removes and returns the first word with members, from word from on. Word w holds the
// numbers 64*w to 64*w+63; bit k of b is set if 64*at+k was a member. b is 0 if there is no such
// word.
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
