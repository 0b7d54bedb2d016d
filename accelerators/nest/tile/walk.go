package tile

import (
	"math/bits"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Walker yields the steps of a plan in order.
type Walker struct {
	p     *Plan
	index []int64 // of the outer loops
	base  []int64 // of the dimensions
	carry int     // the loop that turned; the number of loops before the first step
	step  int64
	moved []passed // by tensor
	b, c  box
	out   int64 // results stored
	work  int64 // operations of the vector unit done
}

// passed is what has moved of a tensor so far.
type passed struct{ boxes, words, again int64 }

// Walk begins with the first step.
func (p *Plan) Walk() *Walker {
	most := 0
	for i := range p.tensors {
		most = max(most, len(p.tensors[i].ranks))
	}
	return &Walker{p: p, index: make([]int64, len(p.loops)), base: make([]int64, len(p.sizes)), carry: len(p.loops),
		moved: make([]passed, len(p.tensors)), b: newBox(most), c: newBox(most)}
}

// Next fills in the next step; false after the last. Its slices hold until the next call.
func (w *Walker) Next(s *dma.Step) bool {
	p := w.p
	s.Loads, s.Stores = s.Loads[:0], s.Stores[:0]
	if w.step == p.Steps {
		return false
	}
	next := 0 // the loop that turns after this step
	for next < len(p.loops) && w.index[next] == p.loops[next].Trips-1 {
		next++
	}
	if w.step == 0 && p.task.Bias != graph.None && p.task.BiasSize > 0 {
		s.Loads = append(s.Loads, dma.Transfer{Tensor: p.task.Bias, Buffer: dma.Ofmap, RowBytes: p.task.BiasSize, Rows: 1, Planes: 1})
	}
	s.Cycles = share(p.Cycles, w.step+1, p.Steps) - share(p.Cycles, w.step, p.Steps)
	s.MACs = share(p.MACs, w.step+1, p.Steps) - share(p.MACs, w.step, p.Steps)
	for t := range p.tensors {
		if p.tensors[t].written {
			w.results(s, t, next)
		} else {
			w.fetch(s, t)
		}
	}
	w.turn(next)
	return true
}

// share is n*a/of rounded down, for a up to of.
func share(n, a, of int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(a))
	q, _ := bits.Div64(hi, lo, uint64(of))
	return int64(q)
}

// turn goes on to the next iteration.
func (w *Walker) turn(next int) {
	w.step++
	w.carry = next
	for i := 0; i < next && i < len(w.index); i++ {
		l := &w.p.loops[i]
		w.base[l.Dim] -= w.index[i] * l.Step
		w.index[i] = 0
	}
	if next < len(w.index) {
		w.index[next]++
		w.base[w.p.loops[next].Dim] += w.p.loops[next].Step
	}
}

// changes reports whether a turn of loop i moves the tile of a tensor.
func (x *tensor) changes(i, loops int) bool {
	switch x.First {
	case nest.Inside:
		return true
	case nest.Never:
		return i == loops
	}
	return i >= x.First
}

// box is the tile of a tensor in this step.
func (w *Walker) box(x *tensor) *box {
	n := len(x.ranks)
	w.b.lo, w.b.hi = w.b.lo[:n], w.b.hi[:n]
	x.box(&w.b, w.base, w.p.extent)
	return &w.b
}

// fetch loads what is new of an input.
func (w *Walker) fetch(s *dma.Step, t int) {
	x, o, m := &w.p.tensors[t], &w.p.task.Operands[t], &w.moved[t]
	if !x.changes(w.carry, len(w.index)) {
		return
	}
	b := w.box(x)
	if w.carry == x.First && x.Adjacent && w.carry < len(w.index) {
		rank, by := x.moved(&w.p.loops[w.carry])
		b.lo[rank] = max(b.lo[rank], b.hi[rank]-by)
	}
	m.boxes += b.words()
	words := share(x.words, m.boxes, x.boxes) - m.words
	m.words += words
	if o.Packed {
		s.Loads = append(s.Loads, w.packed(x, o, words))
		return
	}
	s.Loads = o.passes(s.Loads, o.Tensor, o.Bits, b, words)
}

