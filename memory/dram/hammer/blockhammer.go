package hammer

import "math/rand/v2"

// blockHammer counts the rows of each bank in two counting Bloom filters. Both count every
// activation; one of them is asked. After half a refresh window the one that was asked is cleared,
// with new hash functions, and the other is asked. A row that the filter counts threshold times or more is
// on the blacklist: it is opened no sooner than a delay after its last activation, so that no row is
// activated more than limit times in two such halves one after the other.
//
// A refresh window that begins within a half may have more: twice the threshold, and what the delay
// leaves of half a window. With a limit of twice the threshold that is 5/4 of the limit.
//
// Deviations: the last activation of each row is kept, in place of a history of all activations of
// a rank within the delay, which says the same. Threads are not throttled (AttackThrottler), since
// requests do not name their thread.
//
// Reference: Yağlıkçı et al., HPCA 2021, sections 3.1 and 4, equation 1.
type blockHammer struct {
	threshold int
	delay     int64 // clocks
	epoch     int64 // clocks: half a refresh window
	until     int64 // clock at which the filter is cleared
	asked     int   // index of the filter
	banks     []filtered
	black     [2]uint64 // banks with rows on the blacklist, by filter
	hash      [2]hashes
	random    *rand.PCG
	size      int
	rows      int
}

// A filtered is what is kept of a bank.
type filtered struct {
	filters [2][]int32 // nil until the first activation
	last    []int64    // clock of the last activation plus 1, by row
}

// functions is how many hash functions a filter has.
const functions = 4

// A hashes is hash functions of class H3: a word for each bit of a row.
type hashes [functions][32]uint32

func newBlockHammer(c Chip, threshold, limit, size int) *blockHammer {
	b := &blockHammer{threshold: threshold, epoch: max(1, c.Clocks/2), banks: make([]filtered, c.Banks), random: c.Random, size: size, rows: c.Rows}
	// of equation 1, with a filter that lives as long as a refresh window
	b.delay = max(0, c.Clocks-int64(threshold*c.Cycle)+int64(limit-threshold)-1) / int64(limit-threshold)
	b.until = b.epoch
	if b.random == nil {
		b.random = rand.NewPCG(1, 1)
	}
	b.draw(0)
	b.draw(1)
	return b
}

// draw gives a filter new hash functions.
func (b *blockHammer) draw(filter int) {
	for f := range b.hash[filter] {
		for i := range b.hash[filter][f] {
			b.hash[filter][f][i] = uint32(b.random.Uint64() >> 32)
		}
	}
}

// at is the counters of a row in a filter.
func (b *blockHammer) at(filter int, row uint32) (out [functions]int) {
	for f := range b.hash[filter] {
		h := uint32(0)
		for i, r := 0, row; r != 0; i, r = i+1, r>>1 {
			if r&1 != 0 {
				h ^= b.hash[filter][f][i]
			}
		}
		out[f] = int(h) % b.size
	}
	return out
}

// count is how often a filter counts a row: at least as often as it was activated.
func (b *blockHammer) count(bank, filter int, row uint32) int {
	n := int32(1<<31 - 1)
	for _, i := range b.at(filter, row) {
		n = min(n, b.banks[bank].filters[filter][i])
	}
	return int(n)
}

// turn changes filters when it is time.
func (b *blockHammer) turn(now int64) {
	for now >= b.until {
		for i := range b.banks {
			clear(b.banks[i].filters[b.asked])
		}
		b.black[b.asked] = 0
		b.draw(b.asked)
		b.asked = 1 - b.asked
		b.until += b.epoch
	}
}

// Activated implements Defence.
func (b *blockHammer) Activated(bank int, row uint32, at int64) Ask {
	b.turn(at)
	x := &b.banks[bank]
	if x.last == nil {
		x.filters = [2][]int32{make([]int32, b.size), make([]int32, b.size)}
		x.last = make([]int64, b.rows)
	}
	x.last[row] = at + 1
	for f := range x.filters {
		least, places := int32(1<<31-1), b.at(f, row)
		for i, p := range places {
			if !within(places[:i], p) { // two functions may name one counter
				x.filters[f][p]++
			}
			least = min(least, x.filters[f][p])
		}
		if int(least) >= b.threshold {
			b.black[f] |= 1 << bank
		}
	}
	return Ask{}
}

func within(list []int, x int) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// Delays implements Delayer.
func (b *blockHammer) Delays(now int64) uint64 {
	b.turn(now)
	return b.black[b.asked]
}

// Until implements Delayer.
func (b *blockHammer) Until(bank int, row uint32, now int64) int64 {
	x := &b.banks[bank]
	if b.black[b.asked]>>bank&1 == 0 || x.last[row] == 0 || b.count(bank, b.asked, row) < b.threshold {
		return now
	}
	at := x.last[row] - 1 + b.delay
	switch {
	case at > b.until && b.count(bank, 1-b.asked, row) < b.threshold:
		at = b.until
	case at > b.until+b.epoch:
		at = b.until + b.epoch
	}
	return max(at, now)
}

// Refreshed implements Defence.
func (*blockHammer) Refreshed(int) {}

// Managed implements Defence.
func (*blockHammer) Managed(int) (uint32, bool) { return 0, false }
