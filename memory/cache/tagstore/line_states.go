package tagstore

import "math/bits"

// lineStates is what is known of the line in each way, and the totals.
type lineStates struct {
	tagArray
	dirty   []uint8  // [set*ways+way] sectors to be written back
	valid   []uint8  // [set*ways+way] sectors that are there; nil: all
	used    []bool   // [set*ways+way] hit since the fill; nil: not recorded
	stream  []bool   // [set*ways+way] goes before all others; nil: none does
	sharers []uint64 // [set*ways+way] caches above that hold the line, by bit; nil: not recorded
	ahead   []bool   // [set*ways+way] prefetched and not hit yet; nil: no prefetcher
	whole   uint8    // all sectors
	soiled  bool     // some line has been dirty
	Count   Counts   // the totals so far
}

// Whole returns all sectors of a line.
func (c *lineStates) Whole() uint8 { return c.whole }

// Sectors divides the lines of an empty cache into 1 to 8 sectors.
func (c *lineStates) Sectors(n int) {
	c.whole = uint8(1<<n - 1)
	if n > 1 {
		c.valid = make([]uint8, len(c.tags))
	}
}

// Sectored reports whether lines have sectors of their own.
func (c *lineStates) Sectored() bool { return c.valid != nil }

// CountUnused makes the cache count lines that are evicted before an access has hit
// them.
func (c *lineStates) CountUnused() { c.used = make([]bool, len(c.tags)) }

// Streams makes room for lines that go before all others.
func (c *lineStates) Streams() { c.stream = make([]bool, len(c.tags)) }

// Share makes room to note which caches above hold each line.
func (c *lineStates) Share() { c.sharers = make([]uint64, len(c.tags)) }

// Shared reports whether it is noted which caches above hold each line.
func (c *lineStates) Shared() bool { return c.sharers != nil }

// Prefetches makes room to note which lines were brought ahead.
func (c *lineStates) Prefetches() { c.ahead = make([]bool, len(c.tags)) }

// Ahead reports whether the line in a way was prefetched and not accessed yet.
func (c *lineStates) Ahead(set, way int) bool { return c.ahead != nil && c.ahead[set*c.ways+way] }

// dropAhead notes that a line leaves its way: if it was prefetched, in vain so.
func (c *lineStates) dropAhead(i int) {
	if c.ahead != nil && c.ahead[i] {
		c.ahead[i] = false
		c.Count.Useless++
	}
}

// Prefetching reports whether lines are brought ahead.
func (c *lineStates) Prefetching() bool { return c.ahead != nil }

// Soiled reports whether some line has been dirty.
func (c *lineStates) Soiled() bool { return c.soiled }

// Counts returns the totals so far.
func (c *lineStates) Counts() Counts { return c.Count }

// evict takes the line in r's way out of the tags.
func (c *lineStates) evict(r *Result) {
	i := r.Set*c.ways + r.Way
	r.Evicted, r.Victim, r.Stale = true, c.tags[i]-1, c.dirty[i]
	c.Count.Evictions++
	c.dropAhead(i)
	if c.sharers != nil {
		r.Sharers, c.sharers[i] = c.sharers[i], 0
	}
	if r.Stale != 0 {
		r.Dirty = true
		c.Count.WriteBacks++
	}
	if c.find != nil {
		c.find.remove(r.Victim)
	}
}

// evictUnshared is evict in a cache of few ways that no other keeps in step: the tag of a clean
// line is of no interest, and is not looked at.
func (c *lineStates) evictUnshared(r *Result) {
	if i := r.Set*c.ways + r.Way; c.find != nil || c.dirty[i] != 0 {
		c.evict(r)
		return
	}
	r.Evicted = true
	c.Count.Evictions++
}

// Clean forgets that a line is dirty, and returns the sectors that were: they are
// to be written back.
func (c *lineStates) Clean(line uint64) (stale uint8) {
	set := c.index.Set(line)
	if w := c.Way(set, line); w >= 0 {
		i := set*c.ways + w
		stale, c.dirty[i] = c.dirty[i], 0
	}
	return stale
}

// Soil makes a line dirty; false if it is not there.
func (c *lineStates) Soil(line uint64) bool {
	set := c.index.Set(line)
	w := c.Way(set, line)
	if w >= 0 {
		c.dirty[set*c.ways+w] = c.whole
		c.soiled = true
	}
	return w >= 0
}

// Dirty is the number of sectors that are still to be written back.
func (c *lineStates) Dirty() (n uint64) {
	for _, d := range c.dirty {
		n += uint64(bits.OnesCount8(d))
	}
	return n
}

// Sharers returns the caches above, by bit, that hold the line in a way, for the caller to change.
func (c *lineStates) Sharers(set, way int) *uint64 { return &c.sharers[set*c.ways+way] }

// SharersOf is the caches above that hold a line.
func (c *lineStates) SharersOf(line uint64) uint64 {
	if c.sharers == nil {
		return 0
	}
	set := c.index.Set(line)
	if w := c.Way(set, line); w >= 0 {
		return c.sharers[set*c.ways+w]
	}
	return 0
}
