package attention

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Walk is where a walk over an attention stands.
//
// Step t loads the queries (with a new block of positions) and keys of block t and the
// values of block t-2, and stores the sums of block t-2 if they are complete. The array
// makes the scores of block t and the sum of block t-2 while the vector unit does the
// softmax of block t-1; the step takes as long as the slower of both.
type Walk struct {
	p            *Schedule
	head, q0, k0 int64 // of the block that comes next
	lo, hi       int64 // entries that its positions see
	over         bool  // no block is left

	block  [stagesBehind + 1]blockInFlight // by step
	step   int64
	loaded [2]reach // keys and values, for residents
	end    bool
}

// A reach is up to which entry of a head something has been loaded.
type reach struct{ head, to int64 }

// An blockInFlight is one block under way.
type blockInFlight struct {
	here           bool
	head           int64
	q0, q1, k0, k1 int64
	first, last    bool
	scores, sums   int64 // cycles of the array
	vector         int64 // cycles of the vector unit
	pairs          int64
}

// Reset starts the walk over p, keeping nothing of an earlier one.
func (w *Walk) Reset(p *Schedule) {
	*w = Walk{p: p, q0: p.A.Q0, loaded: [2]reach{{-1, 0}, {-1, 0}}}
	w.enter(&p.A, p.Loop.BR)
}

// enter turns to the entries that the next block of positions sees.
func (w *Walk) enter(a *Shape, br int64) {
	w.lo, w.hi = a.Span(w.q0, min(a.Q1, w.q0+br))
	w.k0 = w.lo
}

// nextBlock takes the block that comes next.
func (x *Walk) nextBlock() (b blockInFlight) {
	p := x.p
	a, l := &p.A, &p.Loop
	if x.over {
		return b
	}
	b = blockInFlight{here: true, head: x.head, q0: x.q0, q1: min(x.q0+l.BR, a.Q1), k0: x.k0, k1: min((x.k0/l.BC+1)*l.BC, x.hi)}
	b.first, b.last = b.k0 == x.lo, b.k1 == x.hi
	c := a.Block(p.h, b.q0, b.q1, b.k0, b.k1, b.first, b.last)
	b.scores, b.sums, b.vector = c.Scores.Cycles, c.Sums.Cycles, integer.Ceil(c.Vector, p.lanes)
	b.pairs = a.Group * a.pairs(b.q0, b.q1, b.k0, b.k1)
	if x.k0 = b.k1; !b.last {
		return b
	}
	if x.q0 = b.q1; x.q0 == a.Q1 {
		x.q0 = a.Q0
		if x.head++; x.head == a.Heads {
			x.over = true
			return b
		}
	}
	x.enter(a, l.BR)
	return b
}

// Next fills st with the next step; false at the end.
func (x *Walk) Next(st *dma.Step) bool {
	st.Loads, st.Stores = st.Loads[:0], st.Stores[:0]
	if x.end {
		return false
	}
	p, a := x.p, &x.p.A
	if x.step == 0 {
		for _, o := range p.At.held {
			st.Loads = append(st.Loads, dma.Transfer{Tensor: o.tensor, Buffer: dma.Ifmap, RowBytes: o.bytes, Rows: 1, Planes: 1})
		}
	}
	now := &x.block[x.step%int64(len(x.block))]
	soft, sum := &x.block[(x.step+2)%int64(len(x.block))], &x.block[(x.step+1)%int64(len(x.block))]
	*now = x.nextBlock()
	st.Cycles, st.MACs = 0, 0
	if now.here {
		st.Loads = p.loadKeys(st.Loads, x, now)
		if now.first {
			st.Loads = append(st.Loads, p.rows(now, dma.Ifmap))
		}
		st.Loads = p.loadSlabs(st.Loads, now)
		st.Cycles += now.scores
		st.MACs += now.pairs * a.Size
	}
	if sum.here {
		st.Loads = p.loadValues(st.Loads, x, sum)
		st.Cycles += sum.sums
		st.MACs += sum.pairs * a.Value
		if sum.last {
			st.Stores = append(st.Stores, p.rows(sum, dma.Ofmap))
			if a.statBytes > 0 {
				st.Stores = append(st.Stores, p.statistics(sum))
			}
		}
	}
	if x.step == 0 {
		st.Cycles += p.h.Timing.Start
	}
	x.step++
	x.end = x.step == p.Loop.Steps
	if x.end {
		st.Cycles += p.h.Timing.End
	}
	if soft.here {
		st.Cycles = max(st.Cycles, soft.vector)
	}
	return true
}

