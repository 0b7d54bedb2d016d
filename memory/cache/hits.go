package cache

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/policy"
)

// Hits implements block.Quick: reads of one line each that find it.
func (c *Functional) Hits(q *block.Reads) int {
	if !c.plain {
		return 0
	}
	n := c.hitAll(q, 0)
	c.core.counts.Accesses += uint64(n)
	c.core.counts.Hits += uint64(n)
	c.count.Reads += uint64(n)
	c.count.ReadBytes += uint64(n) * q.Bytes
	if c.profile != nil && n > 0 {
		c.profile.hits(uint64(n))
	}
	return n
}

// hitAll has the policy know of the reads from an index on that find their lines, and returns
// the index of the first that does not.
func (c *Functional) hitAll(q *block.Reads, from int) int {
	k := c.core
	switch {
	case c.blind == nil:
		return c.hitPlain(q, from)
	case k.find == nil && k.tagHashes.words == 2 && k.index.slices == 1 && k.index.mask > 0:
		if c.recent != nil {
			return c.hitRecent(q, from)
		}
		return c.hitPairs(q, from)
	}
	return c.hitBlind(q, from)
}

// hitBlind is hitAll with a policy that does not look at them.
func (c *Functional) hitBlind(q *block.Reads, from int) int {
	k, p := c.core, c.blind
	for i := from; i < len(q.Addr); i++ {
		addr := q.Addr[i]
		line := addr >> c.shift
		if (addr+q.Bytes-1)>>c.shift != line {
			return i
		}
		set := k.index.Set(line)
		w := k.way(set, line)
		if w < 0 {
			return i
		}
		k.used[set*k.ways+w] = true
		p.HitAny(set, w)
	}
	return len(q.Addr)
}

// hitPairs is hitBlind of a cache as most are, of 9 to 16 ways and one slice of a power of
// two of sets, without a call to find a line.
func (c *Functional) hitPairs(q *block.Reads, from int) int {
	k, p := c.core, c.blind
	shift, mask, ways := c.shift&63, int(k.index.mask), k.ways
	for i := from; i < len(q.Addr); i++ {
		addr := q.Addr[i]
		line := addr >> shift
		if (addr+q.Bytes-1)>>shift != line {
			return i
		}
		set := int(line) & mask
		want, row, tags := tagHash(line)*ones, k.tagHashes.word[2*set:][:2], k.tags[set*ways:][:ways]
		w := -1
		for at := zeros(row[0]^want) | zeros(row[1]^want)<<8; at != 0; at &= at - 1 {
			if j := bits.TrailingZeros64(at); j < len(tags) && tags[j] == line+1 {
				w = j
				break
			}
		}
		if w < 0 {
			return i
		}
		k.used[set*ways+w] = true
		p.HitAny(set, w)
	}
	return len(q.Addr)
}

// hitRecent is hitPairs with a policy that only keeps an order, without a call for that
// either.
func (c *Functional) hitRecent(q *block.Reads, from int) int {
	k, orders, used := c.core, c.recent, c.core.used
	shift, mask, ways, words, all := c.shift&63, int(k.index.mask), k.ways, k.tagHashes.word, k.tags
	list, size := q.Addr, q.Bytes
	for i := from; i < len(list); i++ {
		line := list[i] >> shift
		if (list[i]+size-1)>>shift != line {
			return i
		}
		set := int(line) & mask
		want, row := tagHash(line)*ones, words[2*set:][:2]
		a, b := row[0]^want, row[1]^want
		// the lowest bit of each byte for the first word, the one above for the second
		at := (a-ones)&^a&highs>>7 | (b-ones)&^b&highs>>6
		w := 0
		for ; at != 0; at &= at - 1 {
			j := bits.TrailingZeros64(at)
			if w = j>>3 + j&1<<3; w < ways && all[set*ways+w] == line+1 {
				break
			}
		}
		if at == 0 {
			return i
		}
		used[set*ways+w] = true
		orders[set] = policy.ToFront(orders[set], w)
	}
	return len(list)
}

// hitPlain is hitAll with any policy.
func (c *Functional) hitPlain(q *block.Reads, from int) int {
	k := c.core
	for i := from; i < len(q.Addr); i++ {
		addr := q.Addr[i]
		line := addr >> c.shift
		if (addr+q.Bytes-1)>>c.shift != line {
			return i
		}
		set := k.index.Set(line)
		w := k.way(set, line)
		if w < 0 {
			return i
		}
		k.used[set*k.ways+w] = true
		k.policy.Hit(set, w, policy.Access{Line: line, PC: q.PC[i], Core: uint16(q.Core[i])})
	}
	return len(q.Addr)
}

// Saw implements block.Quick.
func (c *Functional) Saw(n int, first, last uint64) {
	if c.count.Reads+c.count.Writes == uint64(n) {
		c.count.first = first
	}
	c.count.answered += uint64(n)
	c.count.last = max(c.count.last, last)
}
