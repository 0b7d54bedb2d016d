package hammer

import "slices"

// An Access is a burst of counters that a defence reads or writes in memory.
type Access struct {
	Bank     int
	Row, Col uint32 // Col is the number of a burst in the row
	Write    bool
}

// A counterTable says where the counters of rows lie: in the last rows of all banks, by turns.
type counterTable struct {
	rows, banks int
	burst       int // bytes
	bytes       int // of a counter
	columns     int // bursts of a row
	first       int // row of the table
}

func newCounterTable(c Chip, most int) counterTable {
	t := counterTable{rows: c.Rows, banks: c.Banks, burst: c.Burst, bytes: 1, columns: c.Columns}
	for most >= 1<<(8*t.bytes) {
		t.bytes *= 2
	}
	lines := (t.rows*t.banks*t.bytes + t.burst - 1) / t.burst
	each := t.banks * t.columns
	t.first = t.rows - (lines+each-1)/each
	return t
}

// line is the burst of the table with the counter of a row.
func (t *counterTable) line(bank, row int) int { return (bank*t.rows + row) * t.bytes / t.burst }

// access is the access to a burst.
func (t *counterTable) access(line int, write bool) Access {
	at := line / t.banks
	return Access{Bank: line % t.banks, Row: uint32(t.rows - 1 - at/t.columns), Col: uint32(at % t.columns), Write: write}
}

// ways is how many counters a set of the cache has.
const ways = 16

// A countCache is the tags of a cache of counters, with static re-reference interval prediction
// of two bits.
//
// Reference: Jaleel et al., ISCA 2010, section 4.
type countCache struct {
	sets, ways int
	tags       []int // by set and way, -1 if there is none
	far        []uint8
}

// farthest is the interval of a counter that may be replaced.
const farthest = 3

func newCountCache(entries int) countCache {
	c := countCache{sets: max(1, entries/ways), ways: min(entries, ways)}
	c.tags, c.far = slices.Repeat([]int{-1}, c.sets*c.ways), slices.Repeat([]uint8{farthest}, c.sets*c.ways)
	return c
}

// use looks a counter up and brings it in on a miss. out is the counter that it replaces, -1 if none.
func (c *countCache) use(tag int) (out int, hit bool) {
	from := tag % c.sets * c.ways
	tags, far := c.tags[from:from+c.ways], c.far[from:from+c.ways]
	if i := slices.Index(tags, tag); i >= 0 {
		far[i] = 0
		return -1, true
	}
	i := slices.Index(tags, -1)
	for i < 0 {
		if i = slices.Index(far, farthest); i < 0 {
			for k := range far {
				far[k]++
			}
		}
	}
	out = tags[i]
	tags[i], far[i] = tag, farthest-1
	return out, false
}

// drop removes counters from one to before another.
func (c *countCache) drop(from, to int) {
	for i, t := range c.tags {
		if t >= from && t < to {
			c.tags[i], c.far[i] = -1, farthest
		}
	}
}
