package planner

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// Attention as one operator: keys and values of a head lie in the outermost level on the
// chip, blocks of queries pass, and their scores never leave it. A block is two nests
// inside that level, one after the other; the vector unit works on the scores of one
// block while the units work on another. Keys and values have to fit twice (those of the
// next head are fetched meanwhile), queries and results twice, scores once.
//
// Under a mask the keys are cut into pieces, and a block skips those of which its queries see
// none: the units work on whole pieces, the vector unit on scores that are seen.
//
// Not as one operator: operands besides queries, keys and values, values that are
// a part of the keys, keys that do not fit, a machine with several outermost instances.

// heads are the sizes of an attention.
type heads struct {
	heads, rows, keys, size, value int64 // rows: queries that share keys
	q, kv, out, sums               int64 // bits of an element

	dtype   graph.DType
	mask    masking.Mask
	queries int64 // of one that shares keys
	stats   int64 // bytes of the statistics of a row, where the keys are a part
}

func headsOf(r *machine.Product) (h heads, err error) {
	k := r.Op.Kind.(graph.Attention)
	g := r.Graph
	h = heads{dtype: g.Tensor(r.Op.In[0]).DType, mask: k.Mask, queries: int64(k.Queries), heads: int64(k.Batch), rows: int64(k.Group) * int64(k.Queries), keys: int64(k.Keys), size: int64(k.Size), value: int64(k.Value),
		q: g.Tensor(r.Op.In[0]).DType.Bits(), kv: g.Tensor(r.Op.In[1]).DType.Bits(), out: g.Tensor(r.Out).DType.Bits(), sums: r.Sums.Bits()}
	if k.Partial > 0 {
		h.stats = g.Tensor(r.Op.Out[1]).DType.Bytes(int64(k.Partial))
	}
	switch {
	case k.Inside || len(r.Op.In) > 3:
		return h, fmt.Errorf("a nest has queries, keys and values of their own, and nothing else")
	}
	return h, plain(r)
}

// whole bytes of n elements.
func bytesOf(n, bits int64) int64 { return (n*bits + 7) / 8 }

// block is the most rows of queries that fit with what else lies in so many bytes: a
// divisor of all.
func (h *heads) block(capacity int64) (int64, error) {
	held := 2 * bytesOf(h.keys*(h.size+h.value), h.kv)
	for n := int64(1); n <= h.rows; n++ {
		if h.rows%n != 0 {
			continue
		}
		b := h.rows / n
		if !h.follow(b) {
			continue
		}
		if need := held + 2*bytesOf(b*h.size, h.q) + 2*(bytesOf(b*h.value, h.out)+b*h.stats) + bytesOf(b*h.keys, h.sums); need <= capacity {
			return b, nil
		} else if b == 1 {
			return 0, fmt.Errorf("keys and values of a head twice, a row of scores, queries and results need %d B on the chip, %d more than there are", need, need-capacity)
		}
	}
	return 0, fmt.Errorf("there are no queries")
}

