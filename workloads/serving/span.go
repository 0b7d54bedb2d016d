package serving

// A Span is a range of consecutive entries in the memory of a tier.
type Span struct {
	Tier  int
	At, N int // first entry, from the beginning of the tier's memory, and number of entries
}

// Written appends the locations of the entries that a part writes, before the moves of its step.
func (e *Engine) Written(dst []Span, p *Part) []Span {
	return e.spans(dst, p.Blocks, p.Entries, p.Entries+p.Tokens)
}

// Read appends the locations of the entries that a part reads.
func (e *Engine) Read(dst []Span, p *Part) []Span { return e.spans(dst, p.Blocks, 0, p.Entries) }

// spans appends entries from to to of a sequence.
func (e *Engine) spans(dst []Span, blocks []int32, from, to int) []Span {
	size := e.spec.Block
	for from < to {
		n := min(size-from%size, to-from)
		tier, at := e.frame(blocks[from/size])
		dst = add(dst, Span{tier, at*size + from%size, n})
		from += n
	}
	return dst
}

// add appends a span, to the last one where it goes on.
func add(dst []Span, s Span) []Span {
	if k := len(dst) - 1; k >= 0 && dst[k].Tier == s.Tier && dst[k].At+dst[k].N == s.At {
		dst[k].N += s.N
		return dst
	}
	return append(dst, s)
}

// frame is the tier of a block, and the number of its frame there.
func (e *Engine) frame(b int32) (tier, number int) {
	x := &e.pool.blocks[b]
	return int(x.tier), int(x.frame) - e.pool.tiers[x.tier].first
}

// Paths appends the reads and the writes of a move, in whole blocks.
func (e *Engine) Paths(from, to []Span, m *Move) (reads, writes []Span) {
	block := func(b int32) Span {
		tier, at := e.frame(b)
		return Span{tier, at * e.spec.Block, e.spec.Block}
	}
	a, b := block(m.Block), block(m.With)
	from, to = append(from, a), append(to, b)
	if m.Both {
		from, to = append(from, b), append(to, a)
	}
	return from, to
}

// Tier returns the number of blocks of tier t in use, its maximum so far including blocks reserved
// by moves, and the number of all its blocks.
func (e *Engine) Tier(t int) (used, peak, all int) {
	l := &e.pool.tiers[t]
	return l.size - l.count, l.peak, l.size
}
