package mapping

// A attentionWalk is where a walk over an attention stands.
//
// Step t loads the queries (with a new block of positions) and keys of block t and the
// values of block t-2, and stores the sums of block t-2 if they are complete. The array
// makes the scores of block t and the sum of block t-2 while the vector unit does the
// softmax of block t-1; the step takes as long as the slower of both.
type attentionWalk struct {
	head, q0, k0 int64 // of the block that comes next
	lo, hi       int64 // entries that its positions see
	over         bool  // no block is left

	block  [stagesBehind + 1]attentionBlock // by step
	step   int64
	loaded [2]reach // keys and values, for residents
}

// A reach is up to which entry of a head something has been loaded.
type reach struct{ head, to int64 }

// An attentionBlock is one block under way.
type attentionBlock struct {
	here           bool
	head           int64
	q0, q1, k0, k1 int64
	first, last    bool
	scores, sums   int64 // cycles of the array
	vector         int64 // cycles of the vector unit
	pairs          int64
}

func (w *attentionWalk) begin(a *attention, br int64) {
	*w = attentionWalk{q0: a.q0, loaded: [2]reach{{-1, 0}, {-1, 0}}}
	w.enter(a, br)
}

// enter turns to the entries that the next block of positions sees.
func (w *attentionWalk) enter(a *attention, br int64) {
	w.lo, w.hi = a.span(w.q0, min(a.q1, w.q0+br))
	w.k0 = w.lo
}

// nextBlock takes the block that comes next.
func (w *Walker) nextBlock(p *attentionPlan) (b attentionBlock) {
	x, a, l := &w.attn, &p.a, &p.loop
	if x.over {
		return b
	}
	b = attentionBlock{here: true, head: x.head, q0: x.q0, q1: min(x.q0+l.br, a.q1), k0: x.k0, k1: min((x.k0/l.bc+1)*l.bc, x.hi)}
	b.first, b.last = b.k0 == x.lo, b.k1 == x.hi
	c := a.block(w.p.h, b.q0, b.q1, b.k0, b.k1, b.first, b.last)
	b.scores, b.sums, b.vector = c.scores.cycles, c.sums.cycles, ceil(c.vector, w.p.lanes)
	b.pairs = a.group * a.pairs(b.q0, b.q1, b.k0, b.k1)
	if x.k0 = b.k1; !b.last {
		return b
	}
	if x.q0 = b.q1; x.q0 == a.q1 {
		x.q0 = a.q0
		if x.head++; x.head == a.heads {
			x.over = true
			return b
		}
	}
	x.enter(a, l.br)
	return b
}

// nextAttention fills st with the next step.
func (w *Walker) nextAttention(st *Step) bool {
	p := w.p.attn
	x, a := &w.attn, &p.a
	if x.step == 0 {
		x.begin(a, p.loop.br)
		for _, o := range p.at.held {
			st.Loads = append(st.Loads, Transfer{Tensor: o.tensor, Buffer: Ifmap, RowBytes: o.bytes, Rows: 1, Planes: 1})
		}
	}
	now := &x.block[x.step%int64(len(x.block))]
	soft, sum := &x.block[(x.step+2)%int64(len(x.block))], &x.block[(x.step+1)%int64(len(x.block))]
	*now = w.nextBlock(p)
	st.Cycles, st.MACs = 0, 0
	if now.here {
		st.Loads = p.loadKeys(st.Loads, x, now)
		if now.first {
			st.Loads = append(st.Loads, p.rows(now, Ifmap))
		}
		st.Loads = p.loadSlabs(st.Loads, now)
		st.Cycles += now.scores
		st.MACs += now.pairs * a.size
	}
	if sum.here {
		st.Loads = p.loadValues(st.Loads, x, sum)
		st.Cycles += sum.sums
		st.MACs += sum.pairs * a.value
		if sum.last {
			st.Stores = append(st.Stores, p.rows(sum, Ofmap))
			if a.statBytes > 0 {
				st.Stores = append(st.Stores, p.statistics(sum))
			}
		}
	}
	if x.step == 0 {
		st.Cycles += w.p.h.timing.Start
	}
	x.step++
	w.end = x.step == w.p.Steps
	if w.end {
		st.Cycles += w.p.h.timing.End
	}
	if soft.here {
		st.Cycles = max(st.Cycles, soft.vector)
	}
	return true
}

