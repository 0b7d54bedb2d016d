package fabric

import "sync"

// A pool holds the packets of a network. They do not move, so that a part may make one
// while others use theirs. Which number a packet has decides nothing.
type pool struct {
	mu     sync.Mutex
	chunks [][]packet // of several parts: as long as it may get, so that it does not move
	made   int        // of chunks
	spare  []int32    // of parts that had too many
}

const (
	chunkBits = 8
	chunk     = 1 << chunkBits
	// mostChunks bounds the packets of a network of several parts: 2^25, of 64 bytes.
	mostChunks = 1 << 17
)

func (l *pool) at(id int32) *packet { return &l.chunks[id>>chunkBits][id&(chunk-1)] }

// fix prepares an empty pool for several parts.
func (l *pool) fix() { l.chunks = make([][]packet, mostChunks) }

// grow adds packets to a list of free ones.
func (l *pool) grow(free []int32) []int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.spare); n >= chunk {
		free = append(free, l.spare[n-chunk:]...)
		l.spare = l.spare[:n-chunk]
		return free
	}
	if l.made == len(l.chunks) {
		l.chunks = append(l.chunks, nil)
	}
	l.chunks[l.made] = make([]packet, chunk)
	base := int32(l.made << chunkBits)
	l.made++
	for i := int32(chunk - 1); i >= 0; i-- {
		if id := base + i; id != 0 { // 0 is no packet
			free = append(free, id)
		}
	}
	return free
}

// give takes some of the free packets of a part that has many.
func (l *pool) give(free []int32) []int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(free) - chunk
	l.spare = append(l.spare, free[n:]...)
	return free[:n]
}
