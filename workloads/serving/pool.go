package serving

import "fmt"

// A block is a place for the keys and values of some tokens.
type block struct {
	users      int
	hash       uint64 // of its tokens and all before; 0: not full, or not to be shared
	frame      int32  // the piece of memory that it has now
	turn       uint32 // how often it was taken: tells what is in it from what was
	tier       int8   // of its frame
	busy       bool   // a move has it, or keeps its frame free
	prev, next int32  // in the list of free blocks of its tier
}

// A pool is the blocks of a server, each with a frame of memory; a move gives a block another
// frame. Those that are not in use are in lists by tier, in the
// order in which they are taken; what was in them is found by its hash until then.
type pool struct {
	blocks []block
	tiers  []list
	byHash map[uint64]int32
	share  bool
	used   int
	peak   int
	kept   int    // blocks that are free and in no list: moves go to their frames
	taken  uint64 // since the beginning
	given  uint64
}

// list is the free blocks of a tier.
type list struct {
	head, tail  int32
	count, size int
	first       int // frame of the tier
	peak        int // frames that were not free at the most
}

const nobody = int32(-1)

// newPool makes a pool with the given number of blocks in each tier.
func newPool(sizes []int, share bool) *pool {
	p := &pool{share: share, byHash: map[uint64]int32{}, tiers: make([]list, len(sizes))}
	all := 0
	for _, n := range sizes {
		all += n
	}
	p.blocks = make([]block, 0, all)
	for t, n := range sizes {
		p.tiers[t] = list{head: nobody, tail: nobody, size: n, first: len(p.blocks)}
		for range n {
			b := int32(len(p.blocks))
			p.blocks = append(p.blocks, block{tier: int8(t), frame: b})
			p.append(b)
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

// prepend puts a block before the free ones of its tier: there is nothing in it.
func (p *pool) prepend(b int32) {
	l := &p.tiers[p.blocks[b].tier]
	p.blocks[b].prev, p.blocks[b].next = nobody, l.head
	if l.head == nobody {
		l.tail = b
	} else {
		p.blocks[l.head].prev = b
	}
	l.head = b
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
	l.peak = max(l.peak, l.size-l.count)
}

// free is how many blocks no sequence uses.
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
	p.blocks[b].turn++
	p.use(1)
	p.taken++
	return b
}

// keep takes a free block of a tier whose frame a move goes to.
func (p *pool) keep(tier int8) int32 {
	b := p.tiers[tier].head
	p.remove(b)
	p.forget(b)
	p.blocks[b].busy = true
	p.kept++
	return b
}

// unkeep frees it again, with the frame that it has now.
func (p *pool) unkeep(b int32) {
	p.blocks[b].busy = false
	p.kept--
	p.prepend(b)
}

// exchange gives two blocks each other's frames. Neither is in a list.
func (p *pool) exchange(a, b int32) {
	x, y := &p.blocks[a], &p.blocks[b]
	x.frame, y.frame = y.frame, x.frame
	x.tier, y.tier = y.tier, x.tier
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

// name registers a block by the hash of its contents. Of blocks with equal contents the first is
// found.
func (p *pool) name(b int32, hash uint64) {
	if !p.share {
		return
	}
	p.blocks[b].hash = hash
	if _, known := p.byHash[hash]; !known {
		p.byHash[hash] = b
	}
}

// find returns the blocks with these contents, up to the first missing one.
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
	if err := p.checkFrames(); err != nil {
		return err
	}
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
	if free+used+p.kept != len(p.blocks) || used != p.used || p.taken-p.given != uint64(used) {
		return fmt.Errorf("%d blocks: %d free, %d kept for moves, %d with users, %d counted, %d taken less %d given", len(p.blocks), free, p.kept, used, p.used, p.taken, p.given)
	}
	return nil
}

// checkFrames reports frames that two blocks have, and blocks whose frame is not of their tier.
func (p *pool) checkFrames() error {
	has := make([]bool, len(p.blocks))
	for b := range p.blocks {
		x := &p.blocks[b]
		l := &p.tiers[x.tier]
		if f := int(x.frame); has[f] || f < l.first || f >= l.first+l.size {
			return fmt.Errorf("block %d of tier %d has frame %d of another block or tier", b, x.tier, f)
		}
		has[x.frame] = true
	}
	return nil
}
