package cache

import "math/bits"

// marks keep one byte of a hash per way, eight of them in a word, so that a set
// is searched a word at a time. A mark only says where to look: the tag decides.
type marks struct {
	words int      // per set
	word  []uint64 // [set*words+way/8]
}

func newMarks(sets, ways int) marks {
	words := (ways + 7) / 8
	return marks{words, make([]uint64, sets*words)}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// mark is the top byte of Fibonacci hashing.
func mark(line uint64) uint64 { return line * 0x9e3779b97f4a7c15 >> 56 }

func (m *marks) put(set, way int, line uint64) {
	w := &m.word[set*m.words+way/8]
	shift := way % 8 * 8
	*w = *w&^(0xff<<shift) | mark(line)<<shift
}

// find returns the way whose tag is line plus 1, or -1.
func (m *marks) find(set int, line uint64, tags []uint64) int {
	want := mark(line) * ones
	for j, word := range m.word[set*m.words:][:m.words] {
		x := word ^ want
		// Bytes that are zero get their high bit; some above one may as well.
		for zero := (x - ones) &^ x & highs; zero != 0; zero &= zero - 1 {
			if w := j*8 + bits.TrailingZeros64(zero)/8; w < len(tags) && tags[w] == line+1 {
				return w
			}
		}
	}
	return -1
}
