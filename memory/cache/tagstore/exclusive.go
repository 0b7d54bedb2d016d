package tagstore

import "github.com/causeway-sim/causeway/memory/policy"

// MoveToUpper looks a line up for a cache above that keeps it: a hit takes it away, and tells
// whether it was dirty; a miss fills no line.
func (c *Store) MoveToUpper(t *Touch) (r Result, dirty bool) {
	c.Count.Accesses++
	r = Result{Set: c.index.Set(t.Line), Way: policy.Bypass}
	if c.Way(r.Set, t.Line) < 0 {
		c.Count.Misses++
		r.Fetch = t.Sectors
		return r, false
	}
	c.Count.Hits++
	r.Hit = true
	_, dirty = c.Invalidate(t.Line)
	return r, dirty
}

// Insert brings a line in that a cache above gave up. It is no access: only evictions
// count.
func (c *Store) Insert(t *Touch, dirty bool) Result {
	r := Result{Set: c.index.Set(t.Line), Way: policy.Bypass}
	mark := uint8(0)
	if dirty {
		mark, c.soiled = c.whole, true
	}
	if w := c.Way(r.Set, t.Line); w >= 0 { // another cache above had it too
		r.Hit, r.Way = true, w
		c.dirty[r.Set*c.ways+w] |= mark
		p := c.part(w)
		p.policy.Hit(r.Set, w-p.from, t.Access)
		return r
	}
	if t.NoFill || !c.room(t, &r) {
		r.Bypassed = dirty // else memory has it
		return r
	}
	i := r.Set*c.ways + r.Way
	c.place(r.Set, r.Way, t.Line)
	c.dirty[i] = mark
	if c.used != nil {
		c.used[i] = false
	}
	if c.stream != nil {
		c.stream[i] = t.Stream
	}
	p := c.part(r.Way)
	p.policy.Fill(r.Set, r.Way-p.from, t.Access)
	return r
}
