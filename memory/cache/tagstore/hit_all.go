package tagstore

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/policy"
)

// Reads are reads of equal size, one after the other, of a Uniform store.
type Reads struct {
	Addr, PC []uint64
	Core     []uint32
	Bytes    uint64 // of each
	Shift    uint   // log2 of the bytes of a line
}

// LookAtPolicy finds out what the policy wants to know of hits, for HitAll and HitBlind.
func (c *Store) LookAtPolicy() {
	c.blind, _ = c.policy.(policy.HitAnyPolicy)
	if p, ok := c.policy.(policy.Recent); ok {
		c.recent = p.Orders()
	}
}

// Blind reports whether the policy wants to know of a hit nothing but where it is.
func (c *Store) Blind() bool { return c.blind != nil }

// HitBlind is Hit with a policy that is Blind.
func (c *Store) HitBlind(set, way int) {
	c.Count.Accesses++
	c.Count.Hits++
	c.used[set*c.ways+way] = true
	c.blind.HitAny(set, way)
}

// HitAll has the policy know of the reads from an index on that find their lines, and returns
// the index of the first that does not.
func (c *Store) HitAll(q *Reads, from int) int {
	switch {
	case c.blind == nil:
		return c.hitPlain(q, from)
	case c.find == nil && c.tagHashes.words == 2 && c.index.slices == 1 && c.index.mask > 0:
		if c.recent != nil {
			return c.hitRecent(q, from)
		}
		return c.hitPairs(q, from)
	}
	return c.hitBlind(q, from)
}

// hitBlind is HitAll with a policy that does not look at them.
func (c *Store) hitBlind(q *Reads, from int) int {
	p := c.blind
	for i := from; i < len(q.Addr); i++ {
		addr := q.Addr[i]
		line := addr >> q.Shift
		if (addr+q.Bytes-1)>>q.Shift != line {
			return i
		}
		set := c.index.Set(line)
		w := c.Way(set, line)
		if w < 0 {
			return i
		}
		c.used[set*c.ways+w] = true
		p.HitAny(set, w)
	}
	return len(q.Addr)
}

// hitPairs is hitBlind of a cache as most are, of 9 to 16 ways and one slice of a power of
// two of sets, without a call to find a line.
func (c *Store) hitPairs(q *Reads, from int) int {
	p := c.blind
	shift, mask, ways := q.Shift&63, int(c.index.mask), c.ways
	for i := from; i < len(q.Addr); i++ {
		addr := q.Addr[i]
		line := addr >> shift
		if (addr+q.Bytes-1)>>shift != line {
			return i
		}
		set := int(line) & mask
		want, row, tags := tagHash(line)*ones, c.tagHashes.word[2*set:][:2], c.tags[set*ways:][:ways]
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
		c.used[set*ways+w] = true
		p.HitAny(set, w)
	}
	return len(q.Addr)
}

// hitRecent is hitPairs with a policy that only keeps an order, without a call for that
// either.
func (c *Store) hitRecent(q *Reads, from int) int {
	orders, used := c.recent, c.used
	shift, mask, ways, words, all := q.Shift&63, int(c.index.mask), c.ways, c.tagHashes.word, c.tags
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

// hitPlain is HitAll with any policy.
func (c *Store) hitPlain(q *Reads, from int) int {
	for i := from; i < len(q.Addr); i++ {
		addr := q.Addr[i]
		line := addr >> q.Shift
		if (addr+q.Bytes-1)>>q.Shift != line {
			return i
		}
		set := c.index.Set(line)
		w := c.Way(set, line)
		if w < 0 {
			return i
		}
		c.used[set*c.ways+w] = true
		c.policy.Hit(set, w, policy.Access{Line: line, PC: q.PC[i], Core: uint16(q.Core[i])})
	}
	return len(q.Addr)
}
