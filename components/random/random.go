// Package random holds one independent stream of random numbers for each of many places, such as
// the routers of a network. The numbers of one place do not depend on the draws of the others or
// on the order in which places are simulated.
//
//	s := random.New(seed, "routing", routers)
//	port := s.IntN(router, ports)
//
// A stream takes 16 bytes, and no draw allocates. Two goroutines may draw from different streams
// at once, but not from the same one.
//
// Source: PCG-DXSM of math/rand/v2, whose output is fixed by Go's compatibility promise. Seeds are
// mixed by the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), so that streams of
// neighbouring places and seeds are not correlated.
package random

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
)

// Streams are the streams of all places, numbered from 0.
type Streams []rand.PCG

// New makes n streams. Streams of another purpose are independent of these, even
// with the same seed.
func New(seed uint64, purpose string, n int) Streams {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose)) // never fails, see hash.Hash
	base := mix(seed ^ h.Sum64())
	s := make(Streams, n)
	for i := range s {
		hi := mix(base + uint64(i)*golden)
		s[i].Seed(hi, mix(hi+golden))
	}
	return s
}

// golden is 2^64 over the golden ratio, SplitMix64's step.
const golden = 0x9e3779b97f4a7c15

// mix is the finalizer of SplitMix64: every bit of x changes half of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// IntN draws from 0 to n-1 from stream i, each value equally likely. It panics if n
// is below 1.
func (s Streams) IntN(i, n int) int {
	if n < 1 {
		panic("random: IntN of less than 1")
	}
	// Lemire, "Fast random integer generation in an interval", ACM TOMACS 2019.
	hi, lo := bits.Mul64(s[i].Uint64(), uint64(n))
	if lo < uint64(n) {
		for least := -uint64(n) % uint64(n); lo < least; {
			hi, lo = bits.Mul64(s[i].Uint64(), uint64(n))
		}
	}
	return int(hi)
}