// packed is the transfer of a tile of weights that lie tile after tile.
func (w *Walker) packed(x *tensor, o *Operand, words int64) dma.Transfer {
	at, radix := int64(0), int64(1)
	for i, l := range w.p.loops {
		if x.indexed[i] {
			at += w.index[i] * radix
			radix *= l.Trips
		}
	}
	// What of all tiles is data lies in them evenly.
	all, data := radix*x.tile, o.Elements()
	first := share(data, at*x.tile, all)
	t := dma.Transfer{Tensor: o.Tensor, Buffer: o.Buffer, Offset: first * o.Bits / 8, Rows: 1, Planes: 1}
	if words > x.tile && words%x.tile == 0 {
		t.Rows, words = words/x.tile, x.tile
	}
	t.RowBytes = ((share(data, at*x.tile+words, all)-first)*o.Bits + 7) / 8
	return t
}

// passes appends transfers of so many elements of a box, going through it as often as
// that takes.
func (o *Operand) passes(dst []dma.Transfer, tensor graph.TensorID, bits int64, b *box, words int64) []dma.Transfer {
	all := b.words()
	for ; words >= all; words -= all {
		dst = o.transfers(dst, tensor, bits, b, all)
	}
	if words > 0 {
		dst = o.transfers(dst, tensor, bits, b, share(o.held(b), words, all))
	}
	return dst
}

// results loads sums that are not complete, and stores what leaves after this step.
func (w *Walker) results(s *dma.Step, t, next int) {
	x, o, m := &w.p.tensors[t], &w.p.task.Operands[t], &w.moved[t]
	b := w.box(x)
	seen, complete := false, true // other loops: that have turned, that are at their end
	for i := range w.index {
		if !x.indexed[i] && i > x.First {
			seen = seen || w.index[i] > 0
			complete = complete && w.index[i] == w.p.loops[i].Trips-1
		}
	}
	if x.sparse {
		w.part(s, x, o, m, b, next, complete || x.First == nest.Never)
		return
	}
	if x.First == nest.Inside {
		words := share(x.again, w.step+1, w.p.Steps) - m.again
		m.again += words
		s.Loads = o.passes(s.Loads, dma.Scratch, w.p.task.Sums, b, words)
		s.Stores = o.passes(s.Stores, dma.Scratch, w.p.task.Sums, b, words)
		if complete {
			w.store(s, x, o, b)
		}
		return
	}
	if seen && x.First != nest.Never && x.changes(w.carry, len(w.index)) {
		s.Loads = o.transfers(s.Loads, dma.Scratch, w.p.task.Sums, b, x.tile)
	}
	switch {
	case !x.changes(next, len(w.index)):
	case complete || x.First == nest.Never:
		w.store(s, x, o, b)
	default:
		s.Stores = o.transfers(s.Stores, dma.Scratch, w.p.task.Sums, b, x.tile)
	}
}

// part stores what of a tile of sparse results leaves after this step, and has come back for
// it.
func (w *Walker) part(s *dma.Step, x *tensor, o *Operand, m *passed, b *box, next int, complete bool) {
	if !x.changes(next, len(w.index)) {
		return
	}
	m.boxes += b.words()
	words, again := share(x.words, m.boxes, x.boxes)-m.words, share(x.again, m.boxes, x.boxes)-m.again
	m.words, m.again = m.words+words, m.again+again
	s.Loads = o.passes(s.Loads, dma.Scratch, w.p.task.Sums, b, again)
	if complete {
		s.Stores = o.passes(s.Stores, o.Tensor, o.Bits, b, words)
	} else {
		s.Stores = o.passes(s.Stores, dma.Scratch, w.p.task.Sums, b, words)
	}
}

// store appends results that are complete; the vector unit has passed them.
func (w *Walker) store(s *dma.Step, x *tensor, o *Operand, b *box) {
	s.Stores = o.transfers(s.Stores, o.Tensor, o.Bits, b, x.tile)
	if w.p.task.Vector == 0 {
		return
	}
	w.out += x.tile
	done := share(w.p.task.Vector, min(w.out, o.Elements()), o.Elements())
	lanes := max(w.p.task.Lanes, 1)
	s.Cycles = max(s.Cycles, (done-w.work+lanes-1)/lanes)
	w.work = done
}