// rows is the queries of a block, or its results.
func (p *Schedule) rows(b *blockInFlight, to dma.Buffer) dma.Transfer {
	a := &p.A
	t := dma.Transfer{Tensor: p.At.Q, Buffer: to, Rows: a.Group, Planes: 1}
	long, wide := a.Size, a.QWide
	if to == dma.Ofmap {
		t.Tensor, long, wide = p.At.o, a.Value, a.OWide
	}
	first := p.first(b.head) * a.Queries
	t.Offset = wide.Offset((first + b.q0) * long)
	t.RowBytes, t.Stride = wide.Size((b.q1-b.q0)*long), wide.Offset(a.Queries*long)
	return t
}

// statistics is those of a block's rows.
func (p *Schedule) statistics(b *blockInFlight) dma.Transfer {
	a := &p.A
	first := p.first(b.head) * a.Queries
	return dma.Transfer{Tensor: p.At.statistics, Buffer: dma.Ofmap, Rows: a.Group, Planes: 1, Offset: (first + b.q0) * a.statBytes,
		RowBytes: (b.q1 - b.q0) * a.statBytes, Stride: a.Queries * a.statBytes}
}

// fresh is the first entry of the block that is not on the chip.
func (p *Schedule) fresh(r *reach, b *blockInFlight) int64 {
	from := b.k0
	if p.Loop.Resident {
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
func (p *Schedule) entries(dst []dma.Transfer, t dma.Transfer, head, from, to, long int64, wide graph.Unit, cols bool) []dma.Transfer {
	if from == to {
		return dst
	}
	t.Buffer, t.Planes = dma.Filter, 1
	base := (p.At.head0 + head/p.A.parts) * p.A.Keys * long
	if cols {
		t.Offset = wide.Offset(base + from)
		t.RowBytes, t.Rows, t.Stride = wide.Size(to-from), long, wide.Offset(p.A.Keys)
	} else {
		t.Offset, t.RowBytes, t.Rows = wide.Offset(base+from*long), wide.Size((to-from)*long), 1
	}
	return append(dst, t)
}

func (p *Schedule) loadKeys(dst []dma.Transfer, x *Walk, b *blockInFlight) []dma.Transfer {
	from := p.fresh(&x.loaded[0], b)
	return p.entries(dst, dma.Transfer{Tensor: p.At.K}, b.head, from, b.k1, p.A.Size, p.A.KWide, p.A.kCols)
}

func (p *Schedule) loadValues(dst []dma.Transfer, x *Walk, b *blockInFlight) []dma.Transfer {
	if p.A.inside {
		return dst
	}
	from := p.fresh(&x.loaded[1], b)
	return p.entries(dst, dma.Transfer{Tensor: p.At.v}, b.head, from, b.k1, p.A.Value, p.A.VWide, p.A.vCols)
}

// loadSlabs appends what a block needs of operands that are as large as the scores.
func (p *Schedule) loadSlabs(dst []dma.Transfer, b *blockInFlight) []dma.Transfer {
	a := &p.A
	for i := range p.At.slabs {
		s := &p.At.slabs[i]
		heads := a.Group
		if s.common {
			heads = 1
		}
		for j := range heads {
			n := s.of(p.first(b.head) + j)
			dst = append(dst, dma.Transfer{Tensor: s.tensor, Buffer: dma.Ifmap, Offset: s.wide.Offset((n*a.Queries+b.q0)*a.Keys + b.k0),
				RowBytes: s.wide.Size(b.k1 - b.k0), Rows: b.q1 - b.q0, Stride: s.wide.Offset(a.Keys), Planes: 1})
		}
	}
	return dst
}
