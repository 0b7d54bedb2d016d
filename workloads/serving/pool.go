package serving

import "fmt"

// A block is a place for the keys and values of some tokens.
type block struct {
	users      int
	hash       uint64 // of its tokens and all before; 0: not full, or not to be shared
	tier       int8
	prev, next int32 // in the list of free blocks of its tier
}

// A pool is the blocks of a server. Those that nobody uses are in lists by tier, in the
// order in which they are taken; what was in them is found by its hash until then.
type pool struct {
	blocks []block
	tiers  []list
	byHash map[uint64]int32
	share  bool
	used   int
	peak   int
	taken  uint64 // since the beginning
	given  uint64
}

// list is the free blocks of a tier.
type list struct {
	head, tail  int32
	count, size int
}

const nobody = int32(-1)

// newPool makes a pool with so many blocks in each tier.
func newPool(sizes []int, share bool) *pool {
	p := &pool{share: share, byHash: map[uint64]int32{}, tiers: make([]list, len(sizes))}
	for t, n := range sizes {
		p.tiers[t] = list{head: nobody, tail: nobody, size: n}
		for range n {
			p.blocks = append(p.blocks, block{tier: int8(t)})
			p.append(int32(len(p.blocks) - 1))
		}
	}
	return p
}

// append puts a block at the end of the free ones of its tier.
func (p *pool) append(b int32) {
	l := &p.tiers[p.blocks[b].tier]
	p.blocks[b].prev, p.blocks[b].next = l.tail, nobody
	if l.tail == nobody {
		l.head = b
	} else {
		p.blocks[l.tail].next = b
	}
	l.tail = b
	l.count++
}

// remove takes a block out of the free ones.
func (p *pool) remove(b int32) {
	x := &p.blocks[b]
	l := &p.tiers[x.tier]
	if x.prev == nobody {
		l.head = x.next
	} else {
		p.blocks[x.prev].next = x.next
	}
	if x.next == nobody {
		l.tail = x.prev
	} else {
		p.blocks[x.next].prev = x.prev
	}
	l.count--
}

// free is how many blocks nobody uses.
func (p *pool) free() (n int) {
	for i := range p.tiers {
		n += p.tiers[i].count
	}
	return n
}

// take takes the block of a tier that has been free for longest. There must be one.
func (p *pool) take(tier int) int32 {
	b := p.tiers[tier].head
	p.remove(b)
	p.forget(b)
	p.blocks[b].users = 1
	p.use(1)
	p.taken++
	return b
}

func (p *pool) use(n int) {
	p.used += n
	p.peak = max(p.peak, p.used)
}

// forget makes the contents of a block unknown.
func (p *pool) forget(b int32) {
	x := &p.blocks[b]
	if x.hash != 0 && p.byHash[x.hash] == b {
		delete(p.byHash, x.hash)
	}
	x.hash = 0
}

// join adds a user to a block that was found by its hash.
func (p *pool) join(b int32) {
	x := &p.blocks[b]
	if x.users == 0 {
		p.remove(b)
		p.use(1)
		p.taken++
	}
	x.users++
}

// give gives blocks back, the last first, so that the beginning of a sequence is kept for
// longest.
func (p *pool) give(blocks []int32) {
	for i := len(blocks) - 1; i >= 0; i-- {
		b := blocks[i]
		x := &p.blocks[b]
		if x.users--; x.users == 0 {
			p.append(b)
			p.used--
			p.given++
		}
	}
}

// name makes a block known by what is in it. The first block of equal ones is found.
func (p *pool) name(b int32, hash uint64) {
	if !p.share {
		return
	}
	p.blocks[b].hash = hash
	if _, known := p.byHash[hash]; !known {
		p.byHash[hash] = b
	}
}

// find is the blocks with these contents, up to the first that is not there.
func (p *pool) find(hashes []uint64) (out []int32) {
	if !p.share {
		return nil
	}
	for _, h := range hashes {
		b, ok := p.byHash[h]
		if !ok {
			break
		}
		out = append(out, b)
	}
	return out
}

// reset forgets everything that is in blocks: the memory was lost.
func (p *pool) reset() {
	for b := range p.blocks {
		p.forget(int32(b))
	}
}

// check reports blocks that are lost or in two places.
func (p *pool) check() error {
	free, used := 0, 0
	for t := range p.tiers {
		n := 0
		for b := p.tiers[t].head; b != nobody; b = p.blocks[b].next {
			if p.blocks[b].users != 0 || int(p.blocks[b].tier) != t {
				return fmt.Errorf("block %d of tier %d is free and has %d users", b, p.blocks[b].tier, p.blocks[b].users)
			}
			n++
		}
		if n != p.tiers[t].count {
			return fmt.Errorf("tier %d lists %d free blocks and counts %d", t, n, p.tiers[t].count)
		}
		free += n
	}
	for b := range p.blocks {
		if p.blocks[b].users > 0 {
			used++
		}
	}
	if free+used != len(p.blocks) || used != p.used || p.taken-p.given != uint64(used) {
		return fmt.Errorf("%d blocks: %d free, %d with users, %d counted, %d taken less %d given", len(p.blocks), free, used, p.used, p.taken, p.given)
	}
	return nil
}
