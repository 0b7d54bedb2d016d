package cpu

import "math/bits"

// maxFrames bounds the pages that a scattering has.
const maxFrames = 1 << 40

// frames scatters pages over memory: a one-to-one map of [0, n) onto itself, drawn by a
// seed. It is a Feistel network on the next even power of two, applied again as long as it
// leads out of the range.
//
// Source: Luby and Rackoff, SIAM Journal on Computing 1988 (networks of rounds); Black and
// Rogaway, CT-RSA 2002 (cycle walking).
type frames struct {
	n    uint64 // 0: pages stay where they are
	half uint
	keys [4]uint64
	done []uint64 // frame of page i plus 1, as far as known
}

// maxKnown bounds the frames that are kept.
const maxKnown = 1 << 22

func newFrames(n, seed uint64) frames {
	f := frames{n: n, half: uint(bits.Len64(max(n, 2)-1)+1) / 2}
	for i := range f.keys {
		seed = mix(seed)
		f.keys[i] = seed
	}
	f.done = make([]uint64, min(n, maxKnown))
	return f
}

// of is the frame of a page.
func (f *frames) of(page uint64) uint64 {
	if f.n == 0 {
		return page
	}
	page %= f.n
	if page < uint64(len(f.done)) {
		if f.done[page] == 0 {
			f.done[page] = f.find(page) + 1
		}
		return f.done[page] - 1
	}
	return f.find(page)
}

func (f *frames) find(page uint64) uint64 {
	mask := uint64(1)<<f.half - 1
	for {
		left, right := page>>f.half, page&mask
		for _, k := range f.keys {
			left, right = right, left^mix(right+k)&mask
		}
		if page = left<<f.half | right; page < f.n {
			return page
		}
	}
}

// mix is the finaliser of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
