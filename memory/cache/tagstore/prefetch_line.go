package tagstore

import "github.com/causeway-sim/causeway/memory/policy"

// Prefetch brings a line in that no access has asked for yet, unless it is there or
// the policy keeps it out. It is no access: only evictions and prefetches count.
func (c *Store) Prefetch(t Touch) Result {
	set := c.index.Set(t.Line)
	r := Result{Set: set, Way: policy.Bypass}
	if t.NoFill || c.Way(set, t.Line) >= 0 || !c.room(&t, &r) {
		r.Bypassed = true
		return r
	}
	c.Count.Prefetches++
	i := set*c.ways + r.Way
	c.place(set, r.Way, t.Line)
	c.dirty[i], c.ahead[i] = 0, true
	if c.valid != nil {
		c.valid[i] = c.whole
	}
	if c.used != nil {
		c.used[i] = false
	}
	if c.stream != nil {
		c.stream[i] = t.Stream
	}
	r.Fetch = c.whole
	p := c.part(r.Way)
	p.policy.Fill(set, r.Way-p.from, t.Access)
	return r
}
