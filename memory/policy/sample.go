package policy

import "math/bits"

// sampleSets draws n different sets by their place and returns, for each set, its number among
// them or -1. The generator is the linear congruential one of ChampSim's ship.cc
// and drrip.cc with seed 1, so that the same sets are drawn.
func sampleSets(g *Geometry, n int) []int32 {
	of := make([]int32, g.Sets)
	for i := range of {
		of[i] = -1
	}
	seed := uint64(1)
	for i := range min(n, g.Sets) {
		for {
			seed = seed*1103515245 + 12345
			if s := g.SetAt(int(seed / 65536 % 1048576 % uint64(g.Sets))); of[s] < 0 {
				of[s] = int32(i)
				break
			}
		}
	}
	return of
}

// bitSample numbers the sets whose place has equal lowest and highest k bits, the
// others get -1. Of few sets all are chosen. Hawkeye and Mockingjay choose like
// this.
func bitSample(g *Geometry, k int) []int32 {
	of := make([]int32, g.Sets)
	width := bits.Len(uint(g.Sets)) - 1
	n := int32(0)
	for s := range of {
		set := g.SetAt(s)
		of[set] = -1
		if k <= 0 || width <= k || s&(1<<k-1) == s>>(width-k)&(1<<k-1) {
			of[set] = n
			n++
		}
	}
	return of
}

// crcTable does eight steps of crc at once.
var crcTable = func() (t [256]uint64) {
	for i := range t {
		t[i] = crc(uint64(i), 8)
	}
	return t
}()

// crc shifts x right n times; a bit that falls out folds the polynomial in.
func crc(x uint64, n int) uint64 {
	for range n {
		out := x & 1
		x >>= 1
		if out == 1 {
			x ^= 3988292384 // CRC-32, reflected, as in the Hawkeye and Mockingjay sources
		}
	}
	return x
}

// crc32 is crc of 32 steps.
func crc32(x uint64) uint64 {
	for range 4 {
		x = x>>8 ^ crcTable[x&0xff]
	}
	return x
}
