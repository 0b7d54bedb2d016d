package tagstore

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/policy"
)

// policies is which line has to go: a policy for each part of the ways.
type policies struct {
	lineStates
	policy policy.Policy // of the first part
	parts  []part
	partOf []uint8 // [way]; nil with one part
}

// A part is a range of ways with a policy of its own.
type part struct {
	from, to int
	policy   policy.Policy
	pinned   bool // what is in stays; what finds no room goes to the first part
}

// Policy returns the policy, that of the first part where there are several.
func (c *policies) Policy() policy.Policy { return c.policy }

// Policies lists those of the parts.
func (c *policies) Policies() []policy.Policy {
	var out []policy.Policy
	for _, p := range c.parts {
		out = append(out, p.policy)
	}
	return out
}

// Uniform reports whether all lines are treated alike and only as whole: there are no sectors,
// partitions, prefetches and streams, and evictions of unused lines are counted.
func (c *policies) Uniform() bool {
	return c.valid == nil && c.used != nil && c.stream == nil && c.ahead == nil && c.partOf == nil
}

// Partition divides the ways of an empty cache: the first part keeps what the
// others leave. A pinned part gives no line up; what finds no room in it goes to
// the first part. New makes the policy of a part of so many ways.
func (c *policies) Partition(ways []int, pinned []bool, build func(ways int) (policy.Policy, error)) error {
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
func (c *policies) part(way int) *part {
	if c.partOf == nil {
		return &c.parts[0]
	}
	return &c.parts[c.partOf[way]]
}

// room finds a way for a missed line, and evicts what is in it; false if the
// policy keeps the line out.
func (c *policies) room(t *Touch, r *Result) bool {
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
func (c *policies) streaming(set int, p *part) int {
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

// emptyIn returns the lowest empty way of a part, or -1.
func (c *policies) emptyIn(set int, p *part) int {
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

// Invalidate empties the way of a line and reports whether it was there, and
// dirty.
func (c *policies) Invalidate(line uint64) (present, dirty bool) {
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
	c.dropAhead(i)
	c.free[set]++
	c.low[set] = min(c.low[set], uint16(w))
	if c.find != nil {
		c.find.remove(line)
	}
	p := c.part(w)
	p.policy.Evict(set, w-p.from)
	return true, dirty
}
