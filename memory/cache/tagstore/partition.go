package tagstore

import (
	"fmt"

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

// A place is the set of a line and the way in which it is, -1 if it is not there; good
// until the next change of the tags.
type place struct {
	known    bool
	set, way int
}

// Look finds the place of a touch.
func (c *Store) Look(t *Touch) (set, way int) {
	if !t.known {
		set = c.index.Set(t.Line)
		t.place = place{true, set, c.Way(set, t.Line)}
	}
	return t.set, t.way
}

// A part is a range of ways with a policy of its own.
type part struct {
	from, to int
	policy   policy.Policy
	pinned   bool // what is in stays; what finds no room goes to the first part
}

// Partition divides the ways of an empty cache: the first part keeps what the
// others leave. A pinned part gives no line up; what finds no room in it goes to
// the first part. New makes the policy of a part of so many ways.
func (c *Store) Partition(ways []int, pinned []bool, build func(ways int) (policy.Policy, error)) error {
	rest := c.ways
	for _, n := range ways {
		if n < 1 || n >= rest {
			return fmt.Errorf("partitions of %v ways leave none of %d", ways, c.ways)
		}
		rest -= n
	}
	c.partOf = make([]uint8, c.ways)
	c.parts = c.parts[:0]
	from := 0
	for i, n := range append([]int{rest}, ways...) {
		p, err := build(n)
		if err != nil {
			return err
		}
		c.parts = append(c.parts, part{from: from, to: from + n, policy: p, pinned: i > 0 && pinned[i-1]})
		for w := from; w < from+n; w++ {
			c.partOf[w] = uint8(i)
		}
		from += n
	}
	c.policy = c.parts[0].policy
	return nil
}

// part is the one that a way belongs to.
func (c *Store) part(way int) *part {
	if c.partOf == nil {
		return &c.parts[0]
	}
	return &c.parts[c.partOf[way]]
}

// Policies lists those of the parts.
func (c *Store) Policies() []policy.Policy {
	var out []policy.Policy
	for _, p := range c.parts {
		out = append(out, p.policy)
	}
	return out
}

// Sectors divides the lines of an empty cache into 1 to 8 sectors.
func (c *Store) Sectors(n int) {
	c.whole = uint8(1<<n - 1)
	if n > 1 {
		c.valid = make([]uint8, len(c.tags))
	}
}

// CountUnused makes the cache count lines that are evicted before an access has hit
// them.
func (c *Store) CountUnused() { c.used = make([]bool, len(c.tags)) }

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

// room finds a way for a missed line, and evicts what is in it; false if the
// policy keeps the line out.
func (c *Store) room(t *Touch, r *Result) bool {
	p := &c.parts[t.Part]
	if c.free[r.Set] > 0 {
		if w := c.emptyIn(r.Set, p); w >= 0 {
			r.Way = w
			c.free[r.Set]--
			return true
		}
	}
	if p.pinned {
		if p = &c.parts[0]; c.free[r.Set] > 0 {
			if w := c.emptyIn(r.Set, p); w >= 0 {
				r.Way = w
				c.free[r.Set]--
				return true
			}
		}
	}
	w := c.streaming(r.Set, p)
	if w < 0 {
		w = p.policy.Victim(r.Set, t.Access)
	}
	if w == policy.Bypass {
		return false
	}
	r.Way = w + p.from
	if c.used != nil && !c.used[r.Set*c.ways+r.Way] {
		c.Count.Unused++
	}
	c.evict(r)
	p.policy.Evict(r.Set, w)
	return true
}

// streaming returns the lowest way of a part, counted within it, that holds a line
// to go before all others, or -1.
func (c *Store) streaming(set int, p *part) int {
	if c.stream == nil {
		return -1
	}
	for w := p.from; w < p.to; w++ {
		if c.stream[set*c.ways+w] {
			return w - p.from
		}
	}
	return -1
}

// Streams makes room for lines that go before all others.
func (c *Store) Streams() { c.stream = make([]bool, len(c.tags)) }

// emptyIn returns the lowest empty way of a part, or -1.
func (c *Store) emptyIn(set int, p *part) int {
	if c.partOf == nil {
		return c.empty(set)
	}
	row := c.tags[set*c.ways:][:c.ways]
	for w := p.from; w < p.to; w++ {
		if row[w] == 0 {
			return w
		}
	}
	return -1
}
