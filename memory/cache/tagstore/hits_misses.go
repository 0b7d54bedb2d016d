package tagstore

import "github.com/causeway-sim/causeway/memory/policy"

// Hit is Access to a line that is in a way of its set, in a Uniform store.
func (c *Store) Hit(set, way int, a *policy.Access) {
	c.Count.Accesses++
	c.Count.Hits++
	c.used[set*c.ways+way] = true
	c.policy.Hit(set, way, *a)
}

// Miss is Access to a line that is not in its set, a read, in a Uniform store without sharers.
// What it did is in r, which must be empty.
func (c *Store) Miss(set int, a *policy.Access, r *Result) {
	c.Count.Accesses++
	c.Count.Misses++
	r.Set = set
	switch {
	case c.free[set] > 0:
		r.Way = c.empty(set)
		c.free[set]--
	default:
		if r.Way = c.policy.Victim(set, *a); r.Way == policy.Bypass {
			c.Count.Bypasses++
			r.Bypassed = true
			return
		}
		if !c.used[set*c.ways+r.Way] {
			c.Count.Unused++
		}
		c.evictUnshared(r)
		c.policy.Evict(set, r.Way)
	}
	i := set*c.ways + r.Way
	c.place(set, r.Way, a.Line)
	c.dirty[i], c.used[i] = 0, false
	c.policy.Fill(set, r.Way, *a)
}
