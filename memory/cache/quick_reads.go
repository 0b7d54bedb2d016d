package cache

import (
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// Takes implements block.Quick: reads of one line each, as long as nothing was written that
// an eviction would have to send below.
func (c *quick) Takes(r *block.Reads) bool {
	if !c.plain || c.core.Soiled() || r.Bytes > uint64(c.spec.Line) {
		return false
	}
	l := c.under(r)
	return l != nil && l.Takes(&c.missed)
}

// under makes missed what such reads may want from below, and returns the link that leads
// there, nil if there are several.
func (c *quick) under(r *block.Reads) *block.Link {
	q, line := &c.missed, uint64(c.spec.Line)
	q.Bytes, q.Least, q.Greatest = line, c.layout.Start(c.layout.Of(r.Least)), c.layout.Start(c.layout.Of(r.Greatest))
	l := c.below.Only.Find(q.Least, line, c.below.Homes, c.below.Out)
	if l == nil || !c.below.Only.Holds(q.Least, q.Greatest, line) {
		return nil
	}
	return l
}

// Reads implements block.Quick.
func (c *quick) Reads(r *block.Reads) int {
	if !c.Takes(r) {
		return 0
	}
	k, q := c.core, &c.missed
	q.Begin()
	before, reads := k.Count, c.tagReads(r)
	n := 0
	for {
		if n = k.HitAll(reads, n); n == len(r.Addr) {
			break
		}
		addr := r.Addr[n]
		line := addr >> c.layout.Shift
		if (addr+r.Bytes-1)>>c.layout.Shift != line {
			break
		}
		k.Bring(policy.Access{Line: line, PC: r.PC[n], Core: uint16(r.Core[n])})
		q.Add(line<<c.layout.Shift, r.PC[n], r.Core[n])
		r.Wait(n, 0)
		n++
	}
	hits := uint64(n - len(q.Addr))
	k.Count.Accesses += hits
	k.Count.Hits += hits
	c.count.Reads += uint64(n)
	c.count.ReadBytes += uint64(n) * r.Bytes
	if c.profile != nil && n > 0 {
		c.profile.Many(uint64(n), hits, k.Count.Bypasses-before.Bypasses)
	}
	c.readsBelow(r)
	return n
}

// readsBelow has the next memory do what missed has, and notes how long that takes.
func (c *quick) readsBelow(r *block.Reads) {
	q := &c.missed
	if len(q.Addr) == 0 {
		return
	}
	l := c.under(r)
	if l.Reads(q) != len(q.Addr) {
		panic("cache: " + c.Name() + ": a memory did fewer reads than it takes")
	}
	c.below.Sent.Reads += uint64(len(q.Addr))
	c.below.Sent.ReadBytes += uint64(len(q.Addr)) * q.Bytes
	for i := range r.Late {
		r.Late[i] = l.Trip()
	}
	for j, i := range q.Waits {
		r.Late[i] += q.Late[j]
	}
}

// Seen implements block.Quick.
func (c *quick) Seen(r *block.Reads) {
	if r.N == 0 {
		return
	}
	k := &c.count
	if k.Requests() == uint64(r.N) {
		k.first = r.First
	}
	k.answered += uint64(r.N)
	k.last = max(k.last, r.Last)
	for j, late := range r.Late {
		k.latency += late
		k.latencyMax = max(k.latencyMax, late)
		k.last = max(k.last, r.At[j]+late)
	}
	if q := &c.missed; len(r.At) > 0 {
		q.First, q.Last = r.At[0], r.At[len(r.At)-1]
		for _, i := range q.Waits {
			q.At = append(q.At, r.At[i])
		}
		l := c.under(r)
		l.Seen(q, k.last)
	}
}

// Hits implements block.Quick: reads of one line each that find it.
func (c *quick) Hits(q *block.Reads) int {
	if !c.plain {
		return 0
	}
	n := c.core.HitAll(c.tagReads(q), 0)
	c.core.Count.Accesses += uint64(n)
	c.core.Count.Hits += uint64(n)
	c.count.Reads += uint64(n)
	c.count.ReadBytes += uint64(n) * q.Bytes
	if c.profile != nil && n > 0 {
		c.profile.Hits(uint64(n))
	}
	return n
}

// tagReads is reads as the tags take them.
func (c *quick) tagReads(q *block.Reads) *tagstore.Reads {
	return &tagstore.Reads{Addr: q.Addr, PC: q.PC, Core: q.Core, Bytes: q.Bytes, Shift: c.layout.Shift}
}

// Saw implements block.Quick.
func (c *quick) Saw(n int, first, last uint64) {
	if c.count.Reads+c.count.Writes == uint64(n) {
		c.count.first = first
	}
	c.count.answered += uint64(n)
	c.count.last = max(c.count.last, last)
}
