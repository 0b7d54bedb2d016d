package tagstore

import (
	"github.com/causeway-sim/causeway/memory/policy"
)

// A Touch is one access in all detail.
type Touch struct {
	policy.Access
	Sectors uint8 // that are accessed, bit 0 the lowest; of caches without sectors 1
	Whole   uint8 // of those, the ones that a write overwrites altogether
	Part    int   // partition whose ways a miss may take
	NoFill  bool  // a miss fills no line; the policy does not learn of it
	Stream  bool  // a line that this brings goes before all others
	Clean   bool  // a write goes below at once and leaves nothing dirty

	place // once it was looked up
}

// Touch is Access with sectors, partitions and ways to write. A line of which a
// sector is missing is a miss that fills only that; Fetch says what has to be
// brought: of a write, only sectors that it changes in part.
func (c *Store) Touch(t Touch) Result { return c.Apply(&t) }

// Apply is Touch without a copy; it notes in t where the line is.
func (c *Store) Apply(t *Touch) Result {
	c.Count.Accesses++
	need := t.Sectors
	if t.Write {
		need &^= t.Whole
	}
	set, w := c.Look(t)
	if w >= 0 {
		return c.touchHit(t, set, w, need)
	}
	c.Count.Misses++
	r := Result{Set: set, Way: policy.Bypass, Fetch: need}
	if t.NoFill || !c.room(t, &r) {
		c.Count.Bypasses++
		r.Bypassed = true
		return r
	}
	i := set*c.ways + r.Way
	c.place(set, r.Way, t.Line)
	c.dirty[i] = 0
	if t.Write && !t.Clean {
		c.dirty[i] = t.Sectors
		c.soiled = true
	}
	if c.valid != nil {
		c.valid[i] = t.Sectors
	}
	if c.used != nil {
		c.used[i] = false
	}
	if c.stream != nil {
		c.stream[i] = t.Stream
	}
	if c.ahead != nil {
		c.ahead[i] = false
	}
	p := c.part(r.Way)
	p.policy.Fill(set, r.Way-p.from, t.Access)
	return r
}

// Bring is Touch for a read of a line that is not there, in a cache that counts unused lines
// and has no sectors, partitions, prefetches, streams and sharers.
func (c *Store) Bring(a policy.Access) (r Result) {
	c.Count.Accesses++
	c.Count.Misses++
	set := c.index.Set(a.Line)
	r.Set, r.Fetch = set, c.whole
	if c.free[set] > 0 {
		r.Way = c.empty(set)
		c.free[set]--
	} else {
		if r.Way = c.policy.Victim(set, a); r.Way == policy.Bypass {
			c.Count.Bypasses++
			r.Bypassed = true
			return r
		}
		if !c.used[set*c.ways+r.Way] {
			c.Count.Unused++
		}
		c.evict(&r)
		c.policy.Evict(set, r.Way)
	}
	c.place(set, r.Way, a.Line)
	i := set*c.ways + r.Way
	c.dirty[i], c.used[i] = 0, false
	c.policy.Fill(set, r.Way, a)
	return r
}

// Lacks returns the sectors that a Touch would have to bring, and whether the
// line is there. Nothing changes.
func (c *Store) Lacks(t *Touch) (fetch uint8, present bool) {
	need := t.Sectors
	if t.Write {
		need &^= t.Whole
	}
	set, w := c.Look(t)
	switch {
	case w < 0 && t.Write && t.NoFill:
		return 0, false
	case w < 0:
		return need, false
	case c.valid == nil:
		return 0, true
	}
	return need &^ c.valid[set*c.ways+w], true
}

func (c *Store) touchHit(t *Touch, set, w int, need uint8) Result {
	i := set*c.ways + w
	r := Result{Set: set, Way: w, Hit: true}
	if c.valid != nil {
		r.Fetch = need &^ c.valid[i]
		r.Hit = r.Fetch == 0
		c.valid[i] |= t.Sectors
	}
	if r.Hit {
		c.Count.Hits++
	} else {
		c.Count.Misses++
		c.Count.SectorMisses++
	}
	if c.used != nil {
		c.used[i] = true
	}
	if c.ahead != nil && c.ahead[i] {
		c.ahead[i], r.First = false, true
		c.Count.Useful++
	}
	if c.stream != nil {
		c.stream[i] = c.stream[i] && t.Stream
	}
	if t.Write && !t.Clean {
		c.dirty[i] |= t.Sectors
		c.soiled = true
	}
	p := c.part(w)
	p.policy.Hit(set, w-p.from, t.Access)
	return r
}
