package tagstore

import (
	"fmt"

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
	Prefetches, Useful, Useless                             uint64 // lines brought ahead, those of them that were hit, and those that went without
}

// A Store is the state of a cache without time: tags and a policy. It is made of layers, each of which knows
// those before it alone: tagArray, lineStates, policies.
type Store struct {
	policies
	blind  policy.HitAnyPolicy // nil: the policy looks at hits, or LookAtPolicy was not called
	recent []uint64            // orders of a policy that keeps nothing else
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
	c := &Store{}
	c.tagArray = tagArray{index: index, ways: ways, tags: make([]uint64, n), free: make([]uint16, index.Sets()), low: make([]uint16, index.Sets())}
	c.dirty, c.whole = make([]uint8, n), 1
	c.policy, c.parts = p, []part{{to: ways, policy: p}}
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
