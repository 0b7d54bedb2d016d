package prefetch

// sppFilter remembers lines that were called for and used, by a part of their hash.
type sppFilter struct {
	tags  []uint64
	state []uint8 // sppBrought, sppUsed
}

const (
	sppBrought = 1 << iota // called for with certainty
	sppUsed                // accessed
)

const sppRemainder = 6 // bits of a tag

func newSPPFilter(entries int) sppFilter {
	return sppFilter{tags: make([]uint64, entries), state: make([]uint8, entries)}
}

// of returns the entry of a line, and its tag.
func (f *sppFilter) of(line uint64) (at, tag uint64) {
	h := sppHash(line)
	return h >> sppRemainder & uint64(len(f.tags)-1), h & (1<<sppRemainder - 1)
}

// admit reports whether a line has not been called for or used, and notes one that is sure.
func (f *sppFilter) admit(line uint64, sure bool) bool {
	at, tag := f.of(line)
	if f.state[at] != 0 && f.tags[at] == tag {
		return false
	}
	if sure {
		f.state[at], f.tags[at] = sppBrought, tag
	}
	return true
}

// demand notes an access, and reports whether it is the first to a line that was called for.
func (f *sppFilter) demand(line uint64) (useful bool) {
	at, tag := f.of(line)
	if f.tags[at] != tag || f.state[at]&sppUsed != 0 {
		return false
	}
	f.state[at] |= sppUsed
	return f.state[at]&sppBrought != 0
}

// evict frees the entry of a line, and reports whether it was called for and not used.
func (f *sppFilter) evict(line uint64) (useless bool) {
	at, _ := f.of(line)
	useless = f.state[at] == sppBrought
	f.state[at], f.tags[at] = 0, 0
	return useless
}

// sppHash is Jenkins' mix of 32 bits, carried out in 64, and Knuth's multiplication.
func sppHash(key uint64) uint64 {
	key += key << 12
	key ^= key >> 22
	key += key << 4
	key ^= key >> 9
	key += key << 10
	key ^= key >> 2
	key += key << 7
	key ^= key >> 12
	return key >> 3 * 2654435761
}
