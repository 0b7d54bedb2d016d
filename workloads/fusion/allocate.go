package fusion

import (
	"cmp"
	"slices"
)

// A block is bytes of the scratchpad from one piece to another.
type block struct {
	bytes    int64
	from, to int // pieces, both inside
	offset   int64
	writer   int   // piece
	readers  []int // pieces, ascending
}

// An allocator gives blocks addresses so that none that are there at the same time share
// a byte.
type allocator struct {
	capacity int64
	blocks   []block
}

// fit finds room for a block: at the lowest address, or at the highest. ok is false if
// there is none.
func (a *allocator) fit(b *block, high bool) bool {
	var beside []*block
	for i := range a.blocks {
		if x := &a.blocks[i]; x.from <= b.to && b.from <= x.to {
			beside = append(beside, x)
		}
	}
	slices.SortFunc(beside, func(x, y *block) int { return cmp.Compare(x.offset, y.offset) })
	free, found := int64(0), false
	try := func(end int64) bool { // no block lies between free and end
		if end-free < b.bytes {
			return false
		}
		b.offset, found = free, true
		if high {
			b.offset = end - b.bytes
		}
		return !high
	}
	for _, x := range beside {
		if try(x.offset) {
			return true
		}
		free = max(free, x.offset+x.bytes)
	}
	try(a.capacity)
	return found
}

// add gives a block an address.
func (a *allocator) add(b block, high bool) bool {
	if !a.fit(&b, high) {
		return false
	}
	a.blocks = append(a.blocks, b)
	return true
}

// peak is the most bytes that are taken at a time, and the piece at which that is.
func (a *allocator) peak() (bytes int64, at int) {
	type change struct {
		at    int
		bytes int64
	}
	var all []change
	for i := range a.blocks {
		b := &a.blocks[i]
		all = append(all, change{b.from, b.bytes}, change{b.to + 1, -b.bytes})
	}
	slices.SortFunc(all, func(x, y change) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.bytes, y.bytes)) })
	now := int64(0)
	for _, c := range all {
		if now += c.bytes; now > bytes {
			bytes, at = now, c.at
		}
	}
	return bytes, at
}

// waits lists, for each piece, those that must be done before it because it writes over
// what they read or wrote. Blocks take bytes over from those that had them last.
func (a *allocator) waits(yield func(piece, before int)) {
	order := make([]int, len(a.blocks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return cmp.Or(cmp.Compare(a.blocks[x].from, a.blocks[y].from), x-y) })
	type span struct {
		from, to int64
		owner    int
	}
	var owned []span
	for _, i := range order {
		b := &a.blocks[i]
		lo, hi := b.offset, b.offset+b.bytes
		var left []span
		for _, s := range owned {
			if s.to <= lo || hi <= s.from {
				left = append(left, s)
				continue
			}
			y := &a.blocks[s.owner]
			for _, r := range y.readers {
				yield(b.writer, r)
			}
			if len(y.readers) == 0 {
				yield(b.writer, y.writer)
			}
			if s.from < lo {
				left = append(left, span{s.from, lo, s.owner})
			}
			if hi < s.to {
				left = append(left, span{hi, s.to, s.owner})
			}
		}
		owned = append(left, span{lo, hi, i})
	}
}
