package tagstore

import "math/bits"

// tagHashes keep one byte of a hash per way, eight of them in a word, so that a set
// is searched a word at a time. A mark only says where to look: the tag decides.
type tagHashes struct {
	words int      // per set
	word  []uint64 // [set*words+way/8]
}

func newTagHashes(sets, ways int) tagHashes {
	words := (ways + 7) / 8
	return tagHashes{words, make([]uint64, sets*words)}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// tagHash is the top byte of Fibonacci hashing.
func tagHash(line uint64) uint64 { return line * 0x9e3779b97f4a7c15 >> 56 }

func (m *tagHashes) put(set, way int, line uint64) {
	w := &m.word[set*m.words+way/8]
	shift := way % 8 * 8
	*w = *w&^(0xff<<shift) | tagHash(line)<<shift
}

// find returns the way whose tag is line plus 1, or -1.
func (m *tagHashes) find(set int, line uint64, tags []uint64) int {
	if m.words == 2 { // what most caches have
		return m.pair(set, line, tags)
	}
	want := tagHash(line) * ones
	for j, word := range m.word[set*m.words:][:m.words] {
		for at := zeros(word ^ want); at != 0; at &= at - 1 {
			if w := j*8 + bits.TrailingZeros64(at); w < len(tags) && tags[w] == line+1 {
				return w
			}
		}
	}
	return -1
}

// pair is find for two words per set, which it looks at as one.
func (m *tagHashes) pair(set int, line uint64, tags []uint64) int {
	want := tagHash(line) * ones
	row := m.word[set*2:][:2]
	for at := zeros(row[0]^want) | zeros(row[1]^want)<<8; at != 0; at &= at - 1 {
		if w := bits.TrailingZeros64(at); w < len(tags) && tags[w] == line+1 {
			return w
		}
	}
	return -1
}

// zeros is a bit for each byte that is zero; some above one may have theirs as well.
func zeros(x uint64) uint64 {
	return ((x - ones) &^ x & highs >> 7) * 0x0102040810204080 >> 56
}
