package tagstore

import (
	"fmt"
	"math/bits"

	"github.com/causeway-sim/causeway/memory/policy"
)

// A Result says what one access did.
type Result struct {
	Hit      bool
	Bypassed bool   // a miss that was not filled
	Evicted  bool   // a line had to go
	Dirty    bool   // and must be written back
	First    bool   // the hit is the first of a prefetched line
	Fetch    uint8  // sectors of the line that have to be brought
	Stale    uint8  // sectors of the victim that must be written back
	Set, Way int    // of the line; Way is policy.Bypass if it is not there
	Victim   uint64 // the line that went

	Sharers uint64 // caches above that held it
}

// Counts are the totals of a Store. A hit finds the line and all of it that the
// access needs.
type Counts struct {
	Accesses, Hits, Misses, Bypasses, Evictions, WriteBacks uint64
	SectorMisses                                            uint64 // misses that found the line, but not the sectors
	Unused                                                  uint64 // evictions of lines without a hit
	Prefetches, Useful                                      uint64 // lines brought ahead, and those of them that were hit
}

// A Store is the state of a cache without time: tags and a policy.
type Store struct {
	index     Index
	ways      int
	tags      []uint64      // [set*ways+way] line plus 1; 0 is empty
	tagHashes tagHashes     // of caches of few ways
	dirty     []uint8       // [set*ways+way] sectors to be written back
	valid     []uint8       // [set*ways+way] sectors that are there; nil: all
	used      []bool        // [set*ways+way] hit since the fill; nil: not recorded
	stream    []bool        // [set*ways+way] goes before all others; nil: none does
	sharers   []uint64      // [set*ways+way] caches above that hold the line, by bit; nil: not recorded
	ahead     []bool        // [set*ways+way] prefetched and not hit yet; nil: no prefetcher
	whole     uint8         // all sectors
	soiled    bool          // some line has been dirty
	free      []uint16      // [set] empty ways
	low       []uint16      // [set] no way below is empty
	find      *lineMap      // of caches of many ways
	policy    policy.Policy // of the first part
	parts     []part
	partOf    []uint8            // [way]; nil with one part
	blind     policy.Indifferent // nil: the policy looks at hits, or LookAtPolicy was not called
	recent    []uint64           // orders of a policy that keeps nothing else
	Count     Counts             // the totals so far
}

// scanWays is the number of ways up to which a scan is faster than a hash table.
const scanWays = 64

// New makes an empty cache. The policy must be made for index.Sets() sets of
// that many ways.
func New(index Index, ways int, p policy.Policy) *Store {
	if ways < 1 || ways > 1<<16-1 {
		panic(fmt.Sprintf("tagstore: %d ways", ways))
	}
	n := index.Sets() * ways
	c := &Store{index: index, ways: ways, tags: make([]uint64, n), dirty: make([]uint8, n), whole: 1, free: make([]uint16, index.Sets()), low: make([]uint16, index.Sets()), policy: p, parts: []part{{to: ways, policy: p}}}
	for s := range c.free {
		c.free[s] = uint16(ways)
	}
	if ways > scanWays {
		c.find = newLineMap(n)
	} else {
		c.tagHashes = newTagHashes(index.Sets(), ways)
	}
	return c
}

// Size returns the lines that there is room for.
func (c *Store) Size() int { return len(c.tags) }

// Sets returns the sets of all slices together.
func (c *Store) Sets() int { return c.index.Sets() }

// Set returns the set of a line among those of all slices.
func (c *Store) Set(line uint64) int { return c.index.Set(line) }

// Slice returns the slice of a line.
func (c *Store) Slice(line uint64) int { return c.index.Slice(line) }

// Policy returns the policy, that of the first part where there are several.
func (c *Store) Policy() policy.Policy { return c.policy }

// Whole returns all sectors of a line.
func (c *Store) Whole() uint8 { return c.whole }

// Sectored reports whether lines have sectors of their own.
func (c *Store) Sectored() bool { return c.valid != nil }

// Soiled reports whether some line has been dirty.
func (c *Store) Soiled() bool { return c.soiled }

// Counts returns the totals so far.
func (c *Store) Counts() Counts { return c.Count }

// Ways returns the ways of each set.
func (c *Store) Ways() int { return c.ways }

// Way returns where a line is, or -1.
func (c *Store) Way(set int, line uint64) int {
	if c.find != nil {
		return c.find.get(line)
	}
	return c.tagHashes.find(set, line, c.tags[set*c.ways:][:c.ways])
}