// Attend implements mapping.Planner.
func (p *Planner) Attend(r *machine.Product) (*machine.Own, error) {
	h, err := headsOf(r)
	if err != nil {
		return nil, err
	}
	d, err := p.description(h.dtype)
	if err != nil {
		return nil, err
	}
	l := &d.Arch.Levels[1]
	if l.Mesh.Count() > 1 || l.Bypass != 0 {
		return nil, fmt.Errorf("level %s is not one that holds every tensor", l.Name)
	}
	capacity := int64(1) << 50
	if l.Words > 0 {
		capacity = int64(l.Words) * int64(l.WordBits) / 8
	}
	rows, err := h.block(capacity)
	if err != nil {
		return nil, err
	}
	a := &attention{h: h, rows: rows, op: r.Op}
	f, err := p.blocks(a)
	if err != nil {
		return nil, err
	}
	rows = a.rows
	o := &machine.Own{Tile: dma.Tile{Batch: 1, M: rows, N: a.piece, K: h.size}, Units: d.Arch.Compute.Mesh.Count()}
	blocks := h.heads * (h.rows / rows)
	vector := a.work(f, r)
	for _, x := range f {
		o.Used = max(o.Used, int64(x.result.ComputeInstances))
		o.Compute += float64(h.heads*a.all) * x.result.ComputeEnergy
		o.Storage += float64(h.heads*a.all) * (x.result.Energy - x.result.ComputeEnergy)
	}
	for i := range a.blocks {
		b := &a.blocks[i]
		o.Cycles += h.heads * b.cycles
		o.MACs += h.heads * b.macs
		b.busy = max(b.cycles, (vector[i]+r.Lanes-1)/r.Lanes)
	}
	o.Steps = blocks
	o.Traffic = dma.Traffic{Ifmap: blocks * bytesOf(rows*h.size, h.q), Output: blocks * (bytesOf(rows*h.value, h.out) + rows*h.stats),
		Filter: h.heads * (bytesOf(h.keys*h.size, h.kv) + bytesOf(h.keys*h.value, h.kv))}
	o.Footprint = [3]int64{dma.Ifmap: bytesOf(rows*h.size, h.q), dma.Filter: bytesOf(h.keys*(h.size+h.value), h.kv),
		dma.Ofmap: bytesOf(rows*h.value, h.out) + rows*h.stats + bytesOf(rows*h.keys, h.sums)}
	o.Walk = func() machine.Stepper { return &blockWalk{a: a} }
	return o, nil
}

// attention is what its steps have in common.
type attention struct {
	h      heads
	rows   int64 // of a block
	piece  int64 // keys that are worked on or skipped together
	all    int64 // pieces that the blocks of a head work on
	blocks []block
	op     *graph.Op
}

// A block is a step: its cycles of the units, and with the vector unit.
type block struct{ cycles, busy, macs int64 }

// seen are the keys [from, to) that the queries of block i of a head see, and how many
// pairs of a query and a key there are.
func (a *attention) seen(i int64) (from, to, pairs int64) {
	h := &a.h
	if !h.mask.Causal {
		return 0, h.keys, a.rows * h.keys
	}
	first, last, times := i*a.rows%h.queries, i*a.rows%h.queries+a.rows, int64(1)
	if a.rows > h.queries {
		first, last, times = 0, h.queries, a.rows/h.queries
	}
	from, _ = h.mask.Range(first, h.queries, h.keys)
	_, to = h.mask.Range(last-1, h.queries, h.keys)
	return from, to, times * h.mask.Pairs(first, last, h.queries, h.keys)
}

// blocks chooses how many rows are a block, of those that fit: without a mask the most;
// under one fewer may skip more.
func (p *Planner) blocks(a *attention) (best [2]*found, err error) {
	least, most := int64(0), a.rows
	for n := int64(1); n <= mostPieces && (n == 1 || a.h.mask.Causal); n++ {
		b := *a
		if b.rows = most / n; most%n != 0 || !b.h.follow(b.rows) {
			continue
		}
		f, cycles, err := p.pieces(&b)
		if err != nil {
			return best, err
		}
		if least == 0 || cycles < least {
			*a, best, least = b, f, cycles
		}
	}
	return best, nil
}

// follow reports whether the queries of blocks of so many rows follow each other.
func (h *heads) follow(rows int64) bool {
	return !h.mask.Causal || h.queries%rows == 0 || rows%h.queries == 0
}

// mostPieces bounds how finely keys are cut where some are masked.
const mostPieces = 16

// pieces chooses how many keys are a piece, such that the units take the fewest cycles, and
// returns the nests of scores and of the weighted sum over one. Without a mask all keys are one.
func (p *Planner) pieces(a *attention) (best [2]*found, least int64, err error) {
	h := &a.h
	for n := int64(1); n <= mostPieces; n++ {
		if n > 1 && !h.mask.Causal {
			break
		}
		if h.keys%n != 0 {
			continue
		}
		f, err := p.products(a.rows, h.keys/n, h)
		if err != nil {
			return best, 0, err
		}
		all := int64(0)
		for i := range h.rows / a.rows {
			from, to, _ := a.seen(i)
			all += piecesOf(from, to, h.keys/n)
		}
		if t := all * (int64(f[0].result.Cycles) + int64(f[1].result.Cycles)); least == 0 || t < least {
			least, best, a.piece, a.all = t, f, h.keys/n, all
		}
	}
	return best, least, nil
}