// rows is the queries of a block, or its results.
func (p *attentionPlan) rows(b *attentionBlock, to Buffer) Transfer {
	a := &p.a
	t := Transfer{Tensor: p.at.q, Buffer: to, Rows: a.group, Planes: 1}
	long, wide := a.size, a.qWide
	if to == Ofmap {
		t.Tensor, long, wide = p.at.o, a.value, a.oWide
	}
	first := p.first(b.head) * a.queries
	t.Offset = offset((first+b.q0)*long, wide)
	t.RowBytes, t.Stride = size((b.q1-b.q0)*long, wide), offset(a.queries*long, wide)
	return t
}

// statistics is those of a block's rows.
func (p *attentionPlan) statistics(b *attentionBlock) Transfer {
	a := &p.a
	first := p.first(b.head) * a.queries
	return Transfer{Tensor: p.at.statistics, Buffer: Ofmap, Rows: a.group, Planes: 1, Offset: (first + b.q0) * a.statBytes,
		RowBytes: (b.q1 - b.q0) * a.statBytes, Stride: a.queries * a.statBytes}
}

// fresh is the first entry of the block that is not on the chip.
func (p *attentionPlan) fresh(r *reach, b *attentionBlock) int64 {
	from := b.k0
	if p.loop.resident {
		if r.head == b.head {
			from = min(max(from, r.to), b.k1)
		}
		if r.head != b.head || b.k1 > r.to {
			*r = reach{b.head, b.k1}
		}
	}
	return from
}

// entries is a range of rows of long elements of a head's keys or values.
func (p *attentionPlan) entries(dst []Transfer, t Transfer, head, from, to, long int64, wide width, cols bool) []Transfer {
	if from == to {
		return dst
	}
	t.Buffer, t.Planes = Filter, 1
	base := (p.at.head0 + head/p.a.parts) * p.a.keys * long
	if cols {
		t.Offset = offset(base+from, wide)
		t.RowBytes, t.Rows, t.Stride = size(to-from, wide), long, offset(p.a.keys, wide)
	} else {
		t.Offset, t.RowBytes, t.Rows = offset(base+from*long, wide), size((to-from)*long, wide), 1
	}
	return append(dst, t)
}

func (p *attentionPlan) loadKeys(dst []Transfer, x *attentionWalk, b *attentionBlock) []Transfer {
	from := p.fresh(&x.loaded[0], b)
	return p.entries(dst, Transfer{Tensor: p.at.k}, b.head, from, b.k1, p.a.size, p.a.kWide, p.a.kCols)
}

func (p *attentionPlan) loadValues(dst []Transfer, x *attentionWalk, b *attentionBlock) []Transfer {
	if p.a.inside {
		return dst
	}
	from := p.fresh(&x.loaded[1], b)
	return p.entries(dst, Transfer{Tensor: p.at.v}, b.head, from, b.k1, p.a.value, p.a.vWide, p.a.vCols)
}

// loadSlabs appends what a block needs of operands that are as large as the scores.
func (p *attentionPlan) loadSlabs(dst []Transfer, b *attentionBlock) []Transfer {
	a := &p.a
	for i := range p.at.slabs {
		s := &p.at.slabs[i]
		heads := a.group
		if s.common {
			heads = 1
		}
		for j := range heads {
			n := s.of(p.first(b.head) + j)
			dst = append(dst, Transfer{Tensor: s.tensor, Buffer: Ifmap, Offset: offset((n*a.queries+b.q0)*a.keys+b.k0, s.wide),
				RowBytes: size(b.k1-b.k0, s.wide), Rows: b.q1 - b.q0, Stride: offset(a.keys, s.wide), Planes: 1})
		}
	}
	return dst
}
