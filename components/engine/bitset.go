package engine

import (
	"math/bits"
	"sync/atomic"
)

// A bitset is a set of ends. Senders of sim.ParallelEngine share its words.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) set(i int)   { b[i>>6] |= 1 << (i & 63) }
func (b bitset) clear(i int) { b[i>>6] &^= 1 << (i & 63) }

func (b bitset) share(i int) { atomic.OrUint64(&b[i>>6], 1<<(i&63)) }

// trailing is the least member of one word.
func trailing(w uint64) int { return bits.TrailingZeros64(w) }