// piecesOf is how many pieces of a size the keys [from, to) touch.
func piecesOf(from, to, size int64) int64 { return (to+size-1)/size - from/size }

// products are the nests of scores and of the weighted sum, of so many rows and keys.
func (p *Planner) products(rows, keys int64, h *heads) (out [2]*found, err error) {
	for i, x := range [2][2]int64{{keys, h.size}, {h.value, keys}} {
		k := key{shape: shape{sizes: [8]int64{rows, 1, x[0], x[1], 1, 1, 1, 1}, stride: [2]int64{1, 1}, dilation: [2]int64{1, 1}}, dtype: h.dtype, inside: true}
		if out[i] = p.of(&k, nil); out[i].err != nil {
			return out, out[i].err
		}
	}
	return out, nil
}

// work fills in the blocks of a head, and returns the operations of the vector unit on each.
func (a *attention) work(f [2]*found, r *machine.Product) (vector []int64) {
	h := &a.h
	n, all, total := h.rows/a.rows, int64(0), int64(0)
	for i := range n {
		_, _, pairs := a.seen(i)
		total += pairs
	}
	done := int64(0)
	for i := range n {
		from, to, pairs := a.seen(i)
		a.blocks = append(a.blocks, block{cycles: piecesOf(from, to, a.piece) * (int64(f[0].result.Cycles) + int64(f[1].result.Cycles)), macs: pairs * (h.size + h.value)})
		all += pairs
		x := part(r.Vector/h.heads, all, total)
		vector = append(vector, x-done)
		done = x
	}
	return vector
}

// part is n*a/of rounded down, for a up to of.
func part(n, a, of int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(a))
	q, _ := bits.Div64(hi, lo, uint64(of))
	return int64(q)
}

// A blockWalk yields a step per block of queries.
type blockWalk struct {
	a           *attention
	head, block int64
}

// Next implements mapping.Stepper.
func (w *blockWalk) Next(s *dma.Step) bool {
	s.Loads, s.Stores = s.Loads[:0], s.Stores[:0]
	h := &w.a.h
	if w.head == h.heads {
		return false
	}
	run := func(tensor graph.TensorID, b dma.Buffer, from, n, bits int64) dma.Transfer {
		return dma.Transfer{Tensor: tensor, Buffer: b, Offset: from * bits / 8, RowBytes: bytesOf(n, bits), Rows: 1, Planes: 1}
	}
	in, first := w.a.op.In, w.head*h.rows+w.block*w.a.rows
	if w.block == 0 {
		s.Loads = append(s.Loads, run(in[1], dma.Filter, w.head*h.keys*h.size, h.keys*h.size, h.kv),
			run(in[2], dma.Filter, w.head*h.keys*h.value, h.keys*h.value, h.kv))
	}
	s.Loads = append(s.Loads, run(in[0], dma.Ifmap, first*h.size, w.a.rows*h.size, h.q))
	s.Stores = append(s.Stores, run(w.a.op.Out[0], dma.Ofmap, first*h.value, w.a.rows*h.value, h.out))
	if h.stats > 0 {
		s.Stores = append(s.Stores, run(w.a.op.Out[1], dma.Ofmap, first*h.stats, w.a.rows*h.stats, 8))
	}
	b := &w.a.blocks[w.block]
	s.Cycles, s.MACs = b.busy, b.macs
	if w.block++; w.block == h.rows/w.a.rows {
		w.block = 0
		w.head++
	}
	return true
}

// within is a machine whose outermost level on the chip holds all operands.
func within(a nest.Arch, c nest.Constraints) (nest.Arch, nest.Constraints) {
	a.Levels, c.Levels = slices.Clone(a.Levels[1:]), slices.Clone(c.Levels[1:])
	l := &a.Levels[0]
	l.Words, l.Keep, l.Bypass, l.Utilization = 0, 0, 0, 0
	c.Levels[0].Keep, c.Levels[0].Bypass = 0, 0
	return a, c
}