// place notes that a line is in a way now.
func (c *Store) place(set, way int, line uint64) {
	c.tags[set*c.ways+way] = line + 1
	if c.find != nil {
		c.find.put(line, way)
	} else {
		c.tagHashes.put(set, way, line)
	}
}

// Access looks a line up and, on a miss, brings it in unless the policy
// bypasses it. Empty ways are filled first, the lowest first. A write makes the
// line dirty.
//
// It is the shorter way for caches without sectors and partitions; Touch is the
// whole of it.
func (c *Store) Access(a policy.Access) Result {
	c.Count.Accesses++
	set := c.index.Set(a.Line)
	if w := c.Way(set, a.Line); w >= 0 {
		c.Count.Hits++
		c.policy.Hit(set, w, a)
		if a.Write {
			c.dirty[set*c.ways+w] |= c.whole
			c.soiled = true
		}
		return Result{Hit: true, Set: set, Way: w}
	}
	c.Count.Misses++
	r := Result{Set: set, Fetch: c.whole}
	if c.free[set] > 0 {
		r.Way = c.empty(set)
		c.free[set]--
	} else {
		r.Way = c.policy.Victim(set, a)
		if r.Way == policy.Bypass {
			c.Count.Bypasses++
			r.Bypassed = true
			return r
		}
		c.evict(&r)
		c.policy.Evict(set, r.Way)
	}
	c.place(set, r.Way, a.Line)
	c.dirty[set*c.ways+r.Way] = 0
	if a.Write {
		c.dirty[set*c.ways+r.Way] = c.whole
		c.soiled = true
	}
	c.policy.Fill(set, r.Way, a)
	return r
}

// evict takes the line in r's way out of the tags.
func (c *Store) evict(r *Result) {
	i := r.Set*c.ways + r.Way
	r.Evicted, r.Victim, r.Stale = true, c.tags[i]-1, c.dirty[i]
	c.Count.Evictions++
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
func (c *Store) evictUnshared(r *Result) {
	if i := r.Set*c.ways + r.Way; c.find != nil || c.dirty[i] != 0 {
		c.evict(r)
		return
	}
	r.Evicted = true
	c.Count.Evictions++
}

// empty returns the lowest empty way of a set that has one.
func (c *Store) empty(set int) int {
	w := int(c.low[set])
	for row := c.tags[set*c.ways:][:c.ways]; row[w] != 0; {
		w++
	}
	c.low[set] = uint16(w)
	return w
}

// Invalidate empties the way of a line and reports whether it was there, and
// dirty.
func (c *Store) Invalidate(line uint64) (present, dirty bool) {
	set := c.index.Set(line)
	w := c.Way(set, line)
	if w < 0 {
		return false, false
	}
	i := set*c.ways + w
	dirty = c.dirty[i] != 0
	c.tags[i], c.dirty[i] = 0, 0
	if c.sharers != nil {
		c.sharers[i] = 0
	}
	if c.stream != nil {
		c.stream[i] = false
	}
	if c.ahead != nil {
		c.ahead[i] = false
	}
	c.free[set]++
	c.low[set] = min(c.low[set], uint16(w))
	if c.find != nil {
		c.find.remove(line)
	}
	p := c.part(w)
	p.policy.Evict(set, w-p.from)
	return true, dirty
}

// Clean forgets that a line is dirty, and returns the sectors that were: they are
// to be written back.
func (c *Store) Clean(line uint64) (stale uint8) {
	set := c.index.Set(line)
	if w := c.Way(set, line); w >= 0 {
		i := set*c.ways + w
		stale, c.dirty[i] = c.dirty[i], 0
	}
	return stale
}

// Dirty is the number of sectors that are still to be written back.
func (c *Store) Dirty() (n uint64) {
	for _, d := range c.dirty {
		n += uint64(bits.OnesCount8(d))
	}
	return n
}

// Held is the number of lines that are there.
func (c *Store) Held() uint64 {
	free := 0
	for _, n := range c.free {
		free += int(n)
	}
	return uint64(len(c.tags) - free)
}

// Has reports whether a line is there, with all of its sectors or not. The policy
// does not learn of it.
func (c *Store) Has(line uint64) bool { return c.Way(c.index.Set(line), line) >= 0 }

// Lines returns the lines of a set by way, empty ways left out.
func (c *Store) Lines(set int) []uint64 {
	var out []uint64
	for _, t := range c.tags[set*c.ways:][:c.ways] {
		if t != 0 {
			out = append(out, t-1)
		}
	}
	return out
}
